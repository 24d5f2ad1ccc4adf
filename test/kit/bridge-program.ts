/** A server whose agent is served over the bridge alone, and a program that says only what a test tells it to. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestAtrium, type TestAtrium, type TestOptions } from "./atrium.ts";
import type { BridgeFrame } from "./bridge.ts";
import { openPeer, type Connected, type RawPeer } from "./raw-peer.ts";

const BRIDGE_SECRET = "secret-of-a-program-started-by-hand";
export const BRIDGED_KEY = "agent:main:main";

export interface BridgedStage extends AsyncDisposable {
  readonly atrium: TestAtrium;
  readonly peer: Connected;
  /** Connects and says hello with the secret; answers pings. */
  plugIn(changes?: object): Promise<RawProgram>;
  send(runId: string, message: string, more?: object): Promise<unknown>;
  /** How the run ended, in the words of the gateway. */
  ended(runId: string): Promise<BridgeFrame>;
  /** The transcript, a line for everything that was said or done. */
  transcript(): Promise<string[]>;
}

export interface RawProgram extends RawPeer {
  /** The next frame of that type that was not taken before. */
  take(type: string): Promise<BridgeFrame>;
  call(tool: string, args: object): Promise<BridgeFrame>;
  reply(text: string, more?: object): Promise<BridgeFrame>;
  /** The contents of the messages that have come, in order. */
  messages(): string[];
}

export async function openBridgedStage(
  runtime: object = { tokenEnv: "BRIDGE_SECRET" },
  options: TestOptions = {},
): Promise<BridgedStage> {
  await using opened = new AsyncDisposableStack();
  const home = options.home ?? (await mkdtemp(join(tmpdir(), "atrium-bridged-")));
  if (options.home === undefined) {
    opened.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  }
  const config = {
    runtimes: { bridged: { type: "claude-code", transport: "bridge", ...runtime } },
    agents: [{ id: "agent_main", name: "Main", role: "front desk", runtime: "bridged" }],
  };
  await writeFile(join(home, "atrium.config.json"), JSON.stringify(config));
  const readEnv = (name: string): string | undefined =>
    name === "BRIDGE_SECRET" ? BRIDGE_SECRET : process.env[name];
  const atrium = opened.use(await openTestAtrium({ readEnv, ...options, home }));
  const peer = opened.use(await atrium.connect({ client: { displayName: "Ann" } }));
  const held = opened.move();
  return {
    atrium,
    peer,
    async plugIn(changes = {}) {
      const program = asProgram(await openPeer(`${atrium.wsUrl}bridge`));
      held.use(program);
      program.send({
        type: "hello",
        openclaw_session: BRIDGED_KEY,
        claude_session: "by-hand",
        pid: 1,
        token: BRIDGE_SECRET,
        ...changes,
      });
      await program.first(({ type }) => type === "hello_ack");
      return program;
    },
    send: (runId, message, more = {}) =>
      peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: runId, ...more }),
    ended: (runId) => peer.ask("agent.wait", { runId, timeoutMs: 60_000 }),
    async transcript() {
      const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
      return messages.flatMap(({ role, content }: BridgeFrame) =>
        content.map(({ type, text, name }: BridgeFrame) =>
          [role, type === "text" ? text : name].join(": "),
        ),
      );
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function asProgram(peer: RawPeer): RawProgram {
  const taken = new Set<BridgeFrame>();
  let calls = 0;
  peer.socket.on("message", (data: Buffer) => {
    const frame: BridgeFrame = JSON.parse(data.toString());
    if (frame.type === "ping") peer.send({ type: "pong", ts: frame.ts });
  });
  const take = async (type: string): Promise<BridgeFrame> => {
    const found = await peer.first((frame) => frame.type === type && !taken.has(frame));
    taken.add(found);
    return found;
  };
  const call = async (tool: string, args: object): Promise<BridgeFrame> => {
    const id = `c${++calls}`;
    peer.send({ type: "tool_call", call_id: id, tool, args });
    return peer.first((frame: BridgeFrame) => frame.type === "tool_result" && frame.call_id === id);
  };
  return Object.assign(peer, {
    take,
    call,
    async reply(text: string, more: object = {}): Promise<BridgeFrame> {
      const result = await call("reply", { text, ...more });
      assert.equal(result.ok, true, JSON.stringify(result));
      return result;
    },
    messages: () =>
      (peer.frames as readonly BridgeFrame[])
        .filter(({ type }) => type === "inbound_message")
        .map(({ content }) => String(content)),
  });
}
