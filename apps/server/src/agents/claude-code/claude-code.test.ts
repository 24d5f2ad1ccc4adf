/** Turns and processes, with a double of Claude Code; the real one is in test/conformance. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createTestHost, type TestHostOptions } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf, typesIn } from "../testing/turns.ts";
import { describeAgentRuntime } from "../turn/agent-runtime.contract.ts";
import type { Turn, TurnEvent } from "../turn/agent-runtime.ts";
import { claudeSessionId } from "./protocol/claude-session-id.ts";
import { contentOf, isReadable } from "./protocol/prompt-content.ts";
import { openDoubleStage, type DoubleStage } from "./testing/double-stage.ts";

describeAgentRuntime("claude-code, a double", (situation) => {
  const answer = "answer" in situation ? situation.answer : "";
  const stage = openDoubleStage({
    env: { DOUBLE_ANSWER: answer },
    settings: { env: ["DOUBLE_ANSWER"] },
  });
  const prompts = {
    answers: `say ${answer}`,
    "uses a tool": "tool lookup",
    "talks on": "forever",
    "is silent": "silent",
  };
  return Promise.resolve({
    runtime: stage.runtime,
    prompt: prompts[situation.type],
    // A conversation has one process, which takes one turn at a time.
    letGo: async () => assert.equal(textIn(await play(stage, "say free")), "free"),
    promptFor: (wished) => `say ${wished}`,
    speed: 1,
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  });
});

test("[CLAUDE-3] a conversation has one process, which serves its turns one after the other", async () => {
  await using stage = openDoubleStage();
  const answers = await Promise.all(["say a", "say b", "say c"].map((text) => play(stage, text)));
  assert.deepEqual(answers.map(textIn), ["a", "b", "c"]);
  assert.equal(stage.starts().length, 1);
  await play(stage, "say d", { conversation: other(1) });
  assert.equal(stage.starts().length, 2);
});

test("[CLAUDE-1] the session of a conversation is always the same, and a reset conversation has another", async () => {
  const id = claudeSessionId({ key: "agent:main:main", sessionId: "s1" });
  assert.equal(id, claudeSessionId({ key: "agent:main:main", sessionId: "s1" }));
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const others = [
    { key: "agent:main:main", sessionId: "s2" },
    { key: "agent:main:other", sessionId: "s1" },
    { key: "agent:main:mains1", sessionId: "" },
  ];
  assert.equal(new Set([id, ...others.map(claudeSessionId)]).size, 4);
});

test("[CLAUDE-1] a process that has been idle for long is ended, and the next turn resumes its session", async () => {
  await using stage = openDoubleStage({ settings: { idleStopMs: 60_000 } });
  await play(stage, "say one");
  const [first] = stage.starts();
  stage.pass(59_000);
  await play(stage, "say two");
  assert.equal(stage.starts().length, 1);
  stage.pass(59_999);
  assert.ok(isAlive(first!.pid));
  stage.pass(1);
  while (isAlive(first!.pid)) await setTimeout(10);
  const events = await play(stage, "history", { history: HISTORY });
  assert.match(textIn(events), /say one\nsay two\nhistory/);
  assert.ok(stage.starts()[1]!.args.some((arg) => arg.startsWith("--resume=")));
});

test("[CLAUDE-17] a preset that has changed is in effect with the next turn", async () => {
  let preset: "ask" | "sandbox" = "ask";
  await using stage = openDoubleStage({ permissionsOf: () => preset });
  const workspace = { folder: stage.folder, store: null };
  await play(stage, "say one", { workspace });
  await play(stage, "say two", { workspace });
  assert.equal(stage.starts().length, 1);
  preset = "sandbox";
  await play(stage, "say three", { workspace });
  const isAutomatic = stage
    .starts()
    .map(({ args }) => args.join(" ").includes('"autoAllowBashIfSandboxed":true'));
  assert.deepEqual(isAutomatic, [false, true]);
});

test("[CLAUDE-3] when there are too many processes, the one idle for longest is ended", async () => {
  await using stage = openDoubleStage({ settings: { maxProcesses: 2 } });
  for (const n of [1, 2, 1, 3]) {
    stage.pass(1_000);
    await play(stage, `say ${n}`, { conversation: other(n) });
  }
  const [one, two, three] = stage.starts();
  assert.deepEqual(
    [isAlive(one!.pid), isAlive(two!.pid), isAlive(three!.pid)],
    [true, false, true],
  );
});

test("[CLAUDE-3] when all processes are at work, a turn waits for one", async () => {
  await using stage = openDoubleStage({ settings: { maxProcesses: 1 } });
  const host = createTestHost({ speed: 1 });
  const busy = eventsOf(stage.runtime, turnOf("forever", { conversation: other(1) }), host);
  while (stage.starts().length === 0) await setTimeout(10);
  const waiting = play(stage, "say at last", { conversation: other(2) });
  await setTimeout(50);
  assert.equal(stage.starts().length, 1);
  host.abort();
  await busy;
  assert.equal(textIn(await waiting), "at last");
  const [first] = stage.starts();
  assert.equal(stage.starts().length, 2);
  assert.ok(!isAlive(first!.pid));
});

test("[CLAUDE-3] a start that fails is tried again after 1, 2 and 4 seconds, then given up with the reason", async () => {
  await using stage = openDoubleStage({ traits: ["broken"] });
  const host = createTestHost();
  const events: TurnEvent[] = [];
  for await (const event of stage.runtime.start(turnOf("say x"), host)) events.push(event);
  const waits = host.sleeps.filter((ms) => ms >= 1_000);
  assert.deepEqual(waits, [1_000, 2_000, 4_000]);
  assert.equal(typesIn(events).filter((type) => type === "retrying").length, 3);
  const last = events.at(-1);
  assert.ok(last?.type === "failed" && last.kind === "unavailable");
  assert.match(last.reason, /could not be started.*4 tries.*something is missing/);
  assert.equal(stage.starts().length, 4);
});

test("[CLAUDE-2] a program that neither knows a session nor lets it be begun is given up on", async () => {
  await using stage = openDoubleStage({ traits: ["confused"] });
  const events: TurnEvent[] = [];
  for await (const event of stage.runtime.start(turnOf("say x"), createTestHost())) {
    events.push(event);
  }
  const last = events.at(-1);
  assert.ok(last?.type === "failed" && last.kind === "unavailable", JSON.stringify(last));
  assert.ok(stage.starts().length <= 6, String(stage.starts().length));
});

test("[CLAUDE-3] a process that dies fails its turn; the next waits, resumes, and all is well again", async () => {
  await using stage = openDoubleStage();
  const [last] = (await play(stage, "die")).slice(-1);
  assert.ok(last?.type === "failed");
  assert.match(last.reason, /stopped in the middle of the turn: it ended by SIGKILL/);
  const host = createTestHost();
  const events = await eventsOf(stage.runtime, turnOf("history"), host);
  assert.match(textIn(events), /die\nhistory/);
  assert.deepEqual(host.sleeps, [1_000]);
  const calm = createTestHost();
  await eventsOf(stage.runtime, turnOf("say x"), calm);
  assert.deepEqual(calm.sleeps, []);
});

test("a flood of output is taken in, and a line that is too long is passed over", async () => {
  await using stage = openDoubleStage();
  const events = await play(stage, "flood 5000");
  const text = textIn(events);
  assert.equal(text.length, 5_000 * 1_001 + "\n\nthe end".length);
  assert.ok(text.endsWith("the end"));
  assert.match(JSON.stringify(events), /A line too long to read was left out/);
  assert.equal(textIn(await play(stage, "say still here")), "still here");
});

test("[CLAUDE-4] a process that ignores SIGTERM is killed", async () => {
  const stage = openDoubleStage({ traits: ["stubborn"] });
  await play(stage, "say x");
  const { pid } = stage.starts()[0]!;
  assert.ok(isAlive(pid));
  await stage[Symbol.asyncDispose]();
  assert.ok(!isAlive(pid));
});

test("[CLAUDE-3] a program that is not installed is told with what to do", async () => {
  await using stage = openDoubleStage({ settings: { command: "no-such-claude" } });
  const [event] = await play(stage, "say x");
  assert.ok(event?.type === "failed" && event.kind === "unavailable");
  assert.match(event.reason, /not installed.*"no-such-claude".*Install it.*"command"/);
});

test("[AGENT-20] a folder that is not there is told with what to do", async () => {
  await using stage = openDoubleStage({ settings: { cwd: "/no/such/folder" } });
  const [event] = await play(stage, "say x");
  assert.ok(event?.type === "failed" && event.kind === "unavailable");
  assert.match(event.reason, /\/no\/such\/folder: there is no such folder.*"cwd"/);
});

/** What every program needs, besides the folders in which it finds things. */
const ALWAYS = ["LANG", "LC_ALL", "LC_CTYPE", "SHELL", "TERM", "TMPDIR", "USER"];

