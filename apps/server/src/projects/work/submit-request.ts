/** A request of a person becomes a project, wherever they made it: in the office, or by a yes to the front desk. */
import {
  accept,
  project,
  refuse,
  type Answerer,
  type Clock,
  type Dispatch,
  type Outcome,
} from "@atrium/core";
import { cleanText, titleOf } from "../../platform/clean-text.ts";
import type { RepositoryCatalog } from "../../repositories/repository-catalog.ts";
import type { IncomingFile, OnceKey } from "../../runs/message-intake.ts";
import type { StoreAttachments } from "../../runs/store-attachments.ts";

export interface NewRequest {
  readonly text: string;
  readonly by: Answerer;
  readonly constraints?: Readonly<Record<string, unknown>> | undefined;
  /** Left out: a repository of its own. */
  readonly repository?: string | undefined;
  readonly files?: readonly IncomingFile[];
}

/** The id of the project that it became; of a repeated one, the first time. */
export type SubmitRequest = (request: NewRequest, once?: OnceKey) => Promise<Outcome<string>>;

export interface SubmitRequestDeps {
  readonly dispatch: Dispatch;
  readonly repositories: Pick<RepositoryCatalog, "find">;
  readonly storeAttachments: StoreAttachments;
  readonly clock: Clock;
  /** A whole number from 0 up to but not including the bound. */
  readonly random: (below: number) => number;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const SIGNS = `${LETTERS}0123456789`;
const SIGNS_AFTER_LETTER = 7;

export function createSubmitRequest(deps: SubmitRequestDeps): SubmitRequest {
  const { dispatch, repositories, storeAttachments, clock, random } = deps;
  const pick = (from: string): string => from[random(from.length)] ?? "a";
  const newProjectId = (): string => {
    const rest = Array.from({ length: SIGNS_AFTER_LETTER }, () => pick(SIGNS)).join("");
    return `proj_${pick(LETTERS)}${rest}`;
  };

  return async ({ by, constraints = {}, repository, files = [], ...request }, once) => {
    const text = cleanText(request.text);
    if (text === "") return refuse("request.empty");
    if (repository !== undefined && repositories.find(repository) === undefined) {
      return refuse("repository.missing", repository);
    }
    const kept = await storeAttachments(files);
    if (!kept.ok) return kept;
    const projectId = newProjectId();
    const command = {
      type: "submit",
      at: clock.now(),
      projectId,
      title: titleOf(text),
      text,
      constraints,
      attachments: kept.value,
      by,
      ...(repository !== undefined && { repository }),
    } as const;
    const done = await dispatch(project, projectId, command, once);
    if (!done.ok) return done;
    const [first] = done.value.events;
    const isSubmitted = first?.type === "project.request_submitted";
    return accept(isSubmitted ? first.projectId : projectId);
  };
}
