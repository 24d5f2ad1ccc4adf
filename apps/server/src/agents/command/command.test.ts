import assert from "node:assert/strict";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { gone, isAlive } from "../../../../../test/kit/processes.ts";
import { systemTimers, type Timers } from "../../platform/timers.ts";
import { createRuntimes } from "../runtimes.ts";
import { createTestHost, type TestHost, type TestHostOptions } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf, typesIn } from "../testing/turns.ts";
import { describeAgentRuntime, type Situation } from "../turn/agent-runtime.contract.ts";
import type { AgentRuntime, Turn, TurnEvent } from "../turn/agent-runtime.ts";
import { createCommandRuntime, type CommandSettings } from "./command.ts";

const ENV = { PATH: process.env["PATH"] ?? "" };

function shell(script: string, more: Partial<CommandSettings> = {}): AgentRuntime {
  const settings = { command: ["sh", "-c", script], cwd: tmpdir(), env: ENV, ...more };
  return createCommandRuntime("script", settings, { timers: systemTimers });
}

describeAgentRuntime("command", (situation) => {
  const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-command-"));
  const file = join(folder.path, "pid");
  return Promise.resolve({
    runtime: shell(`echo $$ > ${file}; ${scriptFor(situation)}`),
    prompt: situation.type === "answers" ? situation.answer : "What about the tides?",
    letGo: () => gone([Number(readFileSync(file, "utf8"))]),
    promptFor: (answer) => answer,
    speed: 1,
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]();
    },
  });
});

function scriptFor(situation: Situation): string {
  switch (situation.type) {
    case "answers":
      return "cat";
    case "uses a tool":
      return `echo '{"type":"tool","id":"1","name":"lookup","input":{"q":"tides"}}'
        read -r turn <&3; read -r result <&3; printf '%s' '${situation.answer}'`;
    case "talks on":
      return "while :; do echo and on; sleep 0.01; done";
    case "is silent":
      return "sleep 1000";
  }
}

interface Played {
  readonly events: TurnEvent[];
  readonly host: TestHost;
}

async function play(
  runtime: AgentRuntime,
  options: TestHostOptions = {},
  turn: Partial<Turn> = {},
): Promise<Played> {
  const host = createTestHost({ speed: 1, ...options });
  return { host, events: await eventsOf(runtime, turnOf("Hello?", turn), host) };
}

function failureIn(events: readonly TurnEvent[]): { kind: string; reason: string } {
  const last = events.at(-1);
  assert.ok(last?.type === "failed", JSON.stringify(last));
  return last;
}

test("[COMMAND-1] the program reads the prompt and text attachments, and the end of them", async () => {
  const data = Buffer.from("low at six").toString("base64");
  const attachments = [{ name: "tides.txt", mediaType: "text/plain", data }];
  const { events } = await play(shell("cat"), {}, { attachments });
  assert.equal(textIn(events), "Attached file tides.txt:\n\nlow at six\n\nHello?");
  const long = "x".repeat(1_000_000);
  assert.equal(textIn((await play(shell("cat"), {}, { prompt: long })).events), long);
});

test("[COMMAND-1] a program that does not read its input is no trouble", async () => {
  const { events } = await play(shell("echo hi"), {}, { prompt: "x".repeat(1_000_000) });
  assert.equal(textIn(events), "hi\n");
  assert.equal(events.at(-1)?.type, "completed");
});

