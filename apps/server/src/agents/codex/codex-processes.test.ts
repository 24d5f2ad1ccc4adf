import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gone, isAlive } from "../../../../../test/kit/processes.ts";
import { createTestHost, type TestHostOptions } from "../testing/test-host.ts";
import { textIn, turnOf, typesIn } from "../testing/turns.ts";
import type { Turn } from "../turn/agent-runtime.ts";
import type { CodexSettings } from "./app-server/codex-settings.ts";
import { codexPrompt, type CodexFlaw, type CodexStep } from "./testing/codex-double.ts";
import { failureIn, openStage } from "./testing/codex-stage.ts";

const lookup = { name: "look.up", description: "Looks it up", input: { type: "object" } };
const history = [
  { role: "user" as const, text: "Is it high?" },
  { role: "assistant" as const, text: "At noon." },
];

test("[CODEX-2] a new thread is told who it is and what was said; a warm one only what is new", async () => {
  await using stage = openStage();
  const thread = JSON.parse(
    textIn(await stage.play([{ tell: "thread" }], { turn: { history } })),
  ) as Record<string, unknown>;
  assert.equal(thread["developerInstructions"], "You are Eng 1.");
  const said = textIn(await stage.play([{ echo: "thread" }], { turn: { history } }));
  const [first, second] = said.split("\n---\n");
  assert.match(first ?? "", /User: Is it high\?\n\nYou: At noon\.\n\n.*<</s);
  assert.equal(second, codexPrompt({ echo: "thread" }));
});

test("[CODEX-2] instructions that change are said with the message", async () => {
  await using stage = openStage();
  await stage.say({ say: "one" });
  const turn = { instructions: "You are Eng 2." };
  const changed = textIn(await stage.play([{ echo: "input" }], { turn }));
  assert.match(changed, /in place of earlier ones:\\n\\nYou are Eng 2\./);
  assert.doesNotMatch(textIn(await stage.play([{ echo: "input" }], { turn })), /Eng 2/);
});

test("[CODEX-2] a conversation keeps its process; another, or the same begun anew, has its own", async () => {
  await using stage = openStage();
  const pid = async (turn: Partial<Turn> = {}): Promise<string> =>
    textIn(await stage.play([{ tell: "pid" }], { turn }));
  const first = await pid();
  assert.equal(await pid(), first);
  const other = await pid({ conversation: { key: "agent:main:other", sessionId: "session_1" } });
  const anew = await pid({ conversation: { key: "agent:main:main", sessionId: "session_2" } });
  assert.equal(new Set([first, other, anew]).size, 3);
});

test("[CODEX-2] after a crash another process resumes the thread", async () => {
  await using stage = openStage();
  assert.equal(await stage.say({ say: "one" }), "one");
  failureIn(await stage.play([{ exit: 1 }]));
  const turn = { history: [{ role: "user" as const, text: "told again" }] };
  const threads = textIn(await stage.play([{ echo: "thread" }], { turn })).split("\n---\n");
  assert.equal(threads.length, 3);
  assert.ok(!threads[2]?.includes("told again"));
});

test("[CODEX-12] a thread that Codex's daemon still has open is waited for, and goes on", async () => {
  await using stage = openStage();
  await stage.say({ say: "one" });
  failureIn(await stage.play([{ exit: 1 }]));
  const busy = join(stage.folder, ".threads", "busy");
  writeFileSync(busy, "");
  const threads = textIn(await stage.play([{ echo: "thread" }])).split("\n---\n");
  assert.equal(threads.length, 3);
  assert.ok(!existsSync(busy));
});

test("[CODEX-12] a terminal is told the thread; one that Codex has not opened cannot go on there", async () => {
  await using stage = openStage();
  const release = () =>
    stage.runtime.releaseToTerminal?.(turnOf("Go"), new AbortController().signal);
  const unsaid = await release();
  assert.ok(typeof unsaid === "string" && unsaid.startsWith("Codex has said nothing in it"));
  await stage.say({ say: "one" });
  const program = await release();
  assert.ok(typeof program === "object");
  assert.deepEqual(program.command.slice(-5, -1), [
    "resume",
    "--disable",
    "daemon_auto_start",
    "--sandbox=workspace-write",
  ]);
  assert.equal(program.cwd, stage.folder);
});

