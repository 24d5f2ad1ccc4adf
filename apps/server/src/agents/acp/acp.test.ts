import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { acpPrompt, type AcpStep } from "../../../../../test/kit/acp-agent.ts";
import { isAlive } from "../../../../../test/kit/processes.ts";
import { openToolDoor } from "../../../../../test/kit/tool-door/tool-door.ts";
import { systemTimers } from "../../platform/timers.ts";
import { createTestHost, type TestHost, type TestHostOptions } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf, typesIn } from "../testing/turns.ts";
import { describeAgentRuntime, type Situation } from "../turn/agent-runtime.contract.ts";
import type { AgentRuntime, PermissionRequest, Turn, TurnEvent } from "../turn/agent-runtime.ts";
import type { AcpSettings } from "./acp-settings.ts";
import { createAcpRuntime } from "./acp.ts";

const AGENT = fileURLToPath(new URL("../../../../../test/kit/acp-agent.ts", import.meta.url));
const ENV = { PATH: process.env["PATH"] ?? "" };

interface Stage extends AsyncDisposable {
  readonly runtime: AgentRuntime;
  readonly folder: string;
  play(steps: readonly AcpStep[], scene?: Scene): Promise<TurnEvent[]>;
  say(...steps: readonly AcpStep[]): Promise<string>;
}

interface Scene extends TestHostOptions {
  readonly turn?: Partial<Turn>;
  readonly host?: TestHost;
}

function openStage(abilities: readonly string[] = [], more: Partial<AcpSettings> = {}): Stage {
  const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-acp-"));
  const command = [process.execPath, AGENT, ...abilities];
  const settings = { command, cwd: folder.path, env: ENV, ...more };
  const runtime = createAcpRuntime("acp", settings, systemTimers, openToolDoor);
  const play: Stage["play"] = (steps, { turn = {}, host, ...options } = {}) =>
    eventsOf(
      runtime,
      turnOf(acpPrompt(...steps), turn),
      host ?? createTestHost({ speed: 1, ...options }),
    );
  return {
    runtime,
    folder: folder.path,
    play,
    say: async (...steps) => textIn(await play(steps)),
    async [Symbol.asyncDispose]() {
      await runtime.close?.();
      folder[Symbol.dispose]();
    },
  };
}

