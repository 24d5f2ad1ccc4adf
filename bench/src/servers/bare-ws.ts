/** peers/bare-ws.ts in a process of its own. */
import { RawSocket } from "../load/raw-socket.ts";
import { CHAT_PAYLOAD } from "./chat-event.ts";
import { startChild } from "./child-server.ts";
import { isChatFrame, requestText } from "./gateway-frames.ts";
import type { Target } from "./target.ts";

export const BARE_WS = new URL("../peers/bare-ws.ts", import.meta.url);

/** Answers with what was asked, or always with the same payload when it is given one. */
export async function startBareWs(payload?: unknown): Promise<Target> {
  const args = payload === undefined ? [] : [JSON.stringify(payload)];
  const child = await startChild(BARE_WS, args);
  return {
    name: payload === undefined ? "bare ws" : "bare ws, same payload",
    pid: child.pid,
    join: () => RawSocket.open(child.port),
    publication: requestText("p", "publish", CHAT_PAYLOAD),
    isEvent: isChatFrame,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
