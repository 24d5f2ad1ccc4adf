/**
 * Directs builds: starts the turns that a build wants, and records how they end.
 *
 *   build.turn.wanted -> front desk -> run -> its end -> end-turn -> the next turn, or none
 *
 * Reacts to what the log says, and everything it does happens once: a turn is asked for under the key of
 * its run, and an end that is not the present turn's changes nothing. So what was left when the process
 * last ended is simply done again.
 */
import {
  build,
  Fault,
  hasEnded,
  readEnd,
  REFUSALS,
  resolveKey,
  idIn,
  retryWhileBusy,
  type RetryDeps,
  conversation,
  type BatchListener,
  type StartedBuild,
  type BuildCommand,
  type BuildEvent,
  type Builds,
  type BuildTurn,
  type CrewMember,
  type Dispatch,
  type Outcome,
  type RunEnded,
} from "@atrium/core";
import { INTERRUPTED } from "../agents/turn/turn-stop.ts";
import type { Deadlines } from "../reactions/deadlines.ts";
import type { MessageIntake } from "../runs/message-intake.ts";
import { runKey, type RunStatuses } from "../runs/run-statuses.ts";
import type { BuildChecks } from "./build-checks.ts";
import { buildIdOfKey } from "./build-key.ts";

export interface BuildDirectorDeps {
  readonly dispatch: Dispatch;
  readonly builds: Pick<Builds, "get" | "open">;
  readonly intake: MessageIntake;
  readonly runs: Pick<RunStatuses, "get">;
  readonly crew: readonly CrewMember[];
  readonly checks: Pick<BuildChecks, "start" | "stop">;
  readonly deadlines: Pick<Deadlines, "set" | "clear">;
  /** How long nobody is told anything before they are told that the work goes on. */
  readonly silenceMs: number;
  readonly now: () => number;
  readonly sleep: RetryDeps["sleep"];
  readonly report: (fault: Fault) => void;
}

const AUTHOR = { clientId: "atrium", clientMode: "backend", name: "Build" };

export class BuildDirector {
  readonly #deps: BuildDirectorDeps;
  readonly #closing = new AbortController();

  constructor(deps: BuildDirectorDeps) {
    this.#deps = deps;
  }

  readonly onBatch: BatchListener = (entries) => {
    if (this.#closing.signal.aborted) return;
    const touched = new Map<string, number>();
    for (const { stream, at, ...entry } of entries) {
      const id = idIn(build, stream);
      if (id !== undefined) {
        touched.set(id, at);
        this.#see(id, this.#react(id, build.read({ stream, at, ...entry })));
      } else {
        const key = idIn(conversation, stream);
        const of = key === undefined ? undefined : buildIdOfKey(key);
        const ended = of === undefined ? undefined : readEnd({ stream, at, ...entry });
        if (of !== undefined && ended !== undefined) this.#see(of, this.#endTurn(of, ended));
      }
    }
    for (const [id, at] of touched) {
      this.#watchSilence(id, at);
      this.#check(id);
    }
  };

  async recover(): Promise<void> {
    const { builds, runs, now } = this.#deps;
    const open = Array.from(builds.open(), (row) => row.build);
    for (const of of open.filter(({ stage }) => stage === "working")) {
      this.#watchSilence(of.id, now());
      this.#check(of.id);
      const known = await runs.get(of.turn.runId);
      if (known === undefined) await this.#requestTurn(of, of.turn);
      else if (known.ended !== undefined) await this.#endTurn(of.id, known.ended);
    }
  }

  close(): void {
    this.#closing.abort();
  }

  #see(id: string, work: Promise<unknown> | undefined): void {
    work?.catch((cause: unknown) => {
      if (this.#closing.signal.aborted) return;
      this.#deps.report(new Fault("a build could not be taken further", { id }, cause));
    });
  }

  #react(id: string, event: BuildEvent): Promise<unknown> | undefined {
    const { builds, intake } = this.#deps;
    const row = builds.get(id);
    if (row === undefined) return undefined;
    switch (event.type) {
      case "build.turn.wanted":
        return hasEnded(row.build) ? undefined : this.#requestTurn(row.build, event.turn);
      case "build.cancelled": {
        const { conversationKey, turn } = row.build;
        const why = "the build was cancelled";
        return this.#insist(() => intake.stop(conversationKey, turn.runId, why));
      }
      case "build.started":
      case "build.told":
      case "build.held":
      case "build.repaired":
      case "build.rejected":
        return undefined;
    }
  }

  async #requestTurn(of: StartedBuild, { runId, body: text }: BuildTurn): Promise<void> {
    const { crew, intake } = this.#deps;
    const key = resolveKey(crew, of.conversationKey);
    const message = { runId, text, from: AUTHOR, mode: "followup", isPlain: true } as const;
    const once = { id: runKey(runId), digest: runId };
    const taken = key.ok
      ? await this.#insist(() => intake.send({ ...message, key: key.value }, once))
      : key;
    if (taken.ok || this.#closing.signal.aborted) return;
    const reason = `The turn could not be started: ${REFUSALS[taken.code].message}`;
    await this.#dispatch(of.id, { type: "end-turn", runId, how: "failed", reason });
  }

  async #endTurn(id: string, ended: RunEnded): Promise<void> {
    const { how, reason } = endingOf(ended);
    await this.#dispatch(id, { type: "end-turn", runId: ended.runId, how, reason });
  }

  #check(id: string): void {
    const { builds, checks } = this.#deps;
    const of = builds.get(id)?.build;
    if (of?.isChecking === true) checks.start(of);
    else checks.stop(id);
  }

  /** Whoever waits in silence is told, once, that it goes on. */
  #watchSilence(id: string, since: number): void {
    const { builds, deadlines, dispatch, silenceMs } = this.#deps;
    const row = builds.get(id);
    const name = `build-silence:${id}`;
    // While people are awaited, nobody tells them that the work goes on.
    const isWorking = row?.build.stage === "working" && row.build.waits.length === 0;
    if (row === undefined || !isWorking || row.build.isReassured) {
      deadlines.clear(name);
      return;
    }
    const { told } = row.build;
    deadlines.set(name, since + silenceMs, () => dispatch(build, id, { type: "reassure", told }));
  }

  #dispatch(id: string, command: BuildCommand): Promise<Outcome<unknown>> {
    return this.#insist(() => this.#deps.dispatch(build, id, command));
  }

  #insist<T>(attempt: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    return retryWhileBusy(attempt, { sleep: this.#deps.sleep, signal: this.#closing.signal });
  }
}

type Ending = Pick<Extract<BuildCommand, { readonly type: "end-turn" }>, "how" | "reason">;

function endingOf(ended: RunEnded): Ending {
  switch (ended.type) {
    case "run.completed":
      return { how: "completed", reason: "" };
    case "run.failed":
      return { how: ended.kind === INTERRUPTED ? "cut-off" : "failed", reason: ended.reason };
    case "run.aborted":
      return { how: "failed", reason: `The agent was stopped: ${ended.reason}.` };
    // A build's turns wait for their own run, so the front desk never does this.
    case "run.merged":
      return { how: "completed", reason: "" };
  }
}
