import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestAtrium, type TestAtrium } from "../../../../../../test/kit/atrium.ts";
import {
  openBreakableWire,
  type BreakableWire,
} from "../../../../../../test/kit/breakable-wire.ts";
import { systemTimers } from "../../../platform/timers.ts";
import { createTestHost, type TestHost, type TestHostOptions } from "../../testing/test-host.ts";
import { eventsOf, turnOf } from "../../testing/turns.ts";
import type { AgentRuntime, Turn, TurnEvent } from "../../turn/agent-runtime.ts";
import type { OpenClawSettings } from "../openclaw-settings.ts";
import { createOpenClawRuntime } from "../openclaw.ts";

/** Who works upstream: one who answers at once, one who takes time, one who runs prompts as a script. */
export const UPSTREAM = {
  runtimes: {
    quick: { type: "rehearsal", pace: 0 },
    script: { type: "command", command: ["sh"] },
  },
  agents: [
    { id: "agent_bd", name: "BD", role: "front desk", runtime: "quick" },
    { id: "agent_slow", name: "Slow", role: "writer", runtime: "rehearsal" },
    { id: "agent_script", name: "Script", role: "engineer", runtime: "script" },
  ],
};

export interface Stage extends AsyncDisposable {
  readonly upstream: TestAtrium;
  readonly wire: BreakableWire;
  readonly runtime: AgentRuntime;
  play(prompt: string, scene?: Scene): Promise<TurnEvent[]>;
}

export interface Scene extends TestHostOptions {
  readonly turn?: Partial<Turn>;
  readonly host?: TestHost;
}

export async function openStage(more: Partial<OpenClawSettings> = {}): Promise<Stage> {
  await using opened = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), "atrium-upstream-"));
  opened.defer(() => rm(home, { recursive: true, force: true }));
  await writeFile(join(home, "atrium.config.json"), JSON.stringify(UPSTREAM));
  const upstream = opened.use(await openTestAtrium({ home }));
  const wire = opened.use(await openBreakableWire(upstream.port));
  const url = `ws://127.0.0.1:${wire.port}`;
  const runtime = createOpenClawRuntime(
    "claw",
    { url, token: upstream.token, ...more },
    systemTimers,
  );
  opened.defer(() => runtime.close?.());
  const held = opened.move();
  return {
    upstream,
    wire,
    runtime,
    play: (prompt, { turn = {}, host, ...options } = {}) =>
      eventsOf(runtime, turnOf(prompt, turn), host ?? createTestHost({ speed: 1, ...options })),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

export function failureIn(events: readonly TurnEvent[]): { kind: string; reason: string } {
  const last = events.at(-1);
  assert.ok(last?.type === "failed", JSON.stringify(last));
  return last;
}

export interface Message {
  readonly role: string;
  readonly content: readonly { readonly text?: string }[];
}

/** What is in the session upstream, as "role: text". */
export async function sessionAt(
  upstream: Pick<TestAtrium, "connect">,
  sessionKey = "agent:main:atrium:session_1",
): Promise<string[]> {
  await using peer = await upstream.connect();
  const { messages } = (await peer.ask("chat.history", { sessionKey })) as { messages: Message[] };
  return messages.map(
    ({ role, content }) => `${role}: ${content.map(({ text }) => text).join("")}`,
  );
}
