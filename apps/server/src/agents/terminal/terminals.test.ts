import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposableSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { accept, refuse, type Outcome } from "@atrium/core";
import { identityOf } from "../../confinement/process-tree.ts";
import { systemTimers } from "../../platform/timers.ts";
import { createTestHost, type TestHost } from "../testing/test-host.ts";
import { turnOf as promptOf } from "../testing/turns.ts";
import type { AgentRuntime, Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { ABORTED } from "../turn/turn-ends.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import type { OpenedTerminal } from "./attended-turn.ts";
import { terminalProgram } from "./terminal-program.ts";
import { Terminals } from "./terminals.ts";

const KEY = "agent:main:desk";
const STOP: TurnEvent = { type: "completed", stopReason: "stop" };
const PROGRAM = { command: ["/bin/agent", "resume"], cwd: "/work", env: {}, variables: ["KEY"] };

function turnOf(runId: string, prompt = "Paint"): Turn {
  return promptOf(prompt, { runId, conversation: { key: KEY, sessionId: "s1" } });
}

/** Works until it is stopped, unless it is told that somebody gave the session back. */
class Painter {
  readonly prompts: string[] = [];
  readonly sessions: (string | undefined)[] = [];
  release: (() => Promise<typeof PROGRAM | string>) | undefined = async () => PROGRAM;
  isReleasable: AgentRuntime["isReleasable"] = async () => true;

  get runtime(): AgentRuntime {
    const { release, isReleasable } = this;
    return {
      ...(isReleasable !== undefined && { isReleasable }),
      name: "painter",
      type: "painter",
      model: { provider: "none", id: "none", contextTokens: 1 },
      start: (turn, host) => this.#start(turn, host),
      ...(release !== undefined && { releaseToTerminal: () => this.release?.() ?? release() }),
    };
  }

  async *#start(
    { prompt, session }: Turn,
    { signal, ...host }: TurnHost,
  ): AsyncGenerator<TurnEvent> {
    this.prompts.push(prompt);
    this.sessions.push(session);
    yield { type: "session", id: "painting" };
    yield { type: "usage", usage: { inputTokens: 2, outputTokens: 1 } };
    if (prompt === "Paint") {
      await host.requestPermission({ tool: "brush", input: "red" }, signal).catch(() => "expired");
      await untilAborted(signal, new Promise(() => undefined)).catch(() => undefined);
      return yield ABORTED;
    }
    yield { type: "text", delta: "Painted." };
    yield STOP;
  }
}

interface Stage extends AsyncDisposable {
  readonly folder: string;
  readonly painter: Painter;
  readonly terminals: Terminals;
  readonly held: string[];
  readonly begun: string[];
  /** What a server that was started again has. */
  again(): Terminals;
  person(): Promise<ChildProcess>;
}

function openStage(onBegin: (runId: string) => Outcome<unknown> = () => accept(null)): Stage {
  const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-terminals-"));
  const held: string[] = [];
  const begun: string[] = [];
  const people: ChildProcess[] = [];
  const all: Terminals[] = [];
  let ids = 0;
  const again = (): Terminals => {
    const terminals = new Terminals({
      folder: join(folder.path, "terminals"),
      identityOf,
      timers: systemTimers,
      newId: () => `t${++ids}`,
      now: () => Date.now(),
      holdClock: (runId, waiting) => {
        held.push(runId);
        return waiting;
      },
      keyOf: (target) => (target === "desk" ? KEY : target),
      beginTurn: async (target, runId) => {
        begun.push(target);
        return onBegin(runId);
      },
      stopTurn: async () => undefined,
    });
    all.push(terminals);
    return terminals;
  };
  return {
    folder: folder.path,
    painter: new Painter(),
    terminals: again(),
    held,
    begun,
    again,
    async person() {
      const child = spawn("sleep", ["600"], { stdio: "ignore" });
      people.push(child);
      await once(child, "spawn");
      return child;
    },
    async [Symbol.asyncDispose]() {
      for (const child of people) child.kill("SIGKILL");
      for (const each of all) each[Symbol.dispose]();
      folder.remove();
    },
  };
}

interface Play {
  readonly events: TurnEvent[];
  readonly ended: Promise<void>;
  /** Resolves once such an event has come. */
  until(type: TurnEvent["type"], count?: number): Promise<void>;
}

function play(terminals: Terminals, painter: Painter, turn: Turn, host: TurnHost): Play {
  const events: TurnEvent[] = [];
  let wake = Promise.withResolvers<void>();
  const take = async (): Promise<void> => {
    for await (const event of terminals.attend(painter.runtime).start(turn, host)) {
      events.push(event);
      wake.resolve();
    }
  };
  const ended = take();
  return {
    events,
    ended,
    async until(type, count = 1) {
      while (events.filter((event) => event.type === type).length < count) {
        wake = Promise.withResolvers<void>();
        await wake.promise;
      }
    },
  };
}