test("[CODEX-2] a server that was started again finds the thread of the conversation", async () => {
  await using stage = openStage();
  await stage.say({ say: "one" });
  await stage.runtime.close?.();
  await using again = openStage([], { cwd: stage.folder });
  const turn = { history };
  const threads = textIn(await again.play([{ echo: "thread" }], { turn })).split("\n---\n");
  assert.equal(threads.length, 2);
  const conversation = { key: "agent:main:main", sessionId: "session_2" };
  const anew = textIn(await again.play([{ echo: "thread" }], { turn: { ...turn, conversation } }));
  assert.equal(anew.split("\n---\n").length, 1);
});

test("[CODEX-2] where a thread cannot be resumed, a new one is told what was said", async () => {
  await using stage = openStage();
  await stage.say({ say: "one" });
  failureIn(await stage.play([{ exit: 1 }]));
  rmSync(join(stage.folder, ".threads"), { recursive: true });
  assert.match(
    textIn(await stage.play([{ echo: "input" }], { turn: { history } })),
    /User: Is it high/,
  );
});

test("[CODEX-8] idle processes are stopped, and there are never more than allowed", async () => {
  await using stage = openStage([], { idleMs: 1 });
  await gone([Number(await stage.say({ tell: "pid" }))]);

  await using capped = openStage([], { maxProcesses: 1 });
  const events = await Promise.all(
    ["a", "b", "c"].map((key) =>
      capped.play([{ tell: "pid" }], { turn: { conversation: { key, sessionId: "s" } } }),
    ),
  );
  const pids = events.map((one) => Number(textIn(one)));
  assert.equal(new Set(pids).size, 3);
  assert.equal(pids.filter(isAlive).length, 1);
});

test("[CODEX-8] processes start one after another, and who waits for that can be stopped", async () => {
  await using stage = openStage(["crowded"]);
  const say = (key: string) =>
    stage.play([{ say: key }], { turn: { conversation: { key, sessionId: "s" } } });
  const texts = (await Promise.all(["a", "b", "c"].map(say))).map(textIn);
  assert.deepEqual(texts, ["a", "b", "c"]);

  await using stuck = openStage(["mute"]);
  const hosts = ["a", "b"].map(() => createTestHost({ speed: 1 }));
  const turns = hosts.map((host, at) =>
    stuck.play([{ say: "hi" }], {
      host,
      turn: { conversation: { key: `k${at}`, sessionId: "s" } },
    }),
  );
  hosts[1]?.abort();
  assert.deepEqual((await turns[1])?.at(-1), { type: "completed", stopReason: "aborted" });
  hosts[0]?.abort();
  await turns[0];
});

test("[CODEX-8] closing ends every process, and what has left its process group", async () => {
  const stage = openStage();
  const requestPermission = (): Promise<"allowed"> => Promise.resolve("allowed");
  const steps: readonly CodexStep[] = [{ tell: "pid" }, { run: "sleep", leaves: true }];
  const events = await stage.play(steps, { requestPermission });
  const returned = events.find((event) => event.type === "tool.returned");
  const pids = [textIn(events), returned?.text ?? ""].map((text) => Number.parseInt(text, 10));
  assert.deepEqual(pids.map(isAlive), [true, true]);
  await stage[Symbol.asyncDispose]();
  await gone(pids);
  assert.match(failureIn(await stage.play([{ say: "hi" }])).reason, /being stopped/);
});

test("[CODEX-8] a Codex that is killed takes what it has started with it", async () => {
  await using stage = openStage();
  const requestPermission = (): Promise<"allowed"> => Promise.resolve("allowed");
  const events = await stage.play([{ run: "sleep", leaves: true }, { exit: 9 }], {
    requestPermission,
  });
  const returned = events.find((event) => event.type === "tool.returned");
  await gone([Number.parseInt(returned?.text ?? "", 10)]);
  assert.match(failureIn(events).reason, /exit code 9/);
});