describeAgentRuntime(
  "acp",
  (situation) => {
    // An agent that is not let go is the only one there may be.
    const stage = openStage([], situation.type === "talks on" ? { maxProcesses: 1 } : {});
    return Promise.resolve({
      runtime: stage.runtime,
      prompt: acpPrompt(...stepsFor(situation)),
      letGo: async () => assert.equal(await stage.say({ say: "free" }), "free"),
      promptFor: (answer) => acpPrompt(...stepsFor({ type: "answers", answer })),
      speed: 1,
      [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
    });
  },
  { tools: "own" },
);

function stepsFor(situation: Situation): readonly AcpStep[] {
  switch (situation.type) {
    case "answers":
      return situation.answer.split("").map((letter) => ({ say: letter }));
    case "uses a tool": {
      const { returns, answer } = situation;
      const called = toolCall({ status: "pending" });
      if (returns === "never") return [called, { hang: "cancellable" }];
      const status = returns.isError ? "failed" : "completed";
      const content = [{ type: "content", content: { type: "text", text: returns.text } }] as const;
      const returned = toolUpdate({ status, content: [...content] });
      return [called, toolUpdate({ status: "in_progress" }), returned, { say: answer }];
    }
    case "talks on":
      return [{ talkOn: true }];
    case "is silent":
      return [{ hang: "cancellable" }];
  }
}

function toolCall(more: object): AcpStep {
  const call = { toolCallId: "t1", title: "Look it up", name: "lookup", rawInput: { q: "tide" } };
  return { update: { sessionUpdate: "tool_call", ...call, ...more } };
}

function toolUpdate(more: object): AcpStep {
  return { update: { sessionUpdate: "tool_call_update", toolCallId: "t1", ...more } };
}

function failureIn(events: readonly TurnEvent[]): { kind: string; reason: string } {
  const last = events.at(-1);
  assert.ok(last?.type === "failed", JSON.stringify(last));
  return last;
}

test("[ACP-1] thoughts, words and tools are told as they come, each tool once", async () => {
  await using stage = openStage();
  const events = await stage.play([
    { think: "Hm." },
    { say: "Let me look.", messageId: "m1" },
    toolCall({ status: "pending" }),
    toolCall({ status: "in_progress" }),
    toolUpdate({ rawOutput: { tide: "high" } }),
    toolUpdate({ status: "completed" }),
    toolUpdate({ status: "completed", rawOutput: "again" }),
    { say: "High", messageId: "m2" },
    { say: " tide.", messageId: "m2" },
  ]);
  assert.deepEqual(events.slice(0, -2), [
    { type: "thinking", delta: "Hm." },
    { type: "text", delta: "Let me look." },
    { type: "tool.called", id: "t1", name: "lookup", input: { q: "tide" } },
    { type: "tool.returned", id: "t1", text: '{"tide":"high"}', isError: false },
    { type: "text", delta: "\n\nHigh" },
    { type: "text", delta: " tide." },
  ]);
});

function costs(amount: number, currency = "USD"): AcpStep {
  const cost = { amount, currency };
  return { update: { sessionUpdate: "usage_update", used: 10, size: 100, cost } };
}

test("[ACP-7] a turn costs what its session's cost grew by, in dollars or unknown", async () => {
  await using stage = openStage(["resume"]);
  const turn = async (...steps: readonly AcpStep[]): Promise<readonly (number | undefined)[]> =>
    (await stage.play(steps)).flatMap((event) =>
      event.type === "usage" ? [event.usage.cost] : [],
    );
  assert.deepEqual(await turn(costs(0.1), { say: "one" }, costs(0.3)), [0.1, 0.3, 0.3]);
  assert.deepEqual(await turn(costs(0.35)), [0.05, 0.05]);
  assert.deepEqual(await turn({ say: "nothing told" }), [undefined]);
  assert.deepEqual(await turn(costs(0.4, "EUR"), costs(0.2)), [undefined]);
  // Another process goes on with the session: where it stood is not known.
  await stage.play([{ exit: 1 }]);
  assert.deepEqual(await turn(costs(0.5)), [undefined]);
  assert.deepEqual(await turn(costs(0.75)), [0.25, 0.25]);
});

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

test("[ACP-2] where a session cannot be taken up, a new one is told what was said", async () => {
  await using stage = openStage(["load"]);
  await stage.say({ say: "one" });
  failureIn(await stage.play([{ exit: 1 }]));

  rmSync(join(stage.folder, ".sessions"), { recursive: true });
  const turn = { history: [{ role: "user" as const, text: "told again" }] };
  assert.match(textIn(await stage.play([{ echo: "prompt" }], { turn })), /User: told again/);
});

test("[ACP-3] a permission is asked of people and answered by kind, once", async () => {
  await using stage = openStage();
  const asked: PermissionRequest[] = [];
  const outcome = async (
    permission: "allowed" | "denied" | "expired",
    kinds?: readonly ("allow_always" | "reject_always")[],
  ): Promise<unknown> => {
    const events = await stage.play([{ permit: "npm publish", ...(kinds && { kinds }) }], {
      requestPermission: (request) => (asked.push(request), Promise.resolve(permission)),
    });
    return JSON.parse(textIn(events));
  };
  const selected = (kind: string) => ({ outcome: "selected", optionId: `option ${kind}` });
  assert.deepEqual(await outcome("allowed"), selected("allow_once"));
  assert.deepEqual(await outcome("denied"), selected("reject_once"));
  assert.deepEqual(await outcome("expired"), selected("reject_once"));
  assert.deepEqual(await outcome("denied", ["reject_always"]), selected("reject_always"));
  assert.deepEqual(await outcome("allowed", ["allow_always"]), { outcome: "cancelled" });
  const { cwd, ...first } = asked[0] ?? {};
  assert.deepEqual(first, { tool: "shell", input: { n: 1 }, details: "npm publish" });
  assert.match(cwd ?? "", /atrium-acp-/);
});

test("[ACP-3] a permission nobody can be asked for is not given", async () => {
  await using stage = openStage();
  const events = await stage.play([{ permit: "ls" }], {
    requestPermission: () => Promise.reject(new Error("nobody is there")),
  });
  assert.equal(textIn(events), '{"outcome":"cancelled"}');
});

test("[ACP-4] an abort is a cancel, after which the same process goes on", async () => {
  await using stage = openStage();
  const pid = await stage.say({ tell: "pid" });
  const host = createTestHost({ speed: 1 });
  for await (const event of stage.runtime.start(turnOf(acpPrompt({ talkOn: true })), host)) {
    if (event.type === "text") host.abort();
  }
  assert.equal(await stage.say({ tell: "pid" }), pid);
});

test("[ACP-4] an agent that does not heed a cancel is ended", async () => {
  await using stage = openStage();
  const host = createTestHost({ speed: 1 });
  let pid = 0;
  const prompt = acpPrompt({ tell: "pid" }, { hang: "deaf" });
  for await (const event of stage.runtime.start(turnOf(prompt), host)) {
    if (event.type !== "text") continue;
    pid = Number(event.delta);
    host.abort();
  }
  assert.equal(isAlive(pid), false);
  assert.notEqual(await stage.say({ tell: "pid" }), String(pid));
});

test("[ACP-5] files are read and written in the agent's folder", async () => {
  await using stage = openStage();
  const path = join(stage.folder, "notes.txt");
  assert.equal(await stage.say({ write: path, text: "a\nb\nc\nd" }), "written");
  assert.equal(readFileSync(path, "utf8"), "a\nb\nc\nd");
  assert.equal(await stage.say({ read: path }), "a\nb\nc\nd");
  assert.equal(await stage.say({ read: path, line: 2, limit: 2 }), "b\nc");
  assert.equal(await stage.say({ write: path, text: "e" }), "written");
  assert.equal(readFileSync(path, "utf8"), "e");
});

test("[ACP-5] nothing outside the folder is reached, by dots or by links", async () => {
  await using stage = openStage();
  using outside = mkdtempDisposableSync(join(tmpdir(), "atrium-outside-"));
  const secret = join(outside.path, "secret.txt");
  writeFileSync(secret, "secret");
  symlinkSync(secret, join(stage.folder, "file-link"));
  symlinkSync(outside.path, join(stage.folder, "folder-link"));
  symlinkSync(join(outside.path, "new.txt"), join(stage.folder, "dangling"));
  mkdirSync(join(stage.folder, "sub"));
  const paths = [
    secret,
    `${stage.folder}/../${outside.path.split("/").at(-1)}/secret.txt`,
    `${stage.folder}-sibling`,
    join(stage.folder, "file-link"),
    join(stage.folder, "folder-link", "secret.txt"),
    join(stage.folder, "dangling"),
    join(stage.folder, "sub"),
    "notes.txt",
    "/dev/zero",
  ];
  for (const path of paths) {
    assert.match(await stage.say({ read: path }), /^refused: /, path);
    assert.match(await stage.say({ write: path, text: "x" }), /^refused: /, path);
  }
  assert.equal(readFileSync(secret, "utf8"), "secret");
  assert.throws(() => readFileSync(join(outside.path, "new.txt")), /ENOENT/);
  assert.match(await stage.say({ read: secret }), /outside .*the folder this agent works in/);
});

test("[AGENT-16] it is offered files and no terminal, and sees only the environment it may", async () => {
  await using stage = openStage();
  const client = JSON.parse(await stage.say({ tell: "client" })) as {
    clientCapabilities: { fs: unknown; terminal: unknown };
  };
  const fs = { readTextFile: true, writeTextFile: true };
  const { fs: files, terminal } = client.clientCapabilities;
  assert.deepEqual({ files, terminal }, { files: fs, terminal: false });
  const names = JSON.parse(
    textIn(await stage.play([{ tell: "env" }], { turn: { env: { TIDY_STEP: "1" } } })),
  ) as string[];
  assert.deepEqual(names.toSorted(), ["PATH", "TIDY_STEP"]);
});

test("[ACP-1] attachments are sent as far as the agent can take them", async () => {
  const text = { name: "a.txt", mediaType: "text/plain", data: "aGk=" };
  const image = { name: "a.png", mediaType: "image/png", data: "iVBO" };
  const turn = { attachments: [text, image] };
  await using least = openStage();
  const plain = textIn(await least.play([{ echo: "prompt" }], { turn }));
  assert.match(
    plain,
    /^I cannot read a\.png .*Attached file a\.txt:\n\nhi\n\(The person also attached a\.png \(image/s,
  );
  await using able = openStage(["image", "context"]);
  const rich = textIn(await able.play([{ echo: "prompt" }], { turn }));
  assert.match(rich, /\nresource hi\nimage iVBO\n/);
});

test("[ACP-4] a process that dies fails the turn with its last words, and the next turn has a new one", async () => {
  await using stage = openStage();
  const before = await stage.say({ tell: "pid" });
  const steps = [toolCall({}), { say: "half" }, { complain: "out of tide" }, { exit: 7 }] as const;
  const events = await stage.play(steps);
  const { kind, reason } = failureIn(events);
  assert.equal(kind, "unavailable");
  assert.match(reason, /ended with exit code 7:\nout of tide$/);
  assert.equal(textIn(events), "half");
  assert.equal(typesIn(events).filter((type) => type === "tool.returned").length, 1);
  assert.notEqual(await stage.say({ tell: "pid" }), before);
});

test("[ACP-4] what cannot start, does not speak ACP or refuses is told in words", async () => {
  const reasonOf = async (more: Partial<AcpSettings>, steps: readonly AcpStep[] = []) => {
    await using stage = openStage([], more);
    return failureIn(await stage.play(steps)).reason;
  };
  assert.match(await reasonOf({ command: ["no-such-agent"] }), /no program "no-such-agent"/);
  assert.match(await reasonOf({ cwd: "/no/such/folder" }), /folder \/no\/such\/folder/);
  assert.match(
    await reasonOf({ command: ["sleep", "1000"], startTimeoutMs: 200 }),
    /"sleep" was not ready after 0.2 s/,
  );
  assert.match(
    await reasonOf({ command: ["sh", "-c", "echo wrong turn >&2; exit 2"] }),
    /exit code 2:\nwrong turn/,
  );
  assert.match(await reasonOf({}, [{ refuse: "no tide today" }]), /failed: no tide today/);
  assert.match(await reasonOf({}, [{ refuse: "log in", code: -32_000 }]), /logged in first/);
});

test("[ACP-4] how an answer ends is told in the port's words", async () => {
  await using stage = openStage();
  const endOf = async (end: "max_tokens" | "max_turn_requests") =>
    (await stage.play([{ end }])).at(-1);
  assert.deepEqual(await endOf("max_tokens"), { type: "completed", stopReason: "length" });
  assert.deepEqual(await endOf("max_turn_requests"), {
    type: "completed",
    stopReason: "max_steps",
  });
  assert.equal(failureIn(await stage.play([{ end: "refusal" }])).kind, "refusal");
  assert.match(failureIn(await stage.play([{ end: "cancelled" }])).reason, /without being told/);
});

test("[ACP-4] an agent that says more than it may is stopped", async () => {
  await using stage = openStage([], { maxOutputBytes: 100_000 });
  const { reason } = failureIn(
    await stage.play(Array.from({ length: 30 }, () => ({ say: "x".repeat(5_000) }))),
  );
  assert.match(reason, /more than 100000 bytes/);
  const huge = failureIn(await stage.play([{ say: "x".repeat(200_000) }]));
  assert.equal(huge.kind, "unavailable");
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

const lookup = { name: "look.up", description: "Looks it up", input: { type: "object" } };

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

test("[ACP-3] for a tool of ours nobody is asked, for one that only looks like it people are", async () => {
  await using stage = openStage();
  const asked: string[] = [];
  const scene: Scene = {
    tools: [lookup],
    requestPermission: async ({ tool }) => {
      asked.push(tool);
      return "denied";
    },
  };
  const permit = (tool: string): Promise<string> =>
    stage.play([{ permit: "mcp__atrium__look_up", tool }], scene).then(textIn);
  assert.match(await permit("mcp__atrium__look_up"), /option allow_once/);
  assert.deepEqual(asked, []);
  for (const other of ["mcp__atrium__rm", "mcp__other__look_up", "Bash"]) {
    assert.match(await permit(other), /option reject_once/);
  }
  assert.deepEqual(asked, ["mcp__atrium__rm", "mcp__other__look_up", "Bash"]);
});
