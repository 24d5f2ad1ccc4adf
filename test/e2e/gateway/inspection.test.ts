/** What operators look at: usage and cost, the trail, standing permissions, and what there is none of. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { answer, connectApprovedNode } from "../../kit/node.ts";
import { loadPeerSchemas } from "../../kit/peer-schemas.ts";
import { openPricedOffice } from "../../kit/priced-office.ts";
import type { Connected } from "../../kit/raw-peer.ts";

const schemas = await loadPeerSchemas();

async function talk(peer: Connected, sessionKey: string, message: string): Promise<void> {
  const runId = randomUUID();
  const ended = peer.first(
    ({ event, payload }) =>
      event === "chat" && payload.runId === runId && ["final", "error"].includes(payload.state),
  );
  await peer.ask("chat.send", { sessionKey, message, idempotencyKey: runId });
  await ended;
}

test("[GW-3] hello-ok names the capabilities that clients ask for, and models are listed by provider", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  schemas.check("HelloOk", peer.hello);
  assert.ok(peer.hello.features.capabilities.includes("published-model-catalog"));
  const ask = { view: "all", includeDetails: true };
  const { models } = await peer.ask("models.list", { ...ask, provider: "rehearsal" });
  schemas.check("ModelsListResult", { models });
  assert.deepEqual(
    models.map(({ id, available }: Record<string, unknown>) => [id, available]),
    [["rehearsal-1", true]],
  );
  const none = await peer.ask("models.list", { ...ask, provider: "elsewhere" });
  assert.deepEqual(none.models, []);
});

test("[GW-58] what was used and what it cost is told by day, conversation, agent, model and tool", async () => {
  await using office = await openPricedOffice({});
  const { atrium } = office;
  await using peer = await atrium.connect();
  await talk(peer, "main", "Hello");
  await talk(peer, "agent:free_1:main", '[[tool: search {"q":"x"}]] [[say: hi]]');
  const cost = await peer.ask("usage.cost", { days: 7, agentScope: "all" });
  assert.equal(cost.totals.totalCost, 0.2);
  assert.equal(cost.totals.missingCostEntries, 0);
  assert.equal(cost.daily.length, 1);
  assert.equal(cost.daily[0].totalTokens, cost.totals.totalTokens);
  const mine = await peer.ask("usage.cost", { days: 1 });
  assert.deepEqual([mine.totals.totalCost, mine.totals.totalTokens], [0.2, 120]);

  const asked = { range: "30d", mode: "specific", timeZone: "Asia/Kathmandu", groupBy: "family" };
  const usage = await peer.ask("sessions.usage", { ...asked, agentScope: "all" });
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: asked.timeZone, dateStyle: "short" });
  assert.equal(usage.endDate, today.format(usage.updatedAt));
  assert.deepEqual(
    new Set(usage.sessions.map(({ key }: Record<string, unknown>) => key)),
    new Set(["agent:main:main", "agent:free_1:main"]),
  );
  const { byAgent, byModel, messages, tools, sessionCount } = usage.aggregates;
  assert.deepEqual([sessionCount, messages.user, messages.assistant], [2, 2, 2]);
  assert.deepEqual(tools.tools, [{ name: "search", count: 1 }]);
  assert.equal(byAgent.length, 2);
  const priced = byModel.find(({ model }: Record<string, unknown>) => model === "m");
  assert.deepEqual([priced.count, priced.totals.totalCost], [1, 0.2]);
  const one = await peer.ask("sessions.usage", { key: "main", range: "all" });
  assert.deepEqual(
    one.sessions.map(({ key }: Record<string, unknown>) => key),
    ["agent:main:main"],
  );
  const past = await peer.ask("sessions.usage", {
    agentScope: "all",
    startDate: "2020-01-01",
    endDate: "2020-01-31",
  });
  assert.deepEqual([past.sessions, past.totals.totalTokens], [[], 0]);
  for (const wrong of [
    { mode: "specific", timeZone: "Nowhere/Land" },
    { agentScope: "all", key: "main" },
    { agentId: "nobody" },
  ]) {
    const { error } = await peer.request("sessions.usage", wrong);
    assert.equal(error?.code, "INVALID_REQUEST", JSON.stringify(wrong));
  }
});

test("[GW-59] the trail tells which runs and calls began and ended, the newest first, by pages", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await talk(peer, "main", '[[tool: search {"q":"x"}]] [[say: hi]]');
  await talk(peer, "main", "[[fail: broken]]");
  const all = await peer.ask("audit.list", {});
  schemas.check("AuditListResult", all);
  const words = (events: readonly Record<string, unknown>[]): string[] =>
    events.map(({ action, status }) => `${String(action)} ${String(status)}`);
  assert.deepEqual(words(all.events), [
    "agent.run.finished failed",
    "agent.run.started started",
    "agent.run.finished succeeded",
    "tool.action.finished failed",
    "tool.action.started started",
    "agent.run.started started",
  ]);
  assert.equal(JSON.stringify(all).includes("broken"), false);
  const first = await peer.ask("audit.list", { limit: 4 });
  const rest = await peer.ask("audit.list", { limit: 4, cursor: first.nextCursor });
  assert.deepEqual([...first.events, ...rest.events], all.events);
  assert.equal(rest.nextCursor, undefined);
  const tools = await peer.ask("audit.list", { kind: "tool_action", status: "failed" });
  assert.deepEqual(
    tools.events.map(({ toolName, agentId }: Record<string, unknown>) => [toolName, agentId]),
    [["search", "main"]],
  );
  const { error } = await peer.request("audit.list", { cursor: "x" });
  assert.equal(error?.details.reason, "cursor.unreadable");
});

test("[GW-46] what is always allowed is shown, with what happens to the rest; a node tells its own rules", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const before = await peer.ask("exec.approvals.get", {});
  schemas.check("ExecApprovalsSnapshot", before);
  assert.deepEqual(before.file.agents, {});
  const asked = peer.event("exec.approval.requested");
  const talking = talk(peer, "main", "[[approve: shell npm publish]]");
  const { id } = (await asked).payload;
  await peer.ask("exec.approval.resolve", { id, decision: "allow-always" });
  await talking;
  const after = await peer.ask("exec.approvals.get", {});
  schemas.check("ExecApprovalsSnapshot", after);
  assert.notEqual(after.hash, before.hash);
  assert.deepEqual(after.file.agents, {
    main: {
      allowlist: [
        {
          id,
          pattern: "npm publish",
          source: "allow-always",
          commandText: "shell npm publish",
        },
      ],
    },
  });
  assert.deepEqual(
    [after.resolvedDefaults.ask, after.resolvedDefaults.askFallback],
    ["on-miss", "deny"],
  );

  const commands = ["system.execApprovals.get"];
  await using node = await connectApprovedNode(atrium, peer, { commands });
  const rules = { path: "/rules", exists: true, hash: "h", file: { version: 1 } };
  const told = peer.ask("exec.approvals.node.get", { nodeId: node.nodeId });
  const { payload: invoked } = await node.event("node.invoke.request");
  await answer(node, invoked, { payload: rules });
  assert.deepEqual(await told, rules);
  await using other = await connectApprovedNode(atrium, peer, { commands: ["say"] });
  const refused = await peer.request("exec.approvals.node.get", { nodeId: other.nodeId });
  assert.match(refused.error?.message ?? "", /does not offer "system.execApprovals.get"/);
});

test("[GW-56] lanes are conversations in which something runs or waits", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  assert.equal((await peer.ask("diagnostics.lanes", {})).dynamic, null);
  const began = peer.first(({ event, payload }) => event === "agent" && payload.runId === "r1");
  await peer.ask("chat.send", { sessionKey: "main", message: "[[hang]]", idempotencyKey: "r1" });
  await began;
  const queueMode = "followup";
  await peer.ask("chat.send", {
    sessionKey: "main",
    message: "2",
    queueMode,
    idempotencyKey: "r2",
  });
  assert.deepEqual((await peer.ask("diagnostics.lanes", {})).dynamic, {
    laneCount: 1,
    activeCount: 1,
    queuedCount: 1,
    queuedLaneCount: 1,
  });
});

test("[GW-56] what there is none of is an empty answer in the peer's shape, not an unknown method", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const session = { sessionKey: "agent:main:main", agentId: "main" };
  const none = { providers: [] };
  const answers: readonly (readonly [string, object, object, string?])[] = [
    ["update.status", {}, { sentinel: null, updateAvailable: null }, "UpdateStatusResult"],
    [
      "sessions.observer.visibility",
      { visible: true },
      { ok: true },
      "SessionsObserverVisibilityResult",
    ],
    ["sessions.branches.list", session, { branches: [] }, "SessionsBranchesListResult"],
    ["sessions.companion.state", session, { exchanges: [] }, "SessionsCompanionStateResult"],
    ["progressCard.get", session, { card: null }, "ProgressCardGetResult"],
    [
      "talk.catalog",
      {},
      {
        modes: [],
        transports: [],
        brains: [],
        speech: none,
        transcription: none,
        realtime: none,
      },
      "TalkCatalogResult",
    ],
    [
      "tasks.list",
      { ...session, status: ["queued"], limit: 200 },
      { tasks: [] },
      "TasksListResult",
    ],
    [
      "plugins.list",
      {},
      { plugins: [], diagnostics: [], mutationAllowed: false },
      "PluginsListResult",
    ],
    [
      "channels.pairing.list",
      {},
      {
        accounts: [],
        requests: [],
        commandOwnerConfigured: false,
        limits: {
          pendingPerAccount: 0,
          ttlMs: 0,
        },
      },
      "ChannelsPairingListResult",
    ],
    ["skills.search", { limit: 20 }, { results: [] }, "SkillsSearchResult"],
    ["models.authStatus", { agentId: "main" }, none],
    ["usage.status", {}, none],
    ["skills.status", { agentId: "main" }, { skills: [] }],
    ["skills.library.list", { scope: "all" }, { entries: [], defaultTarget: "unavailable" }],
    ["diagnostics.stability", { limit: 25 }, { count: 0, dropped: 0, events: [] }],
    [
      "cron.runs",
      { scope: "all", limit: 50, offset: 0, status: "all", sortDir: "desc" },
      { entries: [], total: 0 },
    ],
  ];
  for (const [method, params, empty, definition] of answers) {
    const told = await peer.ask(method, params);
    // Times and folders differ; everything else is as written here.
    assert.deepEqual(told, { ...told, ...empty }, method);
    if (definition !== undefined) {
      assert.deepEqual(told, empty, method);
      schemas.check(definition, told);
    }
    assert.ok(peer.hello.features.methods.includes(method), method);
  }
});

test("[GW-56] a schedule is refused in words that say what to do, and is not announced", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const { error } = await peer.request("cron.add", { name: "x", schedule: { kind: "every" } });
  assert.equal(error?.details.reason, "schedule.absent");
  assert.match(error?.message ?? "", /the system's scheduler/);
  assert.equal(peer.hello.features.methods.includes("cron.add"), false);
});