test("[CODEX-3] Codex calls our tools through an MCP server, in whatever turn it is", async () => {
  await using stage = openStage();
  const hostWith = (callTool: TestHostOptions["callTool"]) =>
    createTestHost({ speed: 1, tools: [lookup], ...(callTool && { callTool }) });
  const first = hostWith(async () => ({ text: "high", isError: false }));
  const use = { useTool: "look_up", input: { q: "tide" } } as const;
  assert.equal(
    textIn(await stage.play([use], { host: first })),
    '{"content":[{"type":"text","text":"high"}],"isError":false}',
  );
  assert.deepEqual(first.calls, [{ name: "look.up", input: { q: "tide" } }]);
  const second = hostWith(() => Promise.reject(new Error("the library is closed")));
  const failed = textIn(await stage.play([use], { host: second }));
  assert.match(failed, /"the library is closed".*"isError":true/);
  assert.deepEqual([first.calls.length, second.calls.length], [1, 1]);
});

test("[CODEX-3] when there are other tools, a new process resumes the thread", async () => {
  await using stage = openStage();
  const tell = async (tools: TestHostOptions["tools"]): Promise<string> =>
    textIn(await stage.play([{ tell: "pid" }, { echo: "thread" }], { tools: tools ?? [] }));
  const before = await tell([lookup]);
  const after = await tell([lookup, { ...lookup, name: "node_kitchen_say" }]);
  assert.notEqual(Number.parseInt(after, 10), Number.parseInt(before, 10));
  assert.equal(after.split("---").length, 2);
});

test("[AGENT-26] MCP servers of the settings reach Codex with what they are given, beside ours", async () => {
  const mcpServers = [
    { name: "docs", command: "docs-mcp", args: ["--all"], env: { DOCS: "d" } },
    { name: "tides", url: "https://tides.example/mcp", headers: { Authorization: "Bearer x" } },
  ];
  await using stage = openStage([], { mcpServers });
  const events = await stage.play([{ tell: "thread" }], { tools: [lookup] });
  const { config } = JSON.parse(textIn(events)) as { config: Record<string, unknown> };
  assert.deepEqual(Object.keys(config).toSorted(), [
    "mcp_servers.atrium",
    "mcp_servers.docs",
    "mcp_servers.tides",
  ]);
  const { name: _docs, ...docs } = mcpServers[0] ?? {};
  assert.deepEqual(config["mcp_servers.docs"], docs);
  assert.deepEqual(config["mcp_servers.tides"], {
    url: "https://tides.example/mcp",
    http_headers: { Authorization: "Bearer x" },
  });
});

test("[CODEX-18] its user's MCP servers are switched off where ownSettings is false, and ours are not", async () => {
  const mcpServers = [{ name: "tides", command: "tides-mcp", args: [], env: {} }];
  const configOf = async (ownSettings: boolean): Promise<Record<string, unknown>> => {
    await using stage = openStage([], { mcpServers, ownSettings });
    return JSON.parse(textIn(await stage.play([{ tell: "thread" }]))).config;
  };
  const { "mcp_servers.tides": tides, ...off } = await configOf(false);
  assert.ok(tides !== undefined);
  assert.deepEqual(off, { "mcp_servers.mine.enabled": false });
  assert.deepEqual(Object.keys(await configOf(true)), ["mcp_servers.tides"]);
  await using old = openStage(["no-config"], { ownSettings: false });
  assert.match(
    failureIn(await old.play([{ say: "hi" }])).reason,
    /does not tell which MCP servers/,
  );
});

test("[AGENT-29] skills reach Codex before its thread begins, and other skills another process", async () => {
  await using stage = openStage();
  const skill = { name: "tides", description: "About tides", folder: "/skills/tides" };
  const tell = async (skills: readonly (typeof skill)[]): Promise<string> =>
    textIn(await stage.play([{ tell: "skills" }, { tell: "pid" }], { turn: { skills } }));
  const [first, second, none] = [await tell([skill]), await tell([skill]), await tell([])];
  assert.match(first, /^\["\/skills\/tides"\]/);
  assert.equal(first, second);
  assert.match(none, /^\[\]/);
  await using old = openStage(["no-skills"]);
  const events = await old.play([{ say: "hi" }], { turn: { skills: [skill] } });
  assert.match(failureIn(events).reason, /takes no skills\. Update it, or take the skills out/);
});

