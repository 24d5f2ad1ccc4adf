/** The files of all seven programs as they keep them, beside real processes. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { identityOf } from "../../confinement/process-tree.ts";
import { clock } from "../../platform/system-clock.ts";
import { createFinders, RUNNING_PATTERNS } from "./program-finders.ts";
import { createFindRunning, isOfAgents } from "./running-programs.ts";
import type { RunningProcess, SeenSession } from "./seen-session.ts";
import { openProgramProcess } from "./testing/program-process.ts";
import { readRecording } from "./testing/recordings.ts";
import { createTranscriptFinder } from "./transcript-finder.ts";
import { foldCodexLine } from "./transcripts/codex.ts";

const skip = process.platform === "linux" ? false : "reads /proc";

interface Stage extends AsyncDisposable {
  readonly home: string;
  /** Where the sessions work. */
  readonly project: string;
  look(program: string): Promise<readonly SeenSession[]>;
  write(path: string, text: string): Promise<string>;
}

async function openStage(now = (): number => clock.now()): Promise<Stage> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "atrium-sight-")));
  const project = join(home, "shop");
  await mkdir(project);
  const watch = { now };
  const env = new Map([["HOME", home]]);
  const finders = createFinders({
    identityOf,
    isOfAgents,
    clock: watch,
    readEnv: (name) => env.get(name),
  });
  const findRunning = createFindRunning(RUNNING_PATTERNS, watch);
  return {
    home,
    project,
    look: (program) => finders.get(program)!.look(() => findRunning().get(program) ?? []),
    async write(path, text) {
      const file = join(home, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    },
    async [Symbol.asyncDispose]() {
      for (const finder of finders.values()) finder.close?.();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** As recorded, but of this folder. */
const recorded = (name: string, { project }: Stage): string =>
  readRecording(name).replaceAll("/home/ann/shop", project);
const withoutEnd = (text: string): string => text.trimEnd().split("\n").slice(0, -1).join("\n");

function told(session: SeenSession | undefined): unknown {
  const { folder, branch, model, activity, tool, process } = session ?? {};
  return { folder, branch, model, activity, tool: tool?.name ?? null, process };
}

/** As the programs name the folder of a project. */
const nameOf = (folder: string): string => folder.replaceAll(/[^a-zA-Z0-9]/g, "-");

interface Registered {
  readonly pid: number;
  readonly procStart: string;
  readonly status?: string;
}

function registered(name: string, stage: Stage, fields: Registered): string {
  return JSON.stringify({ ...JSON.parse(recorded(name, stage)), ...fields });
}

test("[SIGHT-4] Claude Code is found by its list and its transcript", { skip }, async () => {
  await using stage = await openStage();
  await using claude = await openProgramProcess("claude", stage.project);
  const [, procStart = ""] = claude.identity.split(":");
  const ours = { pid: claude.pid, procStart };
  const file = `.claude/sessions/${claude.pid}.json`;
  await stage.write(file, registered("claude-registry.json", stage, { ...ours, status: "idle" }));
  const [early] = await stage.look("claude-code");
  assert.deepEqual(told(early), {
    folder: stage.project,
    branch: null,
    model: null,
    activity: "idle",
    tool: null,
    process: claude.identity,
  });
  const transcript = recorded("claude-code.jsonl", stage).split("\n").slice(0, 10).join("\n");
  await stage.write(
    `.claude/projects/${nameOf(stage.project)}/26f07f03-0193-4ab1-8989-3a62caec5a6b.jsonl`,
    `${transcript}\n`,
  );
  await stage.write(file, registered("claude-registry.json", stage, { ...ours, status: "busy" }));
  const [busy] = await stage.look("claude-code");
  assert.deepEqual(told(busy), {
    folder: stage.project,
    branch: null,
    model: "claude-opus-5-5",
    activity: "working",
    tool: "Bash",
    process: claude.identity,
  });
  const asks = { ...ours, status: "waiting" };
  await stage.write(file, registered("claude-registry.json", stage, asks));
  assert.equal((await stage.look("claude-code"))[0]?.activity, "waiting");
  await claude.kill();
  assert.deepEqual(await stage.look("claude-code"), []);
});

test(
  "[SIGHT-6] a file that was left behind, or that another process has by now, is no session",
  { skip },
  async () => {
    await using stage = await openStage();
    await using claude = await openProgramProcess("claude", stage.project);
    const [, procStart = ""] = claude.identity.split(":");
    const write = (fields: object): Promise<string> =>
      stage.write(
        `.claude/sessions/${claude.pid}.json`,
        JSON.stringify({ pid: claude.pid, procStart, sessionId: "s-1", ...fields }),
      );
    await write({});
    assert.equal((await stage.look("claude-code")).length, 1);
    for (const fields of [
      { procStart: "1" },
      { procStart: undefined },
      { pid: 1 },
      { pid: -1 },
      { spare: true },
      { sessionId: "../../secret" },
      { sessionId: 7 },
    ]) {
      await write(fields);
      assert.deepEqual(await stage.look("claude-code"), [], JSON.stringify(fields));
    }
    await stage.write(`.claude/sessions/${claude.pid}.json`, '{"pid":');
    await stage.write(".claude/sessions/7.json", "x".repeat(100_000));
    await mkdir(join(stage.home, ".claude/sessions/8.json"));
    await symlink("/etc/passwd", join(stage.home, ".claude/sessions/9.json"));
    assert.deepEqual(await stage.look("claude-code"), []);
  },
);

test("[SIGHT-6] sessions that Atrium started are not seen", { skip }, async () => {
  await using stage = await openStage();
  for (const variable of ["ATRIUM_AGENT", "SYNTHESIS_CLAUDE_SESSION"]) {
    await using claude = await openProgramProcess("claude", stage.project, { [variable]: "x" });
    const [, procStart = ""] = claude.identity.split(":");
    const fields = { pid: claude.pid, procStart, sessionId: "s-1" };
    await stage.write(`.claude/sessions/${claude.pid}.json`, JSON.stringify(fields));
    assert.deepEqual(await stage.look("claude-code"), []);
    await using codex = await openProgramProcess("codex", stage.project, { [variable]: "x" });
    assert.notEqual(codex.identity, "");
    await stage.write(".codex/sessions/2026/11/18/rollout-a.jsonl", recorded("codex.jsonl", stage));
    assert.deepEqual(await stage.look("codex"), []);
  }
});

test("[SIGHT-4] Qwen Code is found by its list and its transcript", { skip }, async () => {
  await using stage = await openStage();
  await using qwen = await openProgramProcess("qwen", stage.project);
  const procStart = `boot-id:${qwen.identity.split(":")[1]}`;
  const fields = { pid: qwen.pid, procStart, sessionId: "5f9dc91c-4578-4caa-a78c-1150fc98cbe1" };
  await stage.write(
    `.qwen/sessions/${qwen.pid}.json`,
    registered("qwen-registry.json", stage, fields),
  );
  await stage.write(
    `.qwen/projects/-shop/chats/${fields.sessionId}.jsonl`,
    recorded("qwen.jsonl", stage),
  );
  assert.deepEqual((await stage.look("qwen")).map(told), [
    {
      folder: stage.project,
      branch: "tides",
      model: "fake-model",
      activity: "idle",
      tool: null,
      process: qwen.identity,
    },
  ]);
});

test("[SIGHT-6] Codex is seen while a Codex runs in its folder", { skip }, async () => {
  await using stage = await openStage();
  const rollout = ".codex/sessions/2026/11/18/rollout-2026-11-18T16-10-25-a.jsonl";
  await stage.write(rollout, withoutEnd(recorded("codex.jsonl", stage)));
  assert.deepEqual(await stage.look("codex"), []);
  await using elsewhere = await openProgramProcess("codex", stage.home);
  assert.notEqual(elsewhere.identity, "");
  assert.deepEqual(await stage.look("codex"), []);
  await using codex = await openProgramProcess("/usr/bin/codex", stage.project);
  await stage.write(rollout, `${withoutEnd(recorded("codex.jsonl", stage))}\n`);
  const seen = {
    folder: stage.project,
    branch: "tides",
    model: "fake-model",
    activity: "working",
    tool: null,
    process: codex.identity,
  };
  assert.deepEqual((await stage.look("codex")).map(told), [seen]);
  // One process is one session: the one that was written last.
  const older = recorded("codex.jsonl", stage).replaceAll("01a1ef6c-757c", "01a1ef6c-0000");
  const path = await stage.write(".codex/sessions/2026/11/17/rollout-old.jsonl", older);
  const past = new Date(clock.now() - 1_000);
  await utimes(path, past, past);
  await using another = await openProgramProcess("codex", join(stage.home, ".codex"));
  assert.deepEqual((await stage.look("codex")).map(told), [seen]);
  await another.kill();
  await codex.kill();
  assert.deepEqual(await stage.look("codex"), []);
});

test(
  "[SIGHT-6] what was written before the process began is of another session",
  { skip },
  async () => {
    await using stage = await openStage();
    const text = withoutEnd(recorded("codex.jsonl", stage));
    const path = await stage.write(".codex/sessions/2026/11/18/rollout-a.jsonl", text);
    const past = new Date(clock.now() - 60_000);
    await utimes(path, past, past);
    await using codex = await openProgramProcess("codex", stage.project);
    assert.notEqual(codex.identity, "");
    assert.deepEqual(await stage.look("codex"), []);
  },
);

test(
  "[SIGHT-7] a transcript that is quiet for ten minutes is of nobody who works",
  { skip },
  async () => {
    let later = 0;
    await using stage = await openStage(() => clock.now() + later);
    await using codex = await openProgramProcess("codex", stage.project);
    assert.notEqual(codex.identity, "");
    await stage.write(
      ".codex/sessions/2026/11/18/rollout-a.jsonl",
      `${withoutEnd(recorded("codex.jsonl", stage))}\n`,
    );
    const [working] = await stage.look("codex");
    assert.equal(working?.activity, "working");
    later = 11 * 60_000;
    const [quiet] = await stage.look("codex");
    assert.equal(quiet?.activity, "idle");
    assert.equal(quiet.heardAt, working.heardAt);
  },
);

test("[SIGHT-6] each process has a transcript of its own, written since it was started", async () => {
  await using stage = await openStage();
  const now = clock.now();
  const root = join(stage.home, ".codex");
  const finder = createTranscriptFinder(
    {
      root,
      fold: foldCodexLine,
      list: async () => ["a", "b"].map((name) => ({ path: join(root, `${name}.jsonl`) })),
    },
    clock,
  );
  const text = withoutEnd(recorded("codex.jsonl", stage));
  const write = async (name: string, at: number): Promise<void> => {
    const path = await stage.write(
      `.codex/${name}.jsonl`,
      `${text.replaceAll("01a1ef6c", name)}\n`,
    );
    await utimes(path, new Date(at), new Date(at));
  };
  const processAt = (pid: number, startedAt: number): RunningProcess => ({
    pid,
    pids: [pid],
    identity: `${pid}:1`,
    folder: stage.project,
    startedAt,
  });
  const early = processAt(1, now - 300_000);
  const late = processAt(2, now - 60_000);
  const look = async (...all: readonly RunningProcess[]): Promise<readonly string[]> =>
    (await finder.look(() => all)).map(({ sessionId, process }) => `${process} ${sessionId}`);
  await write("a", now - 120_000);
  assert.deepEqual(await look(early, late), ["1:1 a-757c-7a60-8967-104d23fe77d1"]);
  await write("b", now - 30_000);
  assert.deepEqual(await look(early, late), [
    "2:1 b-757c-7a60-8967-104d23fe77d1",
    "1:1 a-757c-7a60-8967-104d23fe77d1",
  ]);
  assert.deepEqual(await look(late), ["2:1 b-757c-7a60-8967-104d23fe77d1"]);
});

test("[SIGHT-4] Copilot CLI is found by its events until it ends", { skip }, async () => {
  await using stage = await openStage();
  await using copilot = await openProgramProcess("copilot", stage.project);
  const events = recorded("copilot.jsonl", stage);
  const path = ".copilot/session-state/d109cad2/events.jsonl";
  await stage.write(path, `${withoutEnd(events)}\n`);
  assert.deepEqual((await stage.look("copilot")).map(told), [
    {
      folder: stage.project,
      branch: "tides",
      model: "fake-model",
      activity: "idle",
      tool: null,
      process: copilot.identity,
    },
  ]);
  await stage.write(path, events);
  assert.deepEqual(await stage.look("copilot"), []);
});

test("[SIGHT-4] Gemini CLI is found by its chats and its list of folders", { skip }, async () => {
  await using stage = await openStage();
  await using gemini = await openProgramProcess("gemini", stage.project);
  const projects = { [stage.project]: "shop", ["__proto__"]: "x", "/a": "../..", "/b": 7 };
  await stage.write(".gemini/projects.json", JSON.stringify({ projects }));
  await stage.write(".gemini/tmp/shop/chats/session-a.jsonl", recorded("gemini.jsonl", stage));
  assert.deepEqual((await stage.look("gemini")).map(told), [
    {
      folder: stage.project,
      branch: null,
      model: "gemini-3.8-flash",
      activity: "idle",
      tool: null,
      process: gemini.identity,
    },
  ]);
});

const OPENCODE_TABLES = `
  CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, model text,
    time_created integer NOT NULL, time_updated integer NOT NULL);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);`;

test(
  "[SIGHT-4] opencode is found in its database, which others write meanwhile",
  { skip },
  async () => {
    await using stage = await openStage();
    const file = await stage.write(".local/share/opencode/opencode.db", "");
    await using opencode = await openProgramProcess("opencode", stage.project);
    assert.deepEqual(await stage.look("opencode"), []);
    using database = new DatabaseSync(file);
    database.exec(`PRAGMA journal_mode = WAL; ${OPENCODE_TABLES}`);
    const now = clock.now();
    const model = JSON.stringify({ id: "fake-model", providerID: "fake" });
    const session = database.prepare("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)");
    session.run("ses_1", null, stage.project, model, now, now);
    session.run("ses_2", "ses_1", stage.project, model, now, now + 1);
    const message = database.prepare("INSERT INTO message VALUES (?, 'ses_1', ?, ?, ?)");
    message.run("msg_1", now, now, JSON.stringify({ role: "user", time: { created: now } }));
    message.run(
      "msg_2",
      now + 1,
      now + 1,
      JSON.stringify({ role: "assistant", modelID: "fake-model", time: { created: now } }),
    );
    const part = database.prepare("INSERT INTO part VALUES (?, 'msg_2', 'ses_1', ?, ?, ?)");
    const input = { command: "sleep 3; echo hi", description: "mk" };
    const use = { type: "tool", tool: "bash", state: { status: "running", input } };
    part.run("prt_1", now, now, JSON.stringify(use));
    part.run("prt_2", now, now, "{garbage");
    const seen = {
      folder: stage.project,
      branch: null,
      model: "fake-model",
      activity: "working",
      tool: "bash",
      process: opencode.identity,
    };
    assert.deepEqual((await stage.look("opencode")).map(told), [seen]);
    message.run(
      "msg_3",
      now + 2,
      now + 2,
      JSON.stringify({ role: "assistant", finish: "stop", time: { created: now, completed: now } }),
    );
    assert.deepEqual((await stage.look("opencode")).map(told), [
      { ...seen, activity: "idle", tool: null },
    ]);
  },
);

test("[SIGHT-5] what is no database of opencode's is passed over", { skip }, async () => {
  await using stage = await openStage();
  await using opencode = await openProgramProcess("opencode", stage.project);
  assert.notEqual(opencode.identity, "");
  await stage.write(".local/share/opencode/opencode.db", "no database".repeat(1_000));
  assert.deepEqual(await stage.look("opencode"), []);
  assert.deepEqual(await stage.look("opencode"), []);
});

test("[SIGHT-4] Cline is found by its files, which it rewrites", { skip }, async () => {
  await using stage = await openStage();
  await using cline = await openProgramProcess("cline", stage.project);
  const about = JSON.parse(recorded("cline.json", stage));
  const folder = ".cline/data/sessions/1795018216488_a762z/1795018216488_a762z";
  const write = (fields: object): Promise<string> =>
    stage.write(`${folder}.json`, JSON.stringify({ ...about, pid: cline.pid, ...fields }));
  await write({});
  assert.deepEqual(await stage.look("cline"), []);
  await write({ status: "running", interactive: true });
  const seen = {
    folder: stage.project,
    branch: "tides",
    model: "fake-model",
    activity: "idle",
    tool: null,
    process: cline.identity,
  };
  await stage.write(`${folder}.messages.json`, recorded("cline.messages.json", stage));
  assert.deepEqual((await stage.look("cline")).map(told), [seen]);
  const { messages } = JSON.parse(recorded("cline.messages.json", stage));
  const updated = { messages: messages.slice(0, 2), updated_at: new Date().toISOString() };
  await stage.write(`${folder}.messages.json`, JSON.stringify(updated));
  assert.deepEqual((await stage.look("cline")).map(told), [
    { ...seen, activity: "working", tool: "run_commands" },
  ]);
  await stage.write(`${folder}.messages.json`, `{"messages": [${"[".repeat(10_000)}`);
  assert.equal((await stage.look("cline")).length, 1);
  await write({ status: "running", pid: process.pid });
  assert.deepEqual(await stage.look("cline"), []);
});