test("[AGENT-16] the process has of the server's environment what is named, and nothing else", async () => {
  await using stage = openDoubleStage({
    env: {
      ...Object.fromEntries(ALWAYS.map((name) => [name, "x"])),
      NAMED: "1",
      ANTHROPIC_API_KEY: "sk-1",
      ATRIUM_TOKEN: "t",
    },
    settings: { env: ["NAMED"] },
  });
  const events = await play(stage, "env", { env: { TIDY_BUILD: "b", LD_PRELOAD: "x" } });
  const names = textIn(events).split(" ");
  const ours = ["CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS", "MCP_PROTOCOL_NEGOTIATION"];
  const own = [...ours, "NAMED", "TIDY_BUILD", ...ALWAYS].toSorted();
  for (const name of [...own, "HOME", "PATH"]) assert.ok(names.includes(name), name);
  const more = names.filter(
    (name) => !/^(?:SYNTHESIS_\w+|HOME|PATH|PWD|OLDPWD|SHLVL|_)$/.test(name),
  );
  assert.deepEqual(more.toSorted(), own);
});

test("[CLAUDE-5] what a conversation wishes for is asked for, by a new process that resumes", async () => {
  await using stage = openDoubleStage({ settings: { model: "sonnet" } });
  await play(stage, "say one");
  await play(stage, "say two", { wishes: { model: "claude-code/opus", thinking: "high" } });
  const [first, second] = stage.starts();
  assert.ok(first!.args.includes("--model=sonnet"));
  for (const arg of ["--model=opus", "--effort=high"]) assert.ok(second!.args.includes(arg), arg);
  assert.ok(second!.args.some((arg) => arg.startsWith("--resume=")));
  assert.ok(!isAlive(first!.pid));
});

