/** The bridge protocol as one JSON Schema document: every frame by its type, and who sends it. */
import { PLUGIN_FRAMES, SERVER_FRAMES } from "@atrium/wire/bridge";
import { refTo, toDraft07, type SchemaNode } from "./draft07.ts";

export interface BridgeDocument {
  readonly $schema: string;
  readonly $id: string;
  readonly title: string;
  readonly description: string;
  readonly anyOf: readonly SchemaNode[];
  readonly definitions: Readonly<Record<string, SchemaNode>>;
}

/** Every frame of either side. */
export const BRIDGE_FRAMES = { ...PLUGIN_FRAMES, ...SERVER_FRAMES };

export function buildBridgeDocument(): BridgeDocument {
  const frames = Object.entries(BRIDGE_FRAMES).map(
    ([type, schema]) => [type, toDraft07(schema, () => undefined, type)] as const,
  );
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "urn:atrium:bridge-protocol",
    title: "Atrium bridge protocol",
    description: "Frames between the server and the plugin inside a Claude Code process.",
    anyOf: [refTo("FromPlugin"), refTo("FromServer")],
    definitions: {
      FromPlugin: anyOf(PLUGIN_FRAMES),
      FromServer: anyOf(SERVER_FRAMES),
      ...Object.fromEntries(frames),
    },
  };
}

function anyOf(frames: object): SchemaNode {
  return { anyOf: Object.keys(frames).map((type) => refTo(type)) };
}
