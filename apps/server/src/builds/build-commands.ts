/** Commands of people to builds: starts them, takes answers to what they ask, and cancels them. */
import {
  accept,
  build,
  DEFAULT_HANDLE,
  refuse,
  resolveKey,
  type Answerer,
  type CrewMember,
  type DispatchResult,
  type Dispatch,
  type ForkOrigin,
  type BuildAnswer,
  type Ids,
  type Outcome,
} from "@atrium/core";
import { BUILD_STEPS } from "@atrium/wire/build";
import type { RepositoryCatalog } from "../repositories/repository-catalog.ts";
import type { OnceKey } from "../runs/message-intake.ts";
import type { AnswerWait } from "./answer-wait.ts";
import { buildKey } from "./build-key.ts";

export interface BuildReceipt {
  readonly id: string;
  readonly sessionId: string;
  readonly conversationKey: string;
  readonly seq: Done["seq"];
}

export interface Done {
  /** Right before it: whoever reads on from there hears all of it. */
  readonly seq: number;
  readonly isChanged: boolean;
}

export interface BuildCommands {
  start(
    request: {
      readonly prompt: string;
      readonly agent?: string | undefined;
      readonly repository?: string | undefined;
      readonly forkedFrom?: ForkOrigin;
    },
    once?: OnceKey,
  ): Promise<Outcome<BuildReceipt>>;
  answer(
    id: string,
    answers: readonly BuildAnswer[],
    by: Answerer,
    once?: OnceKey,
  ): Promise<Outcome<Done>>;
  cancel(id: string, by: Answerer, once?: OnceKey): Promise<Outcome<Done>>;
}

export interface BuildDeskDeps {
  readonly dispatch: Dispatch;
  readonly crew: readonly CrewMember[];
  readonly repositories: Pick<RepositoryCatalog, "find">;
  readonly ids: Ids;
  /** The same id for the same name. */
  readonly idOf: (name: string) => string;
  /** What is answered in the middle of a turn, where the answer is to that. */
  readonly answerWait: AnswerWait;
}

const KEPT_FOR_DIAGNOSIS: ReadonlySet<string> = new Set([
  "build.misanswered",
  "build.not-asking",
  "build.ended",
]);

export function createBuildCommands(deps: BuildDeskDeps): BuildCommands {
  const { dispatch, crew, repositories, ids, idOf, answerWait } = deps;
  const findAgent = (name: string): CrewMember | undefined => {
    const wanted = name.toLowerCase();
    const isMeant = (each: string): boolean => each.toLowerCase() === wanted;
    return crew.find((member) => [member.handle, member.id, member.name].some(isMeant));
  };

  return {
    async start({ prompt, agent = DEFAULT_HANDLE, repository, forkedFrom }, once) {
      if (prompt.trim() === "") return refuse("request.empty", "the prompt is blank");
      const member = findAgent(agent);
      if (member === undefined) return refuse("agent.unknown", agent);
      const found = repository === undefined ? undefined : repositories.find(repository);
      if (repository !== undefined && found === undefined) {
        return refuse("repository.missing", repository);
      }
      const checks = found?.checks?.map((check) => ({ required: false, ...check })) ?? [];
      const { handle, id: agentId } = member;
      // A call that is repeated means the same build.
      const id = once === undefined ? ids.next() : idOf(once.id);
      const key = resolveKey(crew, buildKey(handle, id));
      if (!key.ok) return key;
      const facts = {
        id,
        prompt,
        agentId,
        handle,
        conversationKey: key.value.text,
        sessionId: ids.next(),
        steps: BUILD_STEPS,
        ...(repository !== undefined && { repository }),
        ...(forkedFrom !== undefined && { forkedFrom }),
        ...(checks.length > 0 && { checks }),
      };
      const done = await dispatch(build, id, { type: "start", ...facts }, once);
      if (!done.ok) return done;
      const [first] = done.value.events;
      const { sessionId, conversationKey } = first?.type === "build.started" ? first : facts;
      return accept({ id, sessionId, conversationKey, seq: doneBy(done.value).seq });
    },
    async answer(id, answers, by, once) {
      const waited = await answerWait(id, answers, by);
      if (waited !== undefined) return waited;
      const done = await dispatch(build, id, { type: "answer", answers }, once);
      if (done.ok) return accept(doneBy(done.value));
      if (KEPT_FOR_DIAGNOSIS.has(done.code)) {
        const text = JSON.stringify(answers);
        const why = `an answer was refused: ${done.detail ?? ""}`;
        await dispatch(build, id, { type: "set-aside", text, why, origin: null });
      }
      return done;
    },
    async cancel(id, by, once) {
      const done = await dispatch(build, id, { type: "cancel", by }, once);
      return done.ok ? accept(doneBy(done.value)) : done;
    },
  };
}

/** The entries of one append have numbers without a gap. */
function doneBy({ position, events }: DispatchResult<unknown>): Done {
  return { seq: position.seq - events.length, isChanged: events.length > 0 };
}
