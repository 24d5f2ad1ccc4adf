/**
 * One run being driven: started in the log, carried through its runtime, settled in the log.
 *
 * Steering is offered to the turn and counted as taken when its runtime takes it; what it leaves keeps
 * its place in line.
 */
import {
  conversation,
  describeRefusal,
  Fault,
  NOTHING_USED,
  retryWhileBusy,
  type ConversationCommand,
  type ConversationRow,
  type CrewMember,
  type Dispatch,
  type Ending,
  type Ids,
  type ReadHistory,
  type ReadRun,
  type Refusal,
  type RunRequested,
  type RunsProjection,
} from "@atrium/core";
import type {
  AgentRuntime,
  PermissionRequest,
  PermissionAnswer,
  TurnInbound,
  TurnQuestion,
  ToolResult,
} from "../agents/turn/agent-runtime.ts";
import { TurnStop } from "../agents/turn/turn-stop.ts";
import type { Blobs } from "../platform/blobs.ts";
import type { Timers } from "../platform/timers.ts";
import type { AgentPolicy, AgentPolicyOf } from "./agent-policy.ts";
import { assembleTurn, type DeskNotes, type TurnParts, type TurnSources } from "./assemble-turn.ts";
import { keepLongResult } from "./call-record/keep-long-result.ts";
import type { ClientCalls } from "./client-calls/client-calls.ts";
import { openClientCalls, withClientCalls } from "./client-calls/open-client-calls.ts";
import { driveTurn, stopOf, type DrivenTurn, type TurnPorts } from "./drive-turn.ts";
import { inboundMessageOf } from "./inbound-message.ts";
import type { LiveRuns } from "./live-runs.ts";
import { createRunMoments, type RunMoments } from "./run-moments.ts";
import type { RunWorkspace, WorkspaceOf } from "./run-workspace.ts";
import { SpendBrakes } from "./spend-brakes.ts";
import type { TurnClocks } from "./turn-clocks.ts";

/** Whom a turn can ask; the answers come from people. */
export interface TurnHumanInput {
  ask(about: RunOrigin, question: TurnQuestion, signal: AbortSignal): Promise<string | null>;
  requestPermission(
    about: RunOrigin,
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<PermissionAnswer>;
}

export interface RunOrigin {
  readonly key: string;
  /** Null: what is asked belongs to no run. */
  readonly runId: string | null;
  readonly agentId: string;
}

/** What every turn is driven with. */
export interface TurnDeps {
  readonly dispatch: Dispatch;
  readonly runs: RunsProjection;
  readonly crew: readonly CrewMember[];
  /** Who works for a while without being of the crew. */
  readonly guestOf?: (agentId: string) => CrewMember | undefined;
  readonly blobs: Blobs;
  readonly humanInput: TurnHumanInput;
  readonly clocks: TurnClocks;
  readonly policyOf: AgentPolicyOf;
  /** Where a run works, if it has a folder of its own. */
  readonly workspaceOf?: WorkspaceOf;
  /** Undefined: it is not answered at the front desk. */
  readonly deskNotesOf?: (key: string) => DeskNotes | undefined;
  /** How long a client may take to make the calls of its tools. */
  readonly limits: { readonly clientCallTimeoutMs: number };
  readonly ids: Ids;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly after: Timers["after"];
  readonly report: (fault: Fault) => void;
}

export interface RunDriverDeps {
  readonly turns: TurnDeps;
  readonly readRun: Pick<ReadRun, "request">;
  readonly history: ReadHistory;
  readonly runtimeOf: (member: CrewMember, request: RunRequested, key: string) => AgentRuntime;
  readonly live: LiveRuns;
}

const BROKEN: Ending = {
  how: "failed",
  kind: "unknown",
  reason: "The turn could not be started. The server's journal (atrium.log) says why.",
};

export class RunDriver {
  readonly runId: string;
  /** False until the log says that the run has begun. */
  isStarted = false;
  /** Another node directs: nothing can be started here any more. */
  isFenced = false;
  readonly #deps: RunDriverDeps;
  readonly #turns: TurnDeps;
  readonly #row: ConversationRow;
  readonly #ending = new AbortController();
  /** By run; undefined: being read, not to be steered with, or taken. */
  readonly #offered = new Map<string, TurnInbound | undefined>();
  readonly #steered = new Set<() => void>();
  #clientCalls: ClientCalls | undefined;