test("[COMMAND-2] JSON lines of a known type are events, everything else is text", async () => {
  const lines = [
    '{"type":"thinking","delta":"Hm."}',
    "plain",
    '{"type":"text","delta":"deep"}',
    '{"type":"usage","inputTokens":5,"outputTokens":6}',
    '{"type":"tool.called","id":"a","name":"look","input":{"q":1}}',
    '{"type":"tool.called","id":"a","name":"look","input":{"q":1}}',
    '{"type":"tool.returned","id":"a","text":"seen"}',
    '{"type":"tool.returned","id":"a","text":"seen again"}',
    '{"type":"artifact","name":"plan.md","mediaType":"text/markdown","text":"# Plan"}',
    '{"type":"text"}',
    '{"type":"weather"}',
    "{not json",
    '  {"type":"text","delta":"not at the start"}',
    "[1]",
  ];
  const { events } = await play(shell("cat"), {}, { prompt: lines.join("\n") });
  const text = [
    "plain\ndeep",
    '{"type":"text"}',
    '\n{"type":"weather"}',
    "\n{not json",
    '\n  {"type":"text","delta":"not at the start"}\n[1]',
  ];
  assert.equal(textIn(events), text.join(""));
  assert.deepEqual(
    events.filter(({ type }) => type !== "text"),
    [
      { type: "thinking", delta: "Hm." },
      { type: "usage", usage: { inputTokens: 5, outputTokens: 6 } },
      { type: "tool.called", id: "a", name: "look", input: { q: 1 } },
      { type: "tool.returned", id: "a", text: "seen", isError: false },
      { type: "artifact", name: "plan.md", mediaType: "text/markdown", text: "# Plan" },
      { type: "usage", usage: { inputTokens: 5, outputTokens: 6 } },
      { type: "completed", stopReason: "stop" },
    ],
  );
});

test("[COMMAND-2] text is passed on before its line has ended, and characters are never torn", async () => {
  const script = String.raw`printf 'so \303'; sleep 0.1; printf '\244'; read -r line <&3; sleep 1000`;
  const host = createTestHost({ speed: 1 });
  let said = "";
  for await (const event of shell(script).start(turnOf("Hello?"), host)) {
    if (event.type === "text") said += event.delta;
    if (said === "so ä") host.abort();
  }
  assert.equal(said, "so ä");
});

test("[COMMAND-3] requests are answered on descriptor 3, after the turn itself", async () => {
  const script = `
    read -r turn <&3; echo "$turn"
    echo '{"type":"tool","id":"t","name":"look"}';            read -r a <&3; echo "$a"
    echo '{"type":"ask","id":"q","text":"Which?","options":["A","B"]}'; read -r a <&3; echo "$a"
    echo '{"type":"approve","id":"p","tool":"shell","summary":"ls"}';   read -r a <&3; echo "$a"`;
  const asked: unknown[] = [];
  const { events } = await play(
    shell(script),
    {
      callTool: () => Promise.resolve({ text: "seen", isError: false }),
      ask: (question) => (asked.push(question), Promise.resolve("B")),
      requestPermission: (request) => (asked.push(request), Promise.resolve("denied")),
    },
    { history: [{ role: "user", text: "before" }] },
  );
  const [turn, ...answers] = textIn(events)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    [turn?.["type"], turn?.["prompt"], turn?.["history"]],
    ["turn", "Hello?", [{ role: "user", text: "before" }]],
  );
  assert.deepEqual(answers, [
    { id: "t", text: "seen", isError: false },
    { id: "q", answer: "B" },
    { id: "p", permission: "denied" },
  ]);
  assert.deepEqual(asked, [
    { text: "Which?", options: ["A", "B"] },
    { tool: "shell", cwd: tmpdir(), input: "ls" },
  ]);
});

test("[COMMAND-3] a program is told that nobody answered, why not, and that it could not be asked", async () => {
  const script = `read -r turn <&3
    for n in 1 2; do
      echo "{\\"type\\":\\"ask\\",\\"id\\":\\"q$n\\",\\"text\\":\\"Which?\\"}"; read -r a <&3; echo "$a"
      echo "{\\"type\\":\\"approve\\",\\"id\\":\\"p$n\\",\\"tool\\":\\"x\\",\\"summary\\":\\"y\\"}"; read -r a <&3; echo "$a"
    done`;
  const away = (): Promise<never> => Promise.reject(new Error("nobody is there"));
  const answers = [(): Promise<null> => Promise.resolve(null)];
  const permissions = [{ permission: "denied", note: "not now" } as const, "expired" as const];
  const { events } = await play(shell(script), {
    ask: () => (answers.shift() ?? away)(),
    requestPermission: () => Promise.resolve(permissions.shift() ?? "denied"),
  });
  const told = textIn(events).trim().split("\n");
  assert.deepEqual(
    told.map((line) => JSON.parse(line) as unknown),
    [
      { id: "q1", answer: null },
      { id: "p1", permission: "denied", note: "not now" },
      { id: "q2", error: "nobody is there" },
      { id: "p2", permission: "expired" },
    ],
  );
});