async function taken(outcome: Promise<Outcome<OpenedTerminal>>): Promise<OpenedTerminal> {
  const done = await outcome;
  if (!done.ok) throw new Error(`${done.code}: ${done.detail}`);
  return done.value;
}

const typesOf = ({ events }: Play): string[] => events.map(({ type }) => type);

test("[TERMINAL-1] [TERMINAL-2] a session is taken in the middle of a turn, and the agent goes on when it is given back", async () => {
  await using stage = openStage();
  const { painter, terminals } = stage;
  const withdrawn: boolean[] = [];
  const host = createTestHost({
    requestPermission: (_, signal) =>
      untilAborted(signal!, new Promise<never>(() => undefined)).finally(() =>
        withdrawn.push(signal?.aborted === true),
      ),
  });
  const turn = play(terminals, painter, turnOf("r1"), host);
  await turn.until("usage");
  const ann = await stage.person();
  const opened = await taken(terminals.take("r1", { by: "ann", pid: ann.pid! }));
  assert.deepEqual(opened, { ...PROGRAM, runId: "r1" });
  assert.deepEqual(withdrawn, [true]);
  await turn.until("tool.called");
  assert.deepEqual(
    turn.events.find(({ type }) => type === "tool.called"),
    {
      type: "tool.called",
      id: "terminal_t1_r1",
      name: "terminal",
      input: { by: "ann" },
    },
  );
  assert.deepEqual(painter.prompts, ["Paint"]);
  ann.kill("SIGKILL");
  await turn.ended;
  assert.match(painter.prompts[1] ?? "", /^ann took this session into a terminal/);
  assert.deepEqual(painter.sessions, [undefined, "painting"]);
  assert.deepEqual(
    turn.events.findLast(({ type }) => type === "usage"),
    {
      type: "usage",
      usage: { inputTokens: 4, outputTokens: 2 },
    },
  );
  assert.deepEqual(turn.events.at(-1), STOP);
  assert.equal(turn.events.filter(({ type }) => type === "completed").length, 1);
  assert.deepEqual(readdirSync(join(stage.folder, "terminals")), []);
});

test("[TERMINAL-3] a turn of a session that is in a terminal waits, also in another life of the server, and its clock stands still", async () => {
  await using stage = openStage();
  const { painter, terminals } = stage;
  const first = play(terminals, painter, turnOf("r1"), createTestHost());
  await first.until("usage");
  const ann = await stage.person();
  await taken(terminals.take("desk", { by: "ann", pid: ann.pid! }));
  // The server was killed: nothing of the first turn goes on.
  terminals[Symbol.dispose]();
  const second = play(stage.again(), painter, turnOf("r2", "Frame it"), createTestHost());
  await second.until("progress");
  assert.deepEqual(painter.prompts, ["Paint"]);
  assert.deepEqual(stage.held, ["r1", "r2"]);
  ann.kill("SIGKILL");
  await second.ended;
  assert.deepEqual(painter.prompts, ["Paint", "Frame it"]);
  assert.deepEqual(second.events.at(-1), STOP);
});

test("[TERMINAL-3] what a crash left half written, or a dead process holds, keeps no turn", async () => {
  await using stage = openStage();
  const { painter, terminals } = stage;
  const first = play(terminals, painter, turnOf("r1"), createTestHost());
  await first.until("usage");
  const ann = await stage.person();
  await taken(terminals.take("r1", { by: "ann", pid: ann.pid! }));
  terminals[Symbol.dispose]();
  ann.kill("SIGKILL");
  await once(ann, "exit");
  writeFileSync(join(stage.folder, "terminals", "half.json"), '{"id":"half","key"');
  writeFileSync(join(stage.folder, "terminals", "other.json"), '{"id":"../x"}');
  const second = play(stage.again(), painter, turnOf("r2", "Frame it"), createTestHost());
  await second.ended;
  assert.deepEqual(painter.prompts, ["Paint", "Frame it"]);
  assert.deepEqual(readdirSync(join(stage.folder, "terminals")), []);
});

test("[TERMINAL-4] a conversation without a turn is taken by one that does nothing else", async () => {
  const plays: Play[] = [];
  await using stage = openStage((runId) => {
    plays.push(play(stage.terminals, stage.painter, turnOf(runId), createTestHost()));
    return accept(null);
  });
  const ann = await stage.person();
  const opened = await taken(stage.terminals.take("desk", { by: "ann", pid: ann.pid! }));
  assert.equal(opened.runId, "t1");
  assert.deepEqual(stage.begun, ["desk"]);
  ann.kill("SIGKILL");
  await plays[0]?.ended;
  assert.deepEqual(stage.painter.prompts, []);
  assert.deepEqual(typesOf(plays[0]!), ["tool.called", "progress", "tool.returned", "completed"]);
});