test("[CODEX-9] what cannot start, or is no Codex, is told in one sentence that says what to do", async () => {
  const reasonOf = async (more: Partial<CodexSettings>, ...flaws: readonly CodexFlaw[]) => {
    await using stage = openStage(flaws, more);
    const events = await stage.play([{ say: "hi" }]);
    assert.deepEqual(typesIn(events), ["usage", "failed"]);
    assert.equal(failureIn(events).kind, "unavailable");
    return failureIn(events).reason;
  };
  const shell = (script: string): Partial<CodexSettings> => ({
    command: "sh",
    extraArgs: ["-c", script],
  });
  assert.match(await reasonOf({ command: "no-such-codex" }), /no program "no-such-codex"/);
  assert.match(await reasonOf({ cwd: "/no/such/folder" }), /folder \/no\/such\/folder/);
  assert.match(
    await reasonOf({ startTimeoutMs: 300 }, "mute"),
    /was not ready after 0.3 s. Start ".* app-server" by hand/,
  );
  assert.match(
    await reasonOf(shell("echo hello there; sleep 1000")),
    /does not speak the protocol .* printed: hello there. Check "command"/,
  );
  assert.match(await reasonOf(shell("yes")), /does not speak the protocol/);
  assert.match(await reasonOf(shell("echo wrong turn >&2; exit 2")), /exit code 2:\nwrong turn/);
  assert.match(
    await reasonOf(shell("echo \"error: unrecognized subcommand 'app-server'\" >&2; exit 2")),
    /does not have "app-server": it is too old.*npm install -g @openai\/codex@latest/,
  );
  assert.match(await reasonOf({}, "old"), /too old for Atrium.*npm install -g @openai\/codex/);
  assert.match(await reasonOf({}, "logged-out"), /not logged in. Run "codex login"/);
  assert.match(
    await reasonOf(shell("head -c 300000 /dev/zero | tr '\\0' x; echo; sleep 1000"), "mute"),
    /does not speak the protocol/,
  );
});

test("[CODEX-9] a program that may not be run is named", async () => {
  await using stage = openStage();
  const path = join(stage.folder, "codex");
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o600);
  await using blocked = openStage([], { command: path });
  assert.match(failureIn(await blocked.play([{ say: "hi" }])).reason, /may not be run/);
});

test("[CODEX-9] a Codex that dies in a turn fails it with its last words, and the next has a new one", async () => {
  await using stage = openStage();
  const before = await stage.say({ tell: "pid" });
  const tool = { type: "dynamicToolCall", id: "t1", tool: "lookup", arguments: {} };
  const steps = [
    { item: tool },
    { say: "half" },
    { complain: "out of tide" },
    { exit: 7 },
  ] as const;
  const events = await stage.play(steps);
  assert.match(failureIn(events).reason, /ended with exit code 7:\nout of tide\nRun /);
  assert.equal(textIn(events), "half");
  assert.equal(typesIn(events).filter((type) => type === "tool.returned").length, 1);
  assert.notEqual(await stage.say({ tell: "pid" }), before);
});

test("[CODEX-9] a Codex that says more than it may is stopped", async () => {
  await using stage = openStage([], { maxOutputBytes: 100_000 });
  const many = Array.from({ length: 30 }, () => ({ say: "x".repeat(5_000) }));
  assert.match(failureIn(await stage.play(many)).reason, /more than 100000 bytes/);
  const huge = failureIn(await stage.play([{ say: "x".repeat(200_000) }]));
  assert.match(huge.reason, /more than 100000 bytes in one message.*Raise maxOutputBytes/);
});

test("[AGENT-16] Codex sees only the environment it may, and the turn's", async () => {
  await using stage = openStage();
  const turn = { env: { TIDY_STEP: "1" } };
  const names = JSON.parse(textIn(await stage.play([{ tell: "env" }], { turn }))) as string[];
  assert.deepEqual(names.toSorted(), ["ATRIUM_CODEX_PROCESS", "PATH", "TIDY_STEP"]);
});

test("[AGENT-12] nothing secret is on the command line, and what our tools are given is masked", async () => {
  await using stage = openStage();
  const tools = [lookup];
  const events = await stage.play([{ tell: "pid" }, { tell: "thread" }], { tools });
  const [pid = "", thread = ""] = textIn(events).split("\n\n");
  assert.match(thread, /"SYNTHESIS_BRIDGE_TOKEN":"\[key\]"/);
  assert.doesNotMatch(readFileSync(`/proc/${pid}/cmdline`, "utf8"), /SYNTHESIS|mcp_servers/);
});
