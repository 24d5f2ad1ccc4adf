import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { acpPrompt, type AcpStep } from "../../../../../test/kit/acp-agent.ts";
import { isAlive } from "../../../../../test/kit/processes.ts";
import { createTestHost, type TestHostOptions } from "../testing/test-host.ts";
import { textIn, typesIn } from "../testing/turns.ts";
import type { Turn } from "../turn/agent-runtime.ts";
import { acpServers } from "./configured-servers.ts";
import { failureIn, openStage } from "./testing/acp-stage.ts";

const lookup = { name: "look.up", description: "Looks it up", input: { type: "object" } };

test("[ACP-2] a new session is told who it is and what was said; a warm one only what is new", async () => {
  await using stage = openStage();
  const history = [
    { role: "user" as const, text: "Is it high?" },
    { role: "assistant" as const, text: "At noon." },
  ];
  const first = textIn(await stage.play([{ echo: "prompt" }], { turn: { history } }));
  assert.match(first, /^You are Eng 1\.\n\n.*User: Is it high\?\n\nYou: At noon\.\n\n.*<</s);
  const second = textIn(await stage.play([{ echo: "session" }], { turn: { history } }));
  const [before, now] = second.split("\n---\n");
  assert.equal(before, first);
  assert.equal(now, acpPrompt({ echo: "session" }));
});

test("[ACP-2] a conversation keeps its process; another, or the same begun anew, has its own", async () => {
  await using stage = openStage();
  const pid = async (turn: Partial<Turn> = {}): Promise<string> =>
    textIn(await stage.play([{ tell: "pid" }], { turn }));
  const first = await pid();
  assert.equal(await pid(), first);
  const other = await pid({ conversation: { key: "agent:main:other", sessionId: "session_1" } });
  const anew = await pid({ conversation: { key: "agent:main:main", sessionId: "session_2" } });
  assert.equal(new Set([first, other, anew]).size, 3);
});

for (const ability of ["load", "resume"]) {
  test(`[ACP-2] a session is taken up by a new process where the agent can ${ability} it`, async () => {
    await using stage = openStage([ability]);
    assert.equal(await stage.say({ say: "one" }), "one");
    failureIn(await stage.play([{ exit: 1 }]));
    const events = await stage.play([{ echo: "session" }], {
      turn: { history: [{ role: "user", text: "told again" }] },
    });
    const prompts = textIn(events).split("\n---\n");
    assert.equal(prompts.length, 3);
    assert.ok(!prompts[2]?.includes("told again"));
  });
}

for (const ability of ["load", "resume"]) {
  test(`[ACP-2] after a restart of the server the session that was told is taken up (${ability})`, async () => {
    await using stage = openStage([ability]);
    const told = (await stage.play([{ say: "one" }])).find((event) => event.type === "session");
    assert.ok(told !== undefined);
    await stage.runtime.close?.();
    await using again = openStage([ability], { cwd: stage.folder });
    const turn = { session: told.id, history: [{ role: "user" as const, text: "told again" }] };
    const events = await again.play([{ echo: "session" }], { turn });
    assert.equal(textIn(events).split("\n---\n").length, 2);
    assert.doesNotMatch(textIn(events), /told again/);
    // It is known already, and need not be told.
    assert.ok(!typesIn(events).includes("session"));
  });
}

test("[ACP-2] a session that the program has lost or never could take up is begun anew, and told", async () => {
  await using stage = openStage(["load"]);
  const turn = { session: "__proto__", history: [{ role: "user" as const, text: "told again" }] };
  const events = await stage.play([{ echo: "prompt" }], { turn });
  assert.match(textIn(events), /User: told again/);
  assert.ok(events[0]?.type === "session" && events[0].id !== "__proto__");
  await using unable = openStage();
  assert.ok(!typesIn(await unable.play([{ say: "one" }])).includes("session"));
});

test("[ACP-2] where a session cannot be taken up, a new one is told what was said", async () => {
  await using stage = openStage(["load"]);
  await stage.say({ say: "one" });
  failureIn(await stage.play([{ exit: 1 }]));

  rmSync(join(stage.folder, ".sessions"), { recursive: true });
  const turn = { history: [{ role: "user" as const, text: "told again" }] };
  assert.match(textIn(await stage.play([{ echo: "prompt" }], { turn })), /User: told again/);
});

test("[ACP-9] a program that loses its sessions is told what was said instead", async () => {
  await using stage = openStage(["load"], { program: "gemini" });
  await stage.say({ say: "one" });
  failureIn(await stage.play([{ exit: 1 }]));
  const turn = { history: [{ role: "user" as const, text: "told again" }] };
  const said = textIn(await stage.play([{ echo: "session" }], { turn }));
  assert.match(said, /User: told again/);
  assert.equal(said.split("\n---\n").length, 1);
});

test("[ACP-10] an agent that takes tools over HTTP calls them, and nobody says the secret", async () => {
  const inUse = new Set<string>();
  const stage = openStage(["http"], { program: "copilot" }, { secretsInUse: inUse });
  const host = createTestHost({
    speed: 1,
    tools: [lookup],
    callTool: async () => ({ text: "high", isError: false }),
  });
  const steps = [{ tell: "tools" }, { useTool: "look_up", input: { q: "tide" } }] as const;
  const said = textIn(await stage.play(steps, { host }));
  assert.equal(said, '["look_up"]{"content":[{"type":"text","text":"high"}],"isError":false}');
  assert.deepEqual(host.calls, [{ name: "look.up", input: { q: "tide" } }]);
  assert.equal(inUse.size, 1);
  await stage[Symbol.asyncDispose]();
  assert.equal(inUse.size, 0);
});

