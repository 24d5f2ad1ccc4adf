/** The world protocol as one JSON Schema document: messages of both sides, and the data of every command. */
import type { TSchema } from "@atrium/schema";
import { WORLD_CLIENT_MESSAGES, WORLD_COMMANDS, WORLD_SERVER_MESSAGES } from "@atrium/wire/world";
import { buildMessageDocument, type MessageDocument } from "./message-document.ts";

/** Both sides have a `chat`, so each definition says whose it is. */
export const WORLD_DEFINITIONS = {
  server: named("server", WORLD_SERVER_MESSAGES),
  client: named("client", WORLD_CLIENT_MESSAGES),
  command: named("command", WORLD_COMMANDS),
};

export function buildWorldDocument(): MessageDocument {
  const { server, client, command } = WORLD_DEFINITIONS;
  return buildMessageDocument({
    $id: "urn:atrium:world-protocol",
    title: "Atrium world protocol",
    description: "Messages between the world server and whoever looks into the office.",
    sides: { FromServer: server, FromClient: client },
    parts: command,
  });
}

function named(
  prefix: string,
  schemas: Readonly<Record<string, TSchema>>,
): Readonly<Record<string, TSchema>> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [`${prefix}_${name}`, schema]),
  );
}
