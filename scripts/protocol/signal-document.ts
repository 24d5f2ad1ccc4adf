/** A signal as one JSON Schema document: the envelope, and for each well-known type what its payload is. */
import { Envelope, SIGNAL_PAYLOADS } from "@atrium/wire/signal";
import { refTo, toDraft07, type SchemaNode } from "./draft07.ts";

interface Rule {
  readonly if: SchemaNode;
  readonly then: SchemaNode;
}

export interface SignalDocument extends SchemaNode {
  readonly $schema: string;
  readonly $id: string;
  readonly title: string;
  readonly allOf: readonly Rule[];
  readonly definitions: Readonly<Record<string, SchemaNode>>;
}

export function buildSignalDocument(): SignalDocument {
  const payloads = Object.entries(SIGNAL_PAYLOADS).map(
    ([type, schema]) => [type, toDraft07(schema, () => undefined, type)] as const,
  );
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "urn:atrium:signal",
    title: "Atrium signal",
    description:
      "One signal. Any text is a type; the payload of a type that is not named here is any object.",
    ...toDraft07(Envelope, () => undefined, "Signal"),
    allOf: payloads.map(([type]) => ({
      if: { type: "object", properties: { type: { const: type } }, required: ["type"] },
      // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema calls it so
      then: { type: "object", properties: { payload: refTo(type) } },
    })),
    definitions: Object.fromEntries(payloads),
  };
}