test("[ACP-6] idle processes are stopped, and there are never more than allowed", async () => {
  await using stage = openStage([], { idleMs: 1 });
  const idle = Number(await stage.say({ tell: "pid" }));
  while (isAlive(idle)) await new Promise((resolve) => setTimeout(resolve, 20));

  await using capped = openStage([], { maxProcesses: 1 });
  const turnIn = (key: string): Partial<Turn> => ({ conversation: { key, sessionId: "s" } });
  const steps = [{ tell: "pid" }] as const;
  const events = await Promise.all(
    ["a", "b", "c"].map((key) => capped.play(steps, { turn: turnIn(key) })),
  );
  const pids = events.map((one) => Number(textIn(one)));
  assert.equal(new Set(pids).size, 3);
  assert.equal(pids.filter(isAlive).length, 1);
});

test("[ACP-6] who waits for a process can be stopped", async () => {
  await using stage = openStage([], { maxProcesses: 1 });
  const busy = createTestHost({ speed: 1 });
  const first = stage.play([{ say: "busy" }, { hang: "cancellable" }], { host: busy });
  const host = createTestHost({ speed: 1 });
  const conversation = { key: "other", sessionId: "s" };
  const second = stage.play([{ say: "late" }], { host, turn: { conversation } });
  setTimeout(() => host.abort(), 100);
  assert.deepEqual((await second).at(-1), { type: "completed", stopReason: "aborted" });
  busy.abort();
  await first;
});

test("[ACP-6] closing ends every process", async () => {
  const stage = openStage();
  const pids = await Promise.all(
    ["a", "b"].map(async (key) => {
      const turn = { conversation: { key, sessionId: "s" } };
      return Number(textIn(await stage.play([{ tell: "pid" }], { turn })));
    }),
  );
  assert.deepEqual(pids.map(isAlive), [true, true]);
  await stage[Symbol.asyncDispose]();
  assert.deepEqual(pids.map(isAlive), [false, false]);
  assert.match(failureIn(await stage.play([{ say: "hi" }])).reason, /being stopped/);
});

test("[ACP-6] an agent calls our tools through an MCP server, in whatever turn it is", async () => {
  await using stage = openStage();
  const first = createTestHost({
    speed: 1,
    tools: [lookup],
    callTool: async () => ({ text: "high", isError: false }),
  });
  const use = { useTool: "look_up", input: { q: "tide" } } as const;
  const steps = [{ tell: "tool servers" }, { tell: "tools" }, use] as const;
  const said = textIn(await stage.play(steps, { host: first }));
  assert.equal(
    said,
    '["atrium"]["look_up"]{"content":[{"type":"text","text":"high"}],"isError":false}',
  );
  assert.deepEqual(first.calls, [{ name: "look.up", input: { q: "tide" } }]);
  const second = createTestHost({
    speed: 1,
    tools: [lookup],
    callTool: () => Promise.reject(new Error("the library is closed")),
  });
  const failed = textIn(await stage.play([use], { host: second }));
  assert.match(failed, /"the library is closed".*"isError":true/);
  assert.deepEqual([first.calls.length, second.calls.length], [1, 1]);
});

for (const ability of ["load", "resume"]) {
  test(`[ACP-6] a session that is taken up (${ability}) has them again`, async () => {
    await using stage = openStage([ability]);
    const play = async (...steps: readonly AcpStep[]): Promise<string> =>
      textIn(await stage.play(steps, { tools: [lookup] }));
    await play({ say: "one" }, { exit: 1 });
    const said = await play({ tell: "tools" }, { echo: "session" });
    assert.match(said, /^\["look_up"\][^]*one/);
  });
}

test("[ACP-6] when there are other tools, a new process takes up the session", async () => {
  await using stage = openStage(["resume"]);
  const tell = async (tools: TestHostOptions["tools"]): Promise<string> =>
    textIn(await stage.play([{ tell: "pid" }, { echo: "session" }], { tools: tools ?? [] }));
  const pidOf = (said: string): number => Number.parseInt(said, 10);
  const before = await tell([lookup]);
  const same = await tell([lookup]);
  assert.equal(pidOf(same), pidOf(before));
  const after = await tell([lookup, { ...lookup, name: "node_kitchen_say" }]);
  assert.notEqual(pidOf(after), pidOf(before));
  assert.equal(isAlive(pidOf(before)), false);
  assert.equal(after.split("---").length, 3);
});

test("[AGENT-26] an agent is given the MCP servers of the settings, and told where it cannot reach one", async () => {
  const program = { name: "docs", command: "docs-mcp", args: [], env: { DOCS_KEY: "x" } };
  await using stage = openStage([], { mcpServers: [program] });
  assert.match(await stage.say({ tell: "tool servers" }), /docs/);
  const remote = { name: "tides", url: "http://127.0.0.1:9/mcp", headers: { Authorization: "x" } };
  await using other = openStage([], { mcpServers: [remote] });
  const { kind, reason } = failureIn(await other.play([{ say: "hi" }]));
  assert.equal(kind, "unavailable");
  assert.match(reason, /takes no MCP servers over HTTP\. Remove "tides"/);
  await using able = openStage(["http"], { mcpServers: [remote] });
  assert.match(await able.say({ tell: "tool servers" }), /tides/);
  assert.deepEqual(acpServers([program, remote]), [
    { name: "docs", command: "docs-mcp", args: [], env: [{ name: "DOCS_KEY", value: "x" }] },
    {
      type: "http",
      name: "tides",
      url: "http://127.0.0.1:9/mcp",
      headers: [{ name: "Authorization", value: "x" }],
    },
  ]);
});
