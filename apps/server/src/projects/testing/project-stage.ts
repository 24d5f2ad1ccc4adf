/**
 * A whole office at work: log, folds, director and rehearsing agents are real; time is not. What would
 * come within a minute comes at once, what would take longer never does.
 */
import assert from "node:assert/strict";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import {
  BUILT_IN_CREW,
  cozyOffice,
  createApprovals,
  createConversations,
  createDispatch,
  createFloor,
  createOffice,
  createOfficeView,
  createProjects,
  createQuestions,
  createRuns,
  createWorkspaces,
  openProjections,
  project,
  refuse,
  startWalk,
  type Answerer,
  type Fault,
  type Outcome,
  type Project,
  type ProjectCommand,
  type ProjectEvent,
} from "@atrium/core";
import { createTestTime } from "@atrium/core/testing";
import { openMemoryLog, type Log } from "@atrium/log";
import { createRehearsal } from "../../agents/rehearsal/rehearsal.ts";
import type { AgentRuntime } from "../../agents/turn/agent-runtime.ts";
import { createHumanInput, type HumanInput } from "../../human-input/human-input.ts";
import type { Blobs } from "../../platform/blobs.ts";
import type { Timers } from "../../platform/timers.ts";
import { createSnapshotCursor } from "../../reactions/cursor.ts";
import { createDeadlines } from "../../reactions/deadlines.ts";
import { createLiveRuns } from "../../runs/live-runs.ts";
import { createRunDirector } from "../../runs/run-director.ts";
import { createTurnClocks } from "../../runs/turn-clocks.ts";
import { createTurnHumanInput } from "../../runs/turn-human-input.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import { createProjectDirector } from "../project-director.ts";
import { createProjectPrompts } from "../prompts/project-prompts.ts";
import { projectOfAsked } from "../rules/as-decision.ts";
import { createAgentWalks } from "../work/agent-walks.ts";
import { NO_CHANGES, NO_CHECKS } from "../work/changes.ts";
import { createForkedTalk } from "../work/forked-talk.ts";
import { openOffice } from "../work/open-office.ts";
import { homesOf } from "../work/places.ts";
import type { ProjectBudget } from "../work/project-budget.ts";
import { createWorkKeys } from "../work/work-keys.ts";

export const ann: Answerer = { id: "ann", name: "Ann", via: "world" };

export interface StageGoal {
  readonly agentId: string;
  readonly kind: string;
  readonly poiId: string | null;
  readonly arrivesAt: number;
}

export interface StageRun {
  readonly runId: string;
  readonly stream: string;
}

/** Of a rehearsal that plans three tasks for the usual request, none of which waits for another. */
export const SEED = 4;

export interface ProjectStage extends AsyncDisposable {
  readonly log: Log;
  readonly humanInput: HumanInput;
  readonly faults: readonly Fault[];
  readonly project: () => Project;
  readonly questions: () => readonly { readonly id: string; readonly text: string }[];
  readonly approvals: () => readonly { readonly id: string }[];
  submit(text: string): Promise<void>;
  tell(command: Omitted): Promise<Outcome<unknown>>;
  /** Resolves once this is so. */
  until(what: string, isSo: (project: Project) => boolean): Promise<void>;
  /** Names of what happened to the project, in order. */
  names(): Promise<readonly string[]>;
  events(): Promise<readonly ProjectEvent[]>;
  /** The runs of a kind of event, with the agent whose conversation they are in. */
  runs(type: `run.${string}`): Promise<readonly StageRun[]>;
  /** What happened in the office. */
  goals(): Promise<readonly StageGoal[]>;
  /** Resolves when everything that was received so far has been reacted to. */
  idle(): Promise<void>;
  /** From now on nothing happens by time alone. */
  holdTimers(): void;
  /** As if the process had been killed: nothing is settled. */
  kill(): void;
}

type Omitted = ProjectCommand extends infer Command
  ? Command extends ProjectCommand
    ? Omit<Command, "at">
    : never
  : never;