/** The programs in the documentation. */
function documentedPrograms(): readonly string[] {
  const file = new URL("../../../../../docs/agents.md", import.meta.url);
  const blocks = readFileSync(file, "utf8").match(/(?<=\n\n) {4}#!(?:.*\n)(?: {4}.*\n)+/g) ?? [];
  return blocks.map((block) => block.replaceAll(/^ {4}/gm, ""));
}

test("[COMMAND-3] the programs in docs/agents.md do what it says", async () => {
  const [echo = "", publish = "", ...more] = documentedPrograms();
  assert.deepEqual(more, []);
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-command-"));
  const npm = `#!/bin/sh\necho "npm $*"\n`;
  for (const [name, text] of Object.entries({ echo, publish, npm })) {
    writeFileSync(join(folder.path, name), text, { mode: 0o755 });
  }
  const env = { PATH: `${folder.path}:${ENV.PATH}` };
  const run = async (name: string, permission: "allowed" | "denied"): Promise<string> => {
    const runtime = shell("", { command: [`./${name}`], cwd: folder.path, env });
    const options = { requestPermission: () => Promise.resolve(permission) };
    return textIn((await play(runtime, options)).events);
  };
  assert.equal(await run("echo", "denied"), "You said:\nHello?");
  assert.equal(await run("publish", "allowed"), "npm publish\n");
  assert.equal(await run("publish", "denied"), "Not published.\n");
});

test("[COMMAND-3] a program that ends while it asks ends the turn", async () => {
  const script = `echo '{"type":"ask","id":"q","text":"Which?"}'; exit 4`;
  const { events } = await play(shell(script), { ask: () => new Promise(() => undefined) });
  assert.match(failureIn(events).reason, /exit code 4/);
});

test("[COMMAND-4] a program may say how the turn ends", async () => {
  const failing = `echo said; echo '{"type":"failed","kind":"rate_limit","reason":"Later."}'; sleep 1000`;
  const { events } = await play(shell(failing));
  assert.equal(textIn(events), "said\n");
  assert.deepEqual(events.at(-1), { type: "failed", kind: "rate_limit", reason: "Later." });
  const done = await play(shell(`echo '{"type":"completed","stopReason":"length"}'; exit 3`));
  assert.deepEqual(done.events.at(-1), { type: "completed", stopReason: "length" });
});

test("[COMMAND-4] an exit code is a failure that tells the code and the end of standard error", async () => {
  const script = `echo said; i=0; while [ $i -lt 30000 ]; do echo "noise $i" >&2; i=$((i+1)); done; echo "no such tide" >&2; exit 3`;
  const { events } = await play(shell(script));
  const { reason } = failureIn(events);
  assert.match(reason, /"sh" ended with exit code 3:\n/);
  assert.match(reason, /noise 29999\nno such tide$/);
  assert.ok(reason.length < 4_000, String(reason.length));
  assert.equal(textIn(events), "said\n");
  assert.match(failureIn((await play(shell("kill -9 $$"))).events).reason, /ended by SIGKILL/);
});

test("[AGENT-20] a folder or a program that is not there is named", async () => {
  const nowhere = join(tmpdir(), "atrium-no-such-folder");
  const folder = failureIn((await play(shell("echo hi", { cwd: nowhere }))).events);
  assert.deepEqual([folder.kind, folder.reason.includes(nowhere)], ["unavailable", true]);
  const program = await play(shell("", { command: ["no-such-agent", "--flag"] }));
  assert.match(failureIn(program.events).reason, /no program "no-such-agent"/);
  const forbidden = await play(shell("", { command: ["/etc/passwd"] }));
  assert.match(failureIn(forbidden.events).reason, /"\/etc\/passwd" may not be run/);
});

test("[AGENT-16] the program sees of the environment what is allowed, and who asks", async () => {
  const server: Record<string, string> = {
    PATH: ENV.PATH,
    HOME: "/home/x",
    ATRIUM_TOKEN: "secret-token",
    OPENAI_API_KEY: "sk-secret",
    TIDES_URL: "http://tides",
  };
  const settings = { type: "command" as const, command: ["env"], env: ["TIDES_URL", "UNSET"] };
  const runtimes = await createRuntimes({ script: settings }, (name) => server[name]);
  const runtime = runtimes.get("script");
  assert.ok(runtime !== undefined);
  const { events } = await play(runtime, {}, { env: { TIDY_STEP: "2" } });
  const names = textIn(events)
    .trim()
    .split("\n")
    .map((line) => line.split("=")[0] ?? "");
  assert.deepEqual(names.toSorted(), [
    "ATRIUM_AGENT_ID",
    "ATRIUM_AGENT_NAME",
    "ATRIUM_AGENT_ROLE",
    "ATRIUM_CONVERSATION",
    "ATRIUM_RUN_ID",
    "ATRIUM_SESSION_ID",
    "HOME",
    "PATH",
    "TIDES_URL",
    "TIDY_STEP",
  ]);
});

test("[AGENT-12] what a variable holds whose name tells a secret is masked, but no path, no address and nothing short", async () => {
  const secret = "0123456789abcdef";
  const server: Record<string, string> = {
    PATH: ENV.PATH,
    API_KEY: `a${secret}`,
    MyToken: `b${secret}`,
    THE_SECRET: `c${secret}`,
    DB_PASSWORD: `d${secret}`,
    A_CREDENTIAL: `e${secret}`,
    CREDENTIALS_FILE: "/etc/credentials.json",
    TOKEN_URL: "https://tokens.example/v1",
    SHORT_KEY: "fifteen-letters",
    NAME: `f${secret}`,
  };
  const env = Object.keys(server).slice(1);
  const script = `printf '%s\\n' ${env.map((name) => `"$${name}"`).join(" ")}`;
  const settings = { type: "command" as const, command: ["sh", "-c", script], env };
  const runtimes = await createRuntimes({ script: settings }, (name) => server[name]);
  const { events } = await play(runtimes.get("script")!);
  const plain = [server["CREDENTIALS_FILE"], server["TOKEN_URL"], "fifteen-letters", `f${secret}`];
  assert.deepEqual(textIn(events).trim().split("\n"), [
    ...Array.from({ length: 5 }, () => "[key]"),
    ...plain,
  ]);
});

test("[COMMAND-5] an abort leaves nothing behind, not even what ignores being asked", async () => {
  // The grandchild ignores SIGTERM, and so does the program itself.
  const script = `trap '' TERM; sh -c 'trap "" TERM; echo $$; while :; do sleep 0.1; done' & echo $$; wait`;
  const waits: number[] = [];
  const timers: Timers = {
    ...systemTimers,
    after: (ms, run) => (waits.push(ms), systemTimers.after(ms, run)),
  };
  const settings = { command: ["sh", "-c", script], cwd: tmpdir(), env: ENV };
  const runtime = createCommandRuntime("script", settings, { timers });
  const host = createTestHost({ speed: 1 });
  let said = "";
  for await (const event of runtime.start(turnOf("Hello?"), host)) {
    if (event.type === "text") said += event.delta;
    if (/^\d+\n\d+\n$/.test(said)) host.abort();
  }
  const pids = said.trim().split("\n").map(Number);
  assert.equal(pids.length, 2);
  assert.equal(waits[0], 2_000, "so long they may take to end by themselves");
  await gone(pids);
});

test("[COMMAND-5] what a program leaves in the background ends with it, and keeps nobody waiting", async () => {
  const { events } = await play(shell("sleep 1000 & echo $!"));
  assert.equal(events.at(-1)?.type, "completed");
  await gone([Number(textIn(events))]);
  // One that has left the group keeps the pipe open.
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-command-"));
  const script = `setsid sh -c 'echo $$; touch left; exec sleep 1000' &
    until [ -e left ]; do sleep 0.01; done; exit 0`;
  const runaway = await play(shell(script, { cwd: folder.path }));
  const pid = Number(textIn(runaway.events));
  assert.ok(pid > 0, textIn(runaway.events));
  process.kill(pid, "SIGKILL");
  assert.equal(runaway.events.at(-1)?.type, "completed");
});

test("[COMMAND-5] a listener who leaves ends the program", async () => {
  const host = createTestHost({ speed: 1 });
  let pid = 0;
  for await (const event of shell("echo $$; sleep 1000").start(turnOf("Hello?"), host)) {
    if (event.type !== "text") continue;
    pid = Number(event.delta);
    assert.equal(isAlive(pid), true);
    break;
  }
  await gone([pid]);
});

test("[COMMAND-6] a program that takes longer than it may is stopped", async () => {
  const { events } = await play(shell("echo begun; sleep 1000", { timeoutMs: 3_000 }));
  assert.equal(textIn(events), "begun\n");
  const { kind, reason } = failureIn(events);
  assert.equal(kind, "timeout");
  assert.match(reason, /"sh" took longer than 3 s/);
});

test("[COMMAND-6] a program that floods is read no faster than it is heard", async () => {
  const host = createTestHost({ speed: 1 });
  const events = shell("echo $$; exec yes the sea is wide").start(turnOf("Hello?"), host);
  for await (const event of events) {
    if (event.type !== "text") continue;
    const pid = Number(/^\d+/.exec(event.delta)?.[0]);
    const written = (): number =>
      Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
    // As long as nobody takes the next event, it comes to a halt.
    let before = -1;
    while (written() !== before) {
      before = written();
      await setTimeout(100);
    }
    assert.ok(before < 4_000_000, String(before));
    break;
  }
});

test("[COMMAND-6] a program that says more than it may is stopped", async () => {
  const loud = await play(shell("exec yes the sea is wide", { maxOutputBytes: 100_000 }));
  assert.match(failureIn(loud.events).reason, /more than 100000 bytes/);
  assert.ok(textIn(loud.events).length <= 100_000);
  const endless = shell("printf '{'; exec yes | tr -d '\\n'", { maxOutputBytes: 100_000 });
  const held = await play(endless);
  assert.match(failureIn(held.events).reason, /more than 100000 bytes/);
  assert.deepEqual(typesIn(held.events), ["usage", "failed"]);
});

test("[COMMAND-6] a program whose complaints nobody reads does not block", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-command-"));
  const script = join(folder.path, "agent.sh");
  writeFileSync(script, "#!/bin/sh\nyes complaint | head -c 5000000 >&2; echo done\n", {
    mode: 0o755,
  });
  const { events } = await play(shell("", { command: ["./agent.sh"], cwd: folder.path }));
  assert.equal(textIn(events), "done\n");
});

test("[COMMAND-4] a program may tell what its turn has cost so far", async () => {
  const lines = [
    '{"type":"usage","inputTokens":5,"outputTokens":6,"cost":0.02}',
    '{"type":"usage","inputTokens":7,"outputTokens":8}',
    '{"type":"usage","inputTokens":9,"outputTokens":8,"cost":0.05}',
  ];
  const { events } = await play(shell("cat"), {}, { prompt: lines.join("\n") });
  const costs = events.flatMap((event) => (event.type === "usage" ? [event.usage.cost] : []));
  assert.deepEqual(costs, [0.02, 0.02, 0.05, 0.05]);
  const odd = '{"type":"usage","inputTokens":5,"outputTokens":6,"cost":-1}';
  const told = await play(shell("cat"), {}, { prompt: odd });
  assert.equal(textIn(told.events), odd);
});
