/** Who is seen in the office besides those who work on tasks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openSignals, signalOf } from "../../kit/signals.ts";
import { enterWorld, type WorldMessage } from "../../kit/world-peer.ts";

interface SeenAgent {
  readonly agent_id: string;
  readonly name: string;
  readonly state: string;
  readonly is_visitor?: boolean;
  readonly heard_at?: number;
}

const shows = (isIt: (agent: SeenAgent) => boolean) => (message: WorldMessage) =>
  message.type === "snapshot" && (message.payload.agents as SeenAgent[]).some(isIt);

test("[DIR-10] an agent from outside comes in, is seen at work, and makes room for others", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using signals = await openSignals(atrium);
  const change = (agentId: string, to: string) =>
    signalOf("agent_state_change", { agentId, from: "idle", to });
  await signals.emit(change("Codex #7", "acting"));
  const seen = await peer.first(shows(({ name }) => name === "Codex #7"));
  const visitor = (seen.payload.agents as SeenAgent[]).find(({ name }) => name === "Codex #7");
  assert.equal(visitor?.agent_id, "agent_visitor_codex_7");
  assert.equal(visitor.is_visitor, true);
  assert.ok(Math.abs((visitor.heard_at ?? 0) - Date.now()) < 60_000);
  assert.equal((await peer.event("agent_joined")).payload.agent_id, "agent_visitor_codex_7");
  for (let n = 0; n < 12; n++) await signals.emit(change(`other-${n}`, "thinking"));
  const left = await peer.event("agent_left");
  assert.equal(left.payload.agent_id, "agent_visitor_codex_7");
  await signals.emit(change("agent_eng_1", "acting"));
  assert.deepEqual(atrium.faults, []);
});

test("[DIR-2] an agent in a chat is seen working, and idle again afterwards", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using chat = await atrium.connect();
  const isEng = (state: string) =>
    shows((agent) => agent.agent_id === "agent_eng_1" && agent.state === state);
  const sessionKey = "agent:eng_1:main";
  for (const [runId, message, state] of [
    ["r1", "[[hang]]", "WorkingAtPOI"],
    ["r2", "[[ask: Really? | Yes | No]]", "BlockedWaiting"],
  ] as const) {
    const busy = peer.next(isEng(state));
    await chat.ask("chat.send", { sessionKey, message, idempotencyKey: runId });
    await busy;
    const idle = peer.next(isEng("IdleAtHome"));
    await chat.ask("chat.abort", { sessionKey, runId });
    await idle;
  }
});