test("[CLAUDE-1] a session Claude Code does not know is begun with what was said before", async () => {
  await using stage = openDoubleStage();
  const events = await play(stage, "Which word?", { history: HISTORY });
  assert.match(textIn(events), /What was said[^]*user: The word is heron\.[^]*Now:\s+Which word\?/);
  assert.deepEqual(
    stage
      .starts()
      .map(({ args }) => args.find((arg) => /^--(?:resume|session-id)/.test(arg))?.split("=")[0]),
    ["--resume", "--session-id"],
  );
});

test("[CLAUDE-6] a permission is asked for and the answer is passed on, also that none came", async () => {
  await using stage = openDoubleStage();
  const answers = {
    allowed: /"behavior":"allow","updatedInput":\{"command":"ls -l"\}/,
    denied: /"deny".*A person denied this/,
    expired: /"deny".*Nobody answered/,
  };
  for (const [answer, expected] of Object.entries(answers)) {
    const asked: unknown[] = [];
    const events = await play(
      stage,
      "permission ls -l",
      {},
      {
        requestPermission: (request) => {
          asked.push(request);
          return Promise.resolve(answer as "allowed");
        },
      },
    );
    assert.deepEqual(asked, [{ tool: "Bash", input: { command: "ls -l" }, cwd: stage.folder }]);
    assert.match(textIn(events), expected);
  }
});

