/** A protocol of tagged messages as one JSON Schema document: every message by its type, and who sends it. */
import type { TSchema } from "@atrium/schema";
import { refTo, toDraft07, type SchemaNode } from "./draft07.ts";

type Messages = Readonly<Record<string, TSchema>>;

export interface MessageDocument {
  readonly $schema: string;
  readonly $id: string;
  readonly title: string;
  readonly description: string;
  readonly anyOf: readonly SchemaNode[];
  readonly definitions: Readonly<Record<string, SchemaNode>>;
}

export interface Described {
  readonly $id: string;
  readonly title: string;
  readonly description: string;
  /** By who sends them, as the document names it; the messages by the names their definitions get. */
  readonly sides: Readonly<Record<string, Messages>>;
  /** What messages carry that no message is. */
  readonly parts?: Messages;
}

export function buildMessageDocument(described: Described): MessageDocument {
  const { sides, parts = {}, ...head } = described;
  const all = [...Object.values(sides), parts].flatMap((messages) => Object.entries(messages));
  const definitions = all.map(
    ([name, schema]) => [name, toDraft07(schema, () => undefined, name)] as const,
  );
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...head,
    anyOf: Object.keys(sides).map((side) => refTo(side)),
    definitions: {
      ...Object.fromEntries(
        Object.entries(sides).map(([side, messages]) => [
          side,
          { anyOf: Object.keys(messages).map((name) => refTo(name)) },
        ]),
      ),
      ...Object.fromEntries(definitions),
    },
  };
}
