/**
 * The server's messages, as far as the client depends on them. A newer server may send more: unknown members and types
 * are left alone.
 */
import type { WORLD_SERVER_MESSAGES, WorldMessageOf } from "@atrium/wire/world";

export type ServerMessageType = keyof typeof WORLD_SERVER_MESSAGES;
export type ServerMessage = {
  [Type in ServerMessageType]: WorldMessageOf<Type>;
}[ServerMessageType];

const TYPES: ReadonlySet<string> = new Set<ServerMessageType>([
  "hello_ack",
  "event",
  "agent_goal",
  "snapshot",
  "chat",
  "agent_stream",
  "ack",
  "error",
  "pong",
]);

/** Undefined for an unknown message. */
export function readMessage(data: unknown): ServerMessage | undefined {
  const value = parse(data);
  if (!isObject(value) || typeof value["type"] !== "string" || !TYPES.has(value["type"])) {
    return undefined;
  }
  if (typeof value["id"] !== "string" || !isObject(value["payload"])) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a known type; its members are the server's promise
  return value as unknown as ServerMessage;
}

function parse(data: unknown): unknown {
  if (typeof data !== "string") return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