test("[TERMINAL-5] what cannot be taken is refused, and a turn that was stopped for it goes on", async () => {
  await using stage = openStage(() => refuse("run.settled", "nobody works on it"));
  const { painter, terminals } = stage;
  const ann = await stage.person();
  const by = { by: "ann", pid: ann.pid! };
  const codeOf = async (target: string, who = by): Promise<string> => {
    const outcome = await terminals.take(target, who);
    return outcome.ok ? "taken" : outcome.code;
  };
  assert.equal(await codeOf("task_1"), "run.settled");
  assert.equal(await codeOf("__proto__"), "run.settled");
  const turn = play(terminals, painter, turnOf("r1"), createTestHost());
  await turn.until("usage");
  assert.equal(await codeOf("r1", { by: "ann", pid: 2 ** 22 + 1 }), "params.invalid");
  painter.release = async () => "It is asleep.";
  assert.equal(await codeOf("r1"), "terminal.unavailable");
  await turn.ended;
  assert.match(painter.prompts[1] ?? "", /Go on where you stopped/);
  assert.deepEqual(turn.events.at(-1), STOP);
  painter.release = undefined;
  const other = createTestHost();
  const without = play(terminals, painter, turnOf("r0"), other);
  await without.until("usage");
  assert.equal(await codeOf("r0"), "terminal.unavailable");
  assert.deepEqual(typesOf(without), ["session", "usage"]);
  other.abort();
  await without.ended;
  painter.release = async () => PROGRAM;
  const next = play(terminals, painter, turnOf("r2"), createTestHost());
  await next.until("usage");
  assert.equal(await codeOf("r2"), "taken");
  assert.equal(await codeOf("r2"), "terminal.busy");
});

test("[JOIN-67] what to take for an agent's session is known while it can be taken, and has no characters of a shell", async () => {
  await using stage = openStage();
  const { painter, terminals } = stage;
  const changes: (string | undefined)[] = [];
  terminals.onChange(() => changes.push(terminals.targetOf("agent_eng_1")));
  const turn = play(terminals, painter, turnOf("r1"), createTestHost());
  await turn.until("usage");
  assert.equal(terminals.targetOf("agent_eng_1"), KEY);
  assert.equal(terminals.targetOf("agent_eng_2"), undefined);
  const ann = await stage.person();
  await taken(terminals.take(KEY, { by: "ann", pid: ann.pid! }));
  await turn.until("progress");
  assert.equal(terminals.targetOf("agent_eng_1"), undefined, "someone has it");
  ann.kill("SIGKILL");
  await turn.ended;
  assert.deepEqual(changes.slice(0, 2), [KEY, undefined]);
  assert.equal(changes.at(-1), undefined);
  const targetDuring = async (runId: string, key: string): Promise<string | undefined> => {
    const host = createTestHost();
    const conversation = { key, sessionId: "s2" };
    const other = play(terminals, painter, promptOf("Paint", { runId, conversation }), host);
    await other.until("usage");
    const target = terminals.targetOf("agent_eng_1");
    host.abort();
    await other.ended;
    return target;
  };
  assert.equal(await targetDuring("r2", "agent:main:task:task_1"), "task_1");
  assert.equal(await targetDuring("r3", "agent:main:$(id)"), "r3");
  assert.equal(await targetDuring("r4;id", "agent:main:`id`"), undefined);
  assert.equal(await targetDuring("r5", "agent:main:build:b1"), undefined, "builds are not taken");
  painter.isReleasable = () => false;
  assert.equal(await targetDuring("r6", KEY), undefined);
});

test("[TERMINAL-6] a terminal is told the places of sessions and the names of keys", async () => {
  const env = { PATH: "/nowhere", HOME: "/home/ann", CODEX_HOME: "/c", API_KEY: "sk-1", TERM: "x" };
  assert.deepEqual(await terminalProgram(["sh", "-c", "x"], "/work", env), {
    command: ["/usr/bin/sh", "-c", "x"],
    cwd: "/work",
    env: { HOME: "/home/ann", CODEX_HOME: "/c" },
    variables: ["API_KEY"],
  });
});

test("[TERMINAL-7] a run that is stopped ends at once, and its session stays in the terminal", async () => {
  await using stage = openStage();
  const { painter, terminals } = stage;
  const host: TestHost = createTestHost();
  const turn = play(terminals, painter, turnOf("r1"), host);
  await turn.until("usage");
  const ann = await stage.person();
  await taken(terminals.take("r1", { by: "ann", pid: ann.pid! }));
  await turn.until("progress");
  host.abort();
  await turn.ended;
  assert.deepEqual(turn.events.at(-1), ABORTED);
  const next = play(terminals, painter, turnOf("r2", "Frame it"), createTestHost());
  await next.until("progress");
  assert.equal(painter.prompts.length, 1);
  ann.kill("SIGKILL");
  await next.ended;
  assert.equal(painter.prompts.length, 2);
});