  constructor(deps: RunDriverDeps, row: ConversationRow, runId: string) {
    this.#deps = deps;
    this.#turns = deps.turns;
    this.#row = row;
    this.runId = runId;
  }

  stop(ending: Ending): void {
    if (!this.#ending.signal.aborted) this.#ending.abort(new TurnStop(ending));
  }

  /** The client has made the calls of that request; told more than once. */
  answerCalls(number: number, digest: string): void {
    this.#clientCalls?.answer(number, digest);
  }

  /** A message that came meanwhile and could be heeded in this turn. */
  offer(runId: string): void {
    if (this.#offered.has(runId)) return;
    // Reserved at once, so that it is read only once.
    this.#offered.set(runId, undefined);
    void this.#steer(runId);
  }

  async #steer(runId: string): Promise<void> {
    const request = await this.#read(runId);
    // Steering is words alone; what comes with files waits for a turn that can be given them.
    if (request === undefined || request.attachments.length > 0) return;
    this.#offered.set(runId, inboundMessageOf(request, this.#requestedAt(runId), []));
    for (const listener of this.#steered) listener();
  }

  async run(): Promise<void> {
    const { runtimeOf, live } = this.#deps;
    const { crew, guestOf, ids, now, sleep } = this.#turns;
    const row = this.#row;
    const { runId } = this;
    const request = await this.#read(runId);
    const member = crew.find(({ id }) => id === row.agentId) ?? guestOf?.(row.agentId);
    if (request === undefined || member === undefined) {
      const reason = `there is no agent ${row.agentId} any more`;
      await this.#dispatch({ type: "stop", runId, reason, messageId: ids.next() });
      return;
    }
    const runtime = runtimeOf(member, request, row.key);
    const { provider, id } = runtime.model;
    const start = { type: "start", runId, model: { provider, model: id } } as const;
    const { signal } = this.#ending;
    const started = await retryWhileBusy(() => this.#dispatch(start), { sleep, signal });
    // Stopped or taken by someone else in the meantime; whoever did that has said so in the log.
    if (!started.ok) {
      this.isFenced = started.code === "log.fenced";
      return;
    }
    this.isStarted = true;
    const begun = started.value.events[0];
    const startSeq = started.value.position.seq - (started.value.events.length - 1);
    const collects = begun?.type === "run.started" ? begun.collects : [];
    const parts = { runtime, member, request, collects, startSeq };
    const { key, handle, sessionId } = row;
    live.begin({ runId, key, handle, sessionId, startedAt: now() });
    try {
      await this.#settle(await this.#drive(parts));
    } finally {
      live.end(runId);
    }
  }

  async #drive(parts: TurnParts): Promise<DrivenTurn> {
    const { runtime, member, request } = parts;
    const deps = this.#turns;
    const { signal } = this.#ending;
    const policy = deps.policyOf(member.id);
    const stopClock = deps.clocks.begin(this.runId, policy.timeoutMs, () =>
      this.stop(tookLongerThan(policy.timeoutMs)),
    );
    const { timeoutMs } = request;
    const stopTimer =
      timeoutMs === null
        ? undefined
        : deps.after(timeoutMs, () => this.stop(tookLongerThan(timeoutMs)));
    try {
      const origin = { key: this.#row.key, runId: this.runId, agentId: member.id };
      // A command is answered by the server, which works on no files.
      const found = request.isCommand ? undefined : await this.#workspace(origin);
      if (found?.ok === false) return unplaced(found);
      await using workspace = found?.value;
      const moments = this.#moments(workspace);
      await moments.begin();
      const desk = deps.deskNotesOf?.(origin.key);
      const offered = runtime.hasFileTools === true ? undefined : workspace;
      const ports = {
        ...this.#world(origin, policy, moments, offered),
        noteSession: (session: string) => this.#noteSession(runtime, session),
      };
      using calls = await this.#openClientCalls(request, ports);
      const world = withClientCalls(ports, calls, (work) => deps.clocks.hold(this.runId, work));
      const mustCall = calls?.mustCall;
      const turn = await assembleTurn(
        { ...parts, workspace, desk, mustCall },
        this.#row,
        this.#sources(),
      );
      const brakes = new SpendBrakes(policy.budgets, this.#row.usage);
      const driven = await driveTurn(runtime, turn, brakes, world, signal);
      await moments.end();
      return driven;
    } catch (cause) {
      const stopped = stopOf(signal);
      if (stopped !== undefined) return { text: "", usage: NOTHING_USED, ending: stopped };
      deps.report(new Fault("a turn could not be put together", { runId: this.runId }, cause));
      return { text: "", usage: NOTHING_USED, ending: BROKEN };
    } finally {
      stopTimer?.();
      stopClock();
    }
  }

  async #openClientCalls(
    request: RunRequested,
    { tools }: TurnPorts,
  ): Promise<ClientCalls | undefined> {
    const { live } = this.#deps;
    this.#clientCalls = await openClientCalls(
      { ...this.#turns, live },
      {
        key: this.#row.key,
        request,
        taken: new Set(tools.map(({ name }) => name)),
        stop: (ending) => this.stop(ending),
      },
    );
    return this.#clientCalls;
  }

  #workspace(origin: RunOrigin): ReturnType<WorkspaceOf> | undefined {
    const progress = (text: string): void =>
      this.#deps.live.publish(this.runId, { type: "progress", text });
    return this.#turns.workspaceOf?.(origin, { signal: this.#ending.signal, progress });
  }

  #moments(workspace: RunWorkspace | undefined): RunMoments {
    const { live } = this.#deps;
    const { runId } = this;
    return createRunMoments(workspace, {
      runId,
      publish: (event) => live.publish(runId, event),
      report: this.#turns.report,
    });
  }

  #sources(): TurnSources {
    return {
      history: this.#deps.history,
      readRequest: (runId) => this.#read(runId),
      requestedAt: (runId) => this.#requestedAt(runId),
      blobs: this.#turns.blobs,
    };
  }

