/** Builds with everything real but time and the agent, which writes what the test says. */
import { createHash } from "node:crypto";
import {
  BUILT_IN_CREW,
  createBuilds,
  createRepositories,
  type BatchListener,
  type BuildRow,
  type Builds,
} from "@atrium/core";
import { createTestIds } from "@atrium/core/testing";
import { openMemoryLog, type Log } from "@atrium/log";
import { BUILD_STEPS, type BuildEvent } from "@atrium/wire/build";
import type { TurnEvent, TurnHost } from "../../agents/turn/agent-runtime.ts";
import { createDeadlines } from "../../reactions/deadlines.ts";
import { createRepositoryCatalog } from "../../repositories/repository-catalog.ts";
import { openStage, untilStopped, type Play, type Stage } from "../../runs/testing/stage.ts";
import { BuildChecks, type CheckBuild } from "../build-checks.ts";
import { createBuildCommands, type BuildCommands } from "../build-commands.ts";
import { BuildDirector } from "../build-director.ts";
import { createBuildRuntime } from "../build-runtime.ts";
import { createReadBuilds, type ReadBuilds } from "../read-builds.ts";

export interface BuildStage extends AsyncDisposable {
  readonly stage: Stage;
  readonly builds: Builds;
  readonly read: ReadBuilds;
  readonly commands: BuildCommands;
  readonly conductor: BuildDirector;
  start(prompt: string, repository?: string): Promise<string>;
  /** Resolves when the build has come that far. */
  reached(id: string, isThere: (row: BuildRow) => boolean): Promise<BuildRow>;
  eventsOf(id: string): Promise<readonly BuildEvent[]>;
  whys(id: string): Promise<readonly string[]>;
}

const REPOSITORIES = [
  { id: "shop", path: "/shop" },
  { id: "checked", path: "/shop", checks: [{ name: "test", command: ["true"], required: true }] },
];

export const SILENCE_MS = 45_000;
export const SKILL = "How to build.";

const NO_CHECKS: CheckBuild = () => Promise.reject(new Error("there are no checks here"));

export async function openBuildStage(
  play: Play,
  log?: Log,
  checkBuild = NO_CHECKS,
): Promise<BuildStage> {
  const builds = createBuilds();
  const memory = log ?? openMemoryLog();
  const read = createReadBuilds(memory, builds);
  const stage = await openStage(play, {
    log: memory,
    folds: [builds],
    around: (played, dispatch) =>
      createBuildRuntime(played, {
        dispatch,
        builds,
        history: (id, until) => read.history(id, until),
        skill: SKILL,
      }),
  });
  const { dispatch, time, projections } = stage;
  const deadlines = createDeadlines({
    clock: time,
    timers: time.timers,
    report: (name, cause) => {
      throw new Error(name, { cause });
    },
  });
  const sleep = () => new Promise<void>((resolve) => void setImmediate(resolve));
  const report = (fault: Error): never => {
    throw fault;
  };
  const checks = new BuildChecks({ checkBuild, dispatch, sleep, report });
  const conductor = new BuildDirector({
    dispatch,
    checks,
    builds,
    intake: stage.intake,
    runs: stage.reports,
    crew: BUILT_IN_CREW,
    deadlines,
    silenceMs: SILENCE_MS,
    now: () => time.now(),
    sleep,
    report,
  });
  const waiting = new Set<() => void>();
  const onBatch: BatchListener = (entries) => {
    conductor.onBatch(entries);
    for (const look of waiting) look();
  };
  projections.onBatch(onBatch);
  const commands = createBuildCommands({
    dispatch,
    crew: BUILT_IN_CREW,
    repositories: createRepositoryCatalog(REPOSITORIES, createRepositories()),
    ids: createTestIds("b"),
    idOf: (name) => createHash("sha256").update(name).digest("hex"),
    // Its agents ask by events only.
    answerWait: async () => undefined,
  });
  return {
    stage,
    builds,
    read,
    commands,
    conductor,
    async start(prompt, repository) {
      const started = await commands.start({ prompt, agent: undefined, repository });
      if (!started.ok) throw new Error(started.code);
      return started.value.id;
    },
    reached(id, isThere) {
      const { promise, resolve } = Promise.withResolvers<BuildRow>();
      const look = (): void => {
        const row = builds.get(id);
        if (row === undefined || !isThere(row)) return;
        waiting.delete(look);
        resolve(row);
      };
      waiting.add(look);
      look();
      return promise;
    },
    eventsOf: (id) => Array.fromAsync(read.eventsAfter(id, 0)),
    whys: async (id) => (await read.oddities(id)).map(({ event }) => event.why),
    async [Symbol.asyncDispose]() {
      checks.close();
      conductor.close();
      deadlines.close();
      await stage[Symbol.asyncDispose]();
      if (log === undefined) await memory.close();
    },
  };
}

/** One event as an agent writes it. */
export function line(type: string, payload: object = {}): string {
  return `${JSON.stringify({ type, payload: { ...payload, source: "agent" } })}\n`;
}

export const isOver = ({ build: { stage } }: BuildRow): boolean =>
  stage !== "working" && stage !== "waiting";
export const isWaiting = ({ build: { stage } }: BuildRow): boolean => stage === "waiting";

export const ANN = { id: "a", name: "Ann", via: "test" };

export const RUNNING = line("status.changed", { status: "running" });

export const END =
  line("status.changed", { status: "complete", output: "A bot." }) + line("session.completed");

export const step = (id: string): string =>
  line("progress.step.started", { step_id: id }) + line("progress.step.completed", { step_id: id });

export const STEPS = BUILD_STEPS.map(({ id }) => step(id)).join("");

export const ASK = line("question.requested", {
  question_id: "name",
  prompt: "Which name?",
  input: "text",
});

export const types = (events: readonly { readonly type: string }[]): readonly string[] =>
  events.map(({ type }) => type);

export async function* hangs(text: string, host: TurnHost): AsyncGenerator<TurnEvent> {
  yield { type: "text", delta: text };
  await untilStopped(host);
  yield { type: "completed", stopReason: "aborted" };
}
