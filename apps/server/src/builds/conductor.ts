/**
 * The conductor: what a build wants, it has done.
 *
 *   build.turn.wanted -> front desk -> run -> its end -> end-turn -> the next turn, or none
 *
 * Reacts to what the log says, and everything it does happens once: a turn is asked for under the key of
 * its run, and an end that is not the present turn's changes nothing. So what was left when the process
 * last ended is simply done again.
 */
import {
  build,
  buildIdOf,
  Fault,
  hasEnded,
  readEnd,
  REFUSALS,
  resolveKey,
  streamOf,
  conversation,
  type BatchListener,
  type BegunBuild,
  type BuildCommand,
  type BuildEvent,
  type Builds,
  type BuildTurn,
  type CrewMember,
  type Dispatch,
  type Outcome,
  type RunEnded,
} from "@atrium/core";
import type { Deadlines } from "../asking/deadlines.ts";
import type { FrontDesk } from "../director/front-desk.ts";
import { runKey, type RunReports } from "../director/run-reports.ts";
import { INTERRUPTED } from "../director/runner.ts";
import { buildIdOfKey } from "./build-key.ts";

export interface ConductorDeps {
  readonly dispatch: Dispatch;
  readonly builds: Pick<Builds, "get" | "open">;
  readonly desk: FrontDesk;
  readonly runs: Pick<RunReports, "report">;
  readonly crew: readonly CrewMember[];
  readonly deadlines: Pick<Deadlines, "set" | "clear">;
  /** How long nobody is told anything before they are told that the work goes on. */
  readonly silenceMs: number;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly report: (fault: Fault) => void;
}

export interface Conductor {
  readonly onBatch: BatchListener;
  recover(): Promise<void>;
  close(): void;
}

const AGAIN_MS = 100;
const PREFIX = streamOf(conversation, "");
const AUTHOR = { clientId: "atrium", clientMode: "backend", name: "Build" };

export function createConductor(deps: ConductorDeps): Conductor {
  const { builds, desk, deadlines } = deps;
  let isClosing = false;

  /** A log that is busy is busy for moments. */
  async function insist<T>(attempt: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    for (;;) {
      const done = await attempt();
      if (done.ok || isClosing || REFUSALS[done.code].retry === "never") return done;
      await deps.sleep(AGAIN_MS);
    }
  }

  const tell = (id: string, command: BuildCommand) =>
    insist(() => deps.dispatch(build, id, command));

  async function requestTurn(of: BegunBuild, turn: BuildTurn): Promise<void> {
    const { id, conversationKey } = of;
    const { runId, body: text } = turn;
    const key = resolveKey(deps.crew, conversationKey);
    const message = { runId, text, from: AUTHOR, mode: "followup", isPlain: true } as const;
    const taken = key.ok
      ? await insist(() =>
          desk.send({ ...message, key: key.value }, { id: runKey(runId), digest: runId }),
        )
      : key;
    if (taken.ok || isClosing) return;
    const reason = `The turn could not be started: ${REFUSALS[taken.code].says}`;
    await tell(id, { type: "end-turn", runId, how: "failed", reason });
  }

  async function endTurn(id: string, ended: RunEnded): Promise<void> {
    const { runId } = ended;
    switch (ended.type) {
      case "run.completed":
        await tell(id, { type: "end-turn", runId, how: "completed", reason: "" });
        return;
      case "run.failed": {
        const how = ended.kind === INTERRUPTED ? "cut-off" : "failed";
        await tell(id, { type: "end-turn", runId, how, reason: ended.reason });
        return;
      }
      case "run.aborted": {
        const reason = `The agent was stopped: ${ended.reason}.`;
        await tell(id, { type: "end-turn", runId, how: "failed", reason });
        return;
      }
      // Its message is answered by another run, which nobody would wait for here; front desk never does it.
      case "run.merged":
        await tell(id, { type: "end-turn", runId, how: "completed", reason: "" });
    }
  }

  /** Whoever waits in silence is told, once, that it goes on. */
  function watchSilence(id: string, since: number): void {
    const row = builds.get(id);
    const name = `build-silence:${id}`;
    if (row === undefined || row.build.stage !== "working" || row.build.isReassured) {
      deadlines.clear(name);
      return;
    }
    const { told } = row.build;
    deadlines.set(name, since + deps.silenceMs, () =>
      deps.dispatch(build, id, { type: "reassure", told }),
    );
  }

  function react(id: string, event: BuildEvent): Promise<unknown> | undefined {
    const row = builds.get(id);
    if (row === undefined) return undefined;
    switch (event.type) {
      case "build.turn.wanted":
        return hasEnded(row.build) ? undefined : requestTurn(row.build, event.turn);
      case "build.cancelled": {
        const { conversationKey, turn } = row.build;
        return insist(() => desk.stop(conversationKey, turn.runId, "the build was cancelled"));
      }
      case "build.started":
      case "build.told":
      case "build.repaired":
      case "build.rejected":
        return undefined;
    }
  }

  function see(id: string, work: Promise<unknown> | undefined): void {
    work?.catch((cause: unknown) => {
      if (!isClosing) deps.report(new Fault("a build could not be taken further", { id }, cause));
    });
  }

  return {
    onBatch(entries) {
      if (isClosing) return;
      const touched = new Map<string, number>();
      for (const entry of entries) {
        const id = buildIdOf(entry.stream);
        if (id !== undefined) {
          touched.set(id, entry.at);
          see(id, react(id, build.read(entry)));
        } else if (entry.stream.startsWith(PREFIX)) {
          const of = buildIdOfKey(entry.stream.slice(PREFIX.length));
          const ended = of === undefined ? undefined : readEnd(entry);
          if (of !== undefined && ended !== undefined) see(of, endTurn(of, ended));
        }
      }
      for (const [id, at] of touched) watchSilence(id, at);
    },
    async recover() {
      for (const { build: of } of [...builds.open()]) {
        if (of.stage !== "working") continue;
        watchSilence(of.id, deps.now());
        const known = await deps.runs.report(of.turn.runId);
        if (known === undefined) await requestTurn(of, of.turn);
        else if (known.ended !== undefined) await endTurn(of.id, known.ended);
      }
    },
    close() {
      isClosing = true;
    },
  };
}