  #requestedAt(runId: string): number {
    return this.#turns.runs.get(runId)?.requestedAt ?? this.#turns.now();
  }

  #world(
    about: RunOrigin,
    { tools }: AgentPolicy,
    moments: RunMoments,
    workspace?: RunWorkspace,
  ): Omit<TurnPorts, "noteSession"> {
    const { runId } = this;
    const deps = this.#turns;
    const { humanInput } = deps;
    const { live } = this.#deps;
    const place = workspace === undefined ? {} : { workspace: workspace.place };
    return {
      tools: tools.declarationsFor({ ...place, key: about.key }),
      now: deps.now,
      sleep: deps.sleep,
      after: deps.after,
      callTool: (name, input, signal, callId) =>
        tools.call(name, input, {
          ...about,
          ...place,
          signal,
          ...(callId !== undefined && {
            onOutput: (text: string) => live.publish(runId, { type: "output", callId, text }),
          }),
        }),
      ask: (question, signal) => humanInput.ask(about, question, signal),
      requestPermission: (request, signal) => humanInput.requestPermission(about, request, signal),
      takeSteering: () => this.#takeSteering(),
      onSteering: (listener) => {
        this.#steered.add(listener);
        return () => void this.#steered.delete(listener);
      },
      publish: (event) => live.publish(runId, event),
      noteCall: async (callId, name, input) => {
        const messageId = deps.ids.next();
        await this.#note({ type: "call-tool", runId, messageId, callId, name, input });
        live.beginCall(runId, callId);
      },
      noteReturn: async (callId, result) => {
        await this.#noteReturn(callId, result, moments);
        live.endCall(runId, callId);
      },
      noteCompaction: async (compacted) => {
        await this.#note({ type: "note-compaction", runId, compacted });
      },
      keepArtifact: (name, mediaType, text) => this.#keepArtifact(name, mediaType, text),
      report: deps.report,
    };
  }

  #noteSession({ name: runtime }: AgentRuntime, session: string): Promise<void> {
    return this.#note({ type: "note-session", runId: this.runId, runtime, session });
  }

  /** The files are kept first: nothing in the log speaks of what is not there. */
  async #noteReturn(callId: string, result: ToolResult, moments: RunMoments): Promise<void> {
    const { runId } = this;
    const messageId = this.#turns.ids.next();
    const tree = await moments.afterTool(callId, result.wrote);
    const kept = await keepLongResult(result, this.#turns);
    const files = tree === undefined ? {} : { tree };
    await this.#note({ type: "return-tool", runId, messageId, callId, ...kept, ...files });
  }

  /** Its content is kept first: nothing in the log speaks of what is not there. */
  async #keepArtifact(name: string, mediaType: string, text: string): Promise<void> {
    const { blobs, ids } = this.#turns;
    const content = Buffer.from(text);
    const artifact = { name, mediaType, bytes: content.length, digest: await blobs.put(content) };
    await this.#note({ type: "deliver", runId: this.runId, artifactId: ids.next(), artifact });
  }

  #takeSteering(): readonly TurnInbound[] {
    const taken = [...this.#offered].flatMap(([runId, message]) =>
      message === undefined ? [] : [{ runId, message }],
    );
    for (const { runId } of taken) {
      // Kept, so that it is not offered again before the log says that it was merged.
      this.#offered.set(runId, undefined);
      this.#dispatch({ type: "merge", runId, into: this.runId }).catch((cause: unknown) =>
        this.#turns.report(new Fault("steering could not be noted", { runId }, cause)),
      );
    }
    return taken.map(({ message }) => message);
  }

  async #settle({ text, usage, ending }: DrivenTurn): Promise<void> {
    const { runId } = this;
    const { ids, sleep } = this.#turns;
    const command = { type: "settle", runId, messageId: ids.next(), text, usage, ending } as const;
    // However long it takes: an end that is not written would leave the run open.
    const done = await retryWhileBusy(() => this.#dispatch(command), { sleep });
    // Refused as settled when the conversation was reset or deleted: that has ended the run itself. As fenced when
    // another node directs, which settles what was under way here.
    if (done.ok || done.code === "run.settled" || done.code === "log.fenced") return;
    if (done.code === "log.oversize" && text !== "") {
      return this.#settle({ text: "", usage, ending: unkept(done) });
    }
    throw new Fault("a run could not be settled", { runId, code: done.code });
  }

  /** Whoever has ended the run meanwhile has said so in the log; what the log can never take is the turn's fault. */
  async #note(command: ConversationCommand): Promise<void> {
    const done = await this.#dispatch(command);
    if (done.ok || done.code !== "log.oversize") return;
    const context = { runId: this.runId, what: command.type };
    throw new Fault(`what a turn did could not be noted: ${describeRefusal(done)}`, context);
  }

  #dispatch(command: ConversationCommand) {
    return this.#turns.dispatch(conversation, this.#row.key, command);
  }

  async #read(runId: string): Promise<RunRequested | undefined> {
    const run = this.#turns.runs.get(runId);
    return run === undefined ? undefined : this.#deps.readRun.request(run);
  }
}

function tookLongerThan(ms: number): Ending {
  const reason = `The turn took longer than ${Math.round(ms / 1000)} s.`;
  return { how: "failed", kind: "timeout", reason };
}

function unkept(why: Refusal): Ending {
  const reason = `The answer could not be kept. ${describeRefusal(why)}`;
  return { how: "failed", kind: "unknown", reason };
}

function unplaced(why: Refusal): DrivenTurn {
  const reason = why.detail ?? describeRefusal(why);
  return { text: "", usage: NOTHING_USED, ending: { how: "failed", kind: "unavailable", reason } };
}
