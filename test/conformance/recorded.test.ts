/**
 * Field by field against what the real gateway was recorded to send (recorded/fields.json: the members of every
 * answer and event, version 2026.9.6). What we leave out is listed with the reason; everything else must be there.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { openTestAtrium } from "../kit/atrium.ts";
import { answer, connectNode } from "../kit/node.ts";
import type { Frame } from "../kit/raw-peer.ts";

interface Recorded {
  readonly responses: Readonly<Record<string, readonly string[]>>;
  readonly events: Readonly<Record<string, readonly string[]>>;
}

/** Not required by any schema or client, and nothing we could truthfully say. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  // No hot reload, no model processes of our own.
  health: ["configReload", "modelRuntime"],
  // Parts of the peer that Atrium does not have.
  status: [
    "degradedPlugins",
    "degradedSecretOwners",
    "hostDesktop",
    "modelRuntime",
    "shutdownBudget",
    "taskAudit",
    "tasks",
    "workerPools",
  ],
  // Decoration of the peer's own screens, and what `health` says anyway.
  "channels.status": ["channelDetailLabels", "channelSystemImages", "eventLoop", "statusIssues"],
  "agent.wait": ["livenessState", "terminalReceipt"],
  // The peer's own words for a provider's failure; ours is in errorMessage and errorKind.
  "chat error": ["errorDetail"],
  // Only the peer's node host has or says these.
  "node.describe": ["nodePluginTools", "sessionHost", "deviceFamily"],
  "node.pair.requested": ["deviceFamily"],
  // The peer's own schema does not allow them; we name the conversation inside `data`.
  agent: ["agentId", "sessionId", "sessionKey", "isHeartbeat", "lane"],
};

test("[GW-34] every answer and event that was recorded has its counterpart, member by member", async () => {
  const recorded = await readRecorded();
  await using atrium = await openTestAtrium({ limits: { tickIntervalMs: 50 } });
  await using peer = await atrium.connect();
  await peer.ask("sessions.subscribe", {});
  const answers = new Map<string, Set<string>>();
  const note = (method: string, payload: Frame["payload"]): void => {
    const seen = answers.get(method) ?? new Set();
    answers.set(method, seen);
    for (const key of Object.keys(payload)) seen.add(key);
  };
  const ask = async (method: string, params: object = {}): Promise<Frame["payload"]> => {
    const payload = await peer.ask(method, params);
    note(method, payload);
    return payload;
  };
  const say = async (runId: string, message: string): Promise<void> => {
    await ask("chat.send", { sessionKey: "main", message, idempotencyKey: runId });
    if (runId === "stopped") {
      await peer.first(({ payload }) => payload?.runId === runId && payload.state === "delta");
      await ask("chat.abort", { sessionKey: "main" });
    }
    await ask("agent.wait", { runId });
  };

  await say("said", "[[say: hello]]");
  await say("failed", "[[fail: broken]]");
  await say("stopped", "[[say: half]] [[hang]]");
  await say("stopped", "[[say: half]] [[hang]]");
  await ask("agent", { message: "[[say: x]]", idempotencyKey: "agent" });
  const { key } = await ask("sessions.create", { label: "x" });
  await ask("sessions.reset", { key });
  await ask("sessions.delete", { key });
  await ask("chat.inject", { sessionKey: "main", message: "note" });
  await ask("sessions.messages.subscribe", { key: "main" });
  note("sessions.subscribe", await peer.ask("sessions.subscribe", {}));
  await using node = await connectNode(atrium);
  const { nodeId } = node;
  const { pending } = await ask("node.pair.list");
  await ask("node.pair.approve", { requestId: pending[0].requestId });
  const invoked = ask("node.invoke", { nodeId, command: "say", idempotencyKey: "n1" });
  await answer(node, (await node.event("node.invoke.request")).payload);
  await invoked;
  await ask("node.describe", { nodeId });
  await ask("node.rename", { nodeId, displayName: "renamed" });
  for (const method of Object.keys(recorded.responses)) {
    if (!answers.has(method) && method !== "node.pair.remove") {
      await ask(method, method === "chat.history" ? { sessionKey: "main" } : {});
    }
  }
  await ask("node.pair.remove", { nodeId });
  for (const name of ["tick", "presence"]) await peer.first(({ event }) => event === name);

  const missing = Object.entries(recorded.responses).flatMap(([method, keys]) =>
    keys.filter((each) => answers.get(method)?.has(each) !== true && !isLeftOut(method, each)),
  );
  assert.deepEqual(missing, []);

  const events = new Map<string, Set<string>>();
  for (const { event, payload } of peer.frames) {
    if (event === undefined) continue;
    const name = nameOf(event, payload);
    const seen = events.get(name) ?? new Set();
    events.set(name, seen);
    for (const each of Object.keys(payload)) seen.add(each);
  }
  for (const [name, keys] of Object.entries(recorded.events)) {
    const seen = events.get(name);
    assert.ok(seen !== undefined, `no event ${name}`);
    const absent = keys.filter((each) => !seen.has(each) && !isLeftOut(name, each));
    assert.deepEqual(absent, [], name);
  }
});

function nameOf(event: string, payload: Frame["payload"]): string {
  if (event === "chat") return `chat ${payload.state}`;
  if (event !== "agent") return event;
  return ["agent", payload.stream, payload.data.phase ?? ""].join(" ").trim();
}

function isLeftOut(name: string, member: string): boolean {
  const [family = ""] = name.split(" ");
  return [name, family].some((each) => LEFT_OUT[each]?.includes(member) === true);
}

async function readRecorded(): Promise<Recorded> {
  const file = new URL("recorded/fields.json", import.meta.url);
  return JSON.parse(await readFile(file, "utf8")) as Recorded;
}
