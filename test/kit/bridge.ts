/** Bridge sessions for tests, and a plugin's side of the wire that only says what it is told to. */
import type { Atrium } from "@atrium/server/compose";
import { openPeer, type RawPeer } from "./raw-peer.ts";

export type BridgeSessions = Atrium["bridge"];
export type BridgeBinding = Parameters<BridgeSessions["open"]>[0];
export type BridgeSession = ReturnType<BridgeSessions["open"]>;
type Message = Parameters<BridgeSession["deliver"]>[0];

export interface Heard {
  readonly dropped: {
    readonly id: string;
    readonly reason: string;
    readonly mayHaveArrived: boolean;
  }[];
  readonly asked: Parameters<BridgeBinding["onPermissionRequest"]>[0][];
  /** "in" and "out", as the plugin came and went. */
  readonly lines: string[];
}

export interface TestSession {
  readonly session: BridgeSession;
  readonly heard: Heard;
  /** Delivers messages with these ids. */
  readonly say: (...ids: readonly string[]) => void;
}

export const ECHO_TOOL = {
  name: "echo",
  description: "Says it again.",
  input: { type: "object", properties: { text: { type: "string" } } },
};

export function openTestSession(
  sessions: BridgeSessions,
  options: Partial<BridgeBinding> = {},
): TestSession {
  const heard: Heard = { dropped: [], asked: [], lines: [] };
  const session = sessions.open({
    conversationKey: "agent:main:main",
    claudeSession: "11111111-2222-4333-8444-555555555555",
    tools: [ECHO_TOOL],
    callTool: async (name, args) => ({ text: `${name} ${JSON.stringify(args)}`, isError: false }),
    onPermissionRequest: (request) => void heard.asked.push(request),
    onDropped: ({ request_id: id }, drop) => void heard.dropped.push({ id, ...drop }),
    onConnected: () => void heard.lines.push("in"),
    onDisconnected: () => void heard.lines.push("out"),
    ...options,
  });
  const say = (...ids: readonly string[]): void => {
    for (const id of ids) session.deliver(messageOf(id));
  };
  return { session, heard, say };
}

export function messageOf(id: string): Message {
  return {
    request_id: id,
    content: `text of ${id}`,
    meta: { chat_id: "agent:main:main", user: "alice" },
  };
}

export function helloOf({ env }: BridgeSession, changes: object = {}): Record<string, unknown> {
  return {
    type: "hello",
    openclaw_session: env["SYNTHESIS_OPENCLAW_SESSION"],
    claude_session: env["SYNTHESIS_CLAUDE_SESSION"],
    pid: 4711,
    token: env["SYNTHESIS_BRIDGE_TOKEN"],
    ...changes,
  };
}

/** Frames of the bridge, looked into as they came. */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type BridgeFrame = any;

export interface RawPlugin extends RawPeer {
  /** The ids of the messages that have come, in order. */
  messages(): string[];
  /** The next frame of that type, also one that has come but was not taken before. */
  take(type: string): Promise<BridgeFrame>;
  /** Everything that was sent before has been handled when this resolves. */
  settled(): Promise<void>;
}

/** Connects and says hello; answers pings only when told to. */
export async function plugIn(
  session: BridgeSession,
  options: PlugOptions = {},
): Promise<RawPlugin> {
  const peer = await openPeer(String(session.env["SYNTHESIS_BRIDGE_URL"]));
  const plugin = asPlugin(peer);
  if (options.answersPings === true) {
    peer.socket.on("message", (data: Buffer) => {
      const frame: BridgeFrame = JSON.parse(data.toString());
      if (frame.type === "ping") peer.send({ type: "pong", ts: frame.ts });
    });
  }
  peer.send(helloOf(session));
  await plugin.first((frame) => frame.type === "hello_ack");
  return plugin;
}

export interface PlugOptions {
  readonly answersPings?: boolean;
}

function asPlugin(peer: RawPeer): RawPlugin {
  const taken = new Set<BridgeFrame>();
  let stamp = 0;
  return Object.assign(peer, {
    messages: () =>
      (peer.frames as readonly BridgeFrame[])
        .filter(({ type }) => type === "inbound_message")
        .map((frame) => String(frame.request_id)),
    async take(type: string): Promise<BridgeFrame> {
      const found = await peer.first((frame) => frame.type === type && !taken.has(frame));
      taken.add(found);
      return found;
    },
    async settled(): Promise<void> {
      const ts = `settled ${++stamp}`;
      const answer = peer.next((frame: BridgeFrame) => frame.type === "pong" && frame.ts === ts);
      peer.send({ type: "ping", ts });
      await answer;
    },
  });
}