test("[CLAUDE-4] no turn is served once the runtime is closed", async () => {
  await using stage = openDoubleStage();
  await stage.runtime.close?.();
  const events = await play(stage, "say x");
  assert.deepEqual(events, [
    { type: "failed", kind: "unavailable", reason: "Atrium is stopping." },
  ]);
  assert.equal(stage.starts().length, 0);
});

test("[AGENT-11] keys and tokens of the process are in nothing it says, asks, calls or complains about", async () => {
  const key = "sk-ant-0123456789abcdef";
  await using stage = openDoubleStage({
    env: { ANTHROPIC_API_KEY: key, GOOGLE_APPLICATION_CREDENTIALS: "/etc/google-credentials.json" },
    settings: { env: ["ANTHROPIC_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"] },
  });
  const asked: unknown[] = [];
  const options: TestHostOptions = {
    tools: [{ name: "lookup", description: "", input: { type: "object" } }],
    callTool: () => Promise.resolve({ text: `found ${key}`, isError: false }),
    requestPermission(request) {
      asked.push(request);
      return Promise.resolve("allowed");
    },
  };
  const heard: TurnEvent[][] = [];
  for (const prompt of [
    `say the key is ${key}, is it?`,
    "variable ANTHROPIC_API_KEY",
    "variable SYNTHESIS_BRIDGE_TOKEN",
    `permission curl -H ${key}`,
    "tool lookup",
    `complain bad key ${key}`,
  ]) {
    heard.push(await play(stage, prompt, {}, options));
  }
  const [said, variable, token, permitted, used, complained] = heard.map((events) =>
    JSON.stringify(events.filter(({ type }) => type !== "usage")),
  );
  assert.equal(textIn(heard[0]!), "the key is [key], is it?");
  assert.deepEqual([textIn(heard[1]!), textIn(heard[2]!)], ["[key]", "[key]"]);
  assert.deepEqual(asked, [
    { tool: "Bash", input: { command: "curl -H [key]" }, cwd: stage.folder },
  ]);
  assert.match(used ?? "", /found \[key\]/);
  assert.match(complained ?? "", /bad key \[key\]/);
  assert.ok(![said, variable, token, permitted, used, complained].join("").includes(key));
  const place = await play(stage, "variable GOOGLE_APPLICATION_CREDENTIALS");
  assert.equal(textIn(place), "/etc/google-credentials.json");
});

const HISTORY: Turn["history"] = [{ role: "user", text: "The word is heron." }];

function other(n: number): Turn["conversation"] {
  return { key: `agent:main:${n}`, sessionId: "session_1" };
}

function play(
  { runtime }: DoubleStage,
  prompt: string,
  more: Partial<Turn> = {},
  options: TestHostOptions = {},
): Promise<TurnEvent[]> {
  return eventsOf(runtime, turnOf(prompt, more), createTestHost({ speed: 1, ...options }));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("[AGENT-7] headless it is given images and PDF, in a terminal text alone", () => {
  const data = Buffer.from("x").toString("base64");
  const types = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"];
  const files = ["text/plain", ...types, "audio/mpeg"].map((mediaType) => ({
    name: "file",
    mediaType,
    data,
  }));
  const read = (isTyped: boolean): readonly string[] =>
    files.filter((file) => isReadable(file, isTyped)).map(({ mediaType }) => mediaType);
  assert.deepEqual(read(false), ["text/plain", ...types]);
  assert.deepEqual(read(true), ["text/plain"]);
  const [text, image, pdf, prompt] = contentOf({
    text: "Look",
    attachments: [files[0]!, files[1]!, files[5]!],
  });
  assert.deepEqual(text, { type: "text", text: "Attached file file:\n\nx" });
  const base64 = { type: "base64", data };
  assert.deepEqual(image, { type: "image", source: { ...base64, media_type: "image/png" } });
  assert.deepEqual(pdf, { type: "document", source: { ...base64, media_type: "application/pdf" } });
  assert.deepEqual(prompt, { type: "text", text: "Look" });
});
