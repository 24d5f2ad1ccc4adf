/** The bridge protocol as one JSON Schema document. */
import { PLUGIN_FRAMES, SERVER_FRAMES } from "@atrium/wire/bridge";
import { buildMessageDocument, type MessageDocument } from "./message-document.ts";

/** Every frame of either side. */
export const BRIDGE_FRAMES = { ...PLUGIN_FRAMES, ...SERVER_FRAMES };

export function buildBridgeDocument(): MessageDocument {
  return buildMessageDocument({
    $id: "urn:atrium:bridge-protocol",
    title: "Atrium bridge protocol",
    description: "Frames between the server and the plugin inside a Claude Code process.",
    sides: { FromPlugin: PLUGIN_FRAMES, FromServer: SERVER_FRAMES },
  });
}