export interface ProjectStageOptions {
  readonly log?: Log;
  readonly blobs?: Blobs;
  readonly runtime?: AgentRuntime;
  readonly budget?: ProjectBudget;
  /** Whether the log is too busy for a command. */
  readonly isBusy?: (command: string) => boolean;
}

const ID = "proj_abc";
const SOON_MS = 60_000;
const MAX_TURNS = 200_000;

export function createStageBlobs(): Blobs {
  const kept: Uint8Array[] = [];
  return {
    put: (bytes) => Promise.resolve(`b${kept.push(bytes) - 1}`),
    get: (digest) => Promise.resolve(Buffer.from(kept[Number(digest.slice(1))] ?? [])),
  };
}

export async function openProjectStage(options: ProjectStageOptions = {}): Promise<ProjectStage> {
  const log = options.log ?? openMemoryLog();
  const clock = createTestTime(Date.now());
  const timers: Timers = {
    after(ms, run) {
      if (ms > SOON_MS || isHeld) return () => undefined;
      const soon = setImmediate(() => {
        clock.advance(ms);
        if (!isKilled) run();
      });
      return () => clearImmediate(soon);
    },
  };
  let isKilled = false;
  let isHeld = false;
  const faults: Fault[] = [];
  const report = (fault: Fault): void => void faults.push(fault);
  const floor = createFloor(cozyOffice);
  const folds = {
    conversations: createConversations(),
    runs: createRuns(),
    approvals: createApprovals(),
    questions: createQuestions(),
    projects: createProjects(),
    workspaces: createWorkspaces(),
    view: createOfficeView(floor),
  };
  const projections = await openProjections(log, Object.values(folds));
  const real = createDispatch({ log, clock, settled: projections.settled });
  // A process that was killed writes nothing more.
  const dispatch: typeof real = (aggregate, id, command, key) => {
    if (isKilled) return new Promise(() => undefined);
    const { type } = command as { readonly type: string };
    if (options.isBusy?.(type) === true) return Promise.resolve(refuse("log.busy"));
    return real(aggregate, id, command, key);
  };
  const office = createOffice([floor]);
  let count = log.head;
  const ids = { next: () => `id-${++count}` };
  const deadlines = createDeadlines({
    clock,
    timers,
    report: (name, cause) => assert.fail(`${name} ${String(cause)}`),
  });
  const humanInput = createHumanInput({
    ...folds,
    dispatch,
    clock,
    ids,
    random: (n) => count++ % n,
    deadlines,
    projectOf: ({ runId, conversationKey }) =>
      projectOfAsked(folds.projects, runId, conversationKey)?.project.projectId ?? null,
  });
  const blobs = options.blobs ?? createStageBlobs();
  const crew = BUILT_IN_CREW;
  const runtime = options.runtime ?? createRehearsal("rehearsal", { pace: 0, seed: SEED });
  const pace = {
    now: () => clock.now(),
    sleep: (_ms: number, signal: AbortSignal) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      }),
    after: () => () => undefined,
  };
  const clocks = createTurnClocks(pace);
  const director = createRunDirector({
    live: createLiveRuns(),
    log,
    dispatch,
    ...folds,
    crew,
    runtimeOf: () => runtime,
    policyOf: () => ({
      tools: createToolbox([]),
      budgets: { run: { tokens: 10_000_000 }, conversation: { tokens: 10_000_000 } },
      timeoutMs: 3_600_000,
    }),
    blobs,
    humanInput: createTurnHumanInput({
      humanInput,
      crew,
      clocks,
      limits: { answerTimeoutMs: 3_600_000 },
    }),
    clocks,
    limits: { maxTurns: 8, maxFileBytes: 1_000_000, maxFiles: 10, clientCallTimeoutMs: 600_000 },
    ids,
    ...pace,
    report,
  });
  const homeOf = homesOf(crew);
  const keys = createWorkKeys(crew);
  const place = { office, sceneId: cozyOffice.scene_id, dispatch, clock };
  const projectDirector = createProjectDirector({
    ...folds,
    log,
    cursor: createSnapshotCursor("project-director", log),
    dispatch,
    crew,
    isAway: () => false,
    intake: director.intake,
    live: director.live,
    inquiries: humanInput,
    blobs,
    changes: NO_CHANGES,
    checks: NO_CHECKS,
    walking: createAgentWalks({
      ...place,
      view: folds.view,
      speedMps: () => 1.2,
      viewerNear: () => undefined,
    }),
    meetingMs: () => 1_000,
    homeOf,
    keys,
    readForkedTalk: createForkedTalk({ log, keys, crew }),
    prompts: createProjectPrompts({
      crew,
      blobs,
      workspaces: folds.workspaces,
      repositories: { find: () => undefined },
      useWorkspaces: () => assert.fail("nothing here works on files"),
      timers,
      endOf: async (runId) => (await director.reports.get(runId))?.ended,
      note: (what) => assert.fail(what),
    }),
    budget: options.budget ?? { tokens: 1_000_000 },
    deadlines,
    timers,
    clock,
    sleep: () => turnOfLoop(),
    report,
  });
  for (const { onBatch } of [humanInput, director.reports, director, projectDirector]) {
    projections.onBatch(onBatch);
  }
  await humanInput.recover(() => false);
  await director.recover();
  await openOffice({ ...place, crew, homeOf });
  await projectDirector.recover();

  const tell: ProjectStage["tell"] = (command) =>
    dispatch(project, ID, { ...command, at: clock.now() });
  const current = (): Project => {
    const found = folds.projects.get(ID);
    assert.ok(found, "there is no project");
    return found;
  };
  const events = async (): Promise<readonly ProjectEvent[]> =>
    (await Array.fromAsync(log.read({ stream: `project/${ID}` }))).map((entry) =>
      project.read(entry),
    );

  return {
    log,
    humanInput,
    faults,
    project: current,
    questions: () =>
      folds.questions.listOpen().map(({ id, items }) => ({ id, text: items[0]?.text ?? "" })),
    approvals: () => folds.approvals.listOpen(),
    async submit(text) {
      const request = { title: text, text, constraints: {}, attachments: [], by: ann };
      const done = await tell({ type: "submit", projectId: ID, ...request });
      assert.ok(done.ok);
    },
    tell,
    async until(what, isSo) {
      for (let turn = 0; turn < MAX_TURNS; turn++) {
        const found = folds.projects.get(ID);
        if (found !== undefined && isSo(found)) return;
        await turnOfLoop();
      }
      const seen = (await events()).map(({ type }) => type).join(" ");
      assert.fail(`${what}: never; ${seen} ${JSON.stringify(folds.projects.get(ID)?.tasks)}`);
    },
    events,
    names: async () => (await events()).map(({ type }) => type.replace("project.", "")),
    async runs(type) {
      const entries = (await Array.fromAsync(log.read({}))).filter((entry) => entry.type === type);
      return entries.map(({ stream, data }) => ({ ...(data as { runId: string }), stream }));
    },
    async goals() {
      const entries = await Array.fromAsync(log.read({ stream: `office/${cozyOffice.scene_id}` }));
      return entries.flatMap((entry) => {
        const event = office.read(entry);
        if (event.type !== "agent.goal_set") return [];
        const { agentId, goal } = event;
        const poiId = "poiId" in goal ? goal.poiId : null;
        return [{ agentId, kind: goal.kind, poiId, arrivesAt: startWalk(event).arrivesAt }];
      });
    },
    idle: () => projectDirector.idle(),
    holdTimers() {
      isHeld = true;
    },
    kill() {
      isKilled = true;
    },
    async [Symbol.asyncDispose]() {
      deadlines.close();
      if (!isKilled) {
        await projectDirector[Symbol.asyncDispose]();
        await director[Symbol.asyncDispose]();
      }
      await projections.close();
      if (options.log === undefined) await log.close();
    },
  };
}
