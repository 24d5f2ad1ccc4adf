/** What people say to the front desk: a request that becomes a project, or just a word. */
import {
  accept,
  project,
  refuse,
  resolveKey,
  type Candidate,
  type Clock,
  type CrewMember,
  type Dispatch,
  type Floor,
  type Ids,
  type Projects,
} from "@atrium/core";
import type { HumanInput } from "../../../human-input/human-input.ts";
import type { RepositoryCatalog } from "../../../repositories/repository-catalog.ts";
import type { MessageIntake } from "../../../runs/message-intake.ts";
import type { StoreAttachments } from "../../../runs/store-attachments.ts";
import { cleanText, titleOf } from "../messages/clean-text.ts";
import { BD_THREAD } from "../translate/translate.ts";
import type { CommandHandlers } from "./command-context.ts";
import { summarizeOffice } from "./office-summary.ts";

export interface RequestDeps {
  readonly dispatch: Dispatch;
  readonly intake: Pick<MessageIntake, "send">;
  readonly humanInput: Pick<HumanInput, "matchReply">;
  readonly projects: Pick<Projects, "list">;
  readonly repositories: Pick<RepositoryCatalog, "find">;
  readonly storeAttachments: StoreAttachments;
  readonly crew: readonly CrewMember[];
  /** Whom tasks may be given to, and how much each has to do. */
  readonly candidates: () => readonly Candidate[];
  readonly floor: Floor;
  readonly clock: Clock;
  readonly ids: Ids;
  /** A whole number from 0 up to but not including the bound. */
  readonly random: (below: number) => number;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const SIGNS = `${LETTERS}0123456789`;
const SIGNS_AFTER_LETTER = 7;

/** What a request has become. */
export class NewProject {
  readonly projectId: string;

  constructor(projectId: string) {
    this.projectId = projectId;
  }
}

type RequestCommands = Pick<CommandHandlers, "submit_request" | "chat">;

export function createRequestCommands(deps: RequestDeps): RequestCommands {
  const { dispatch, intake, humanInput, projects, repositories, storeAttachments } = deps;
  const { crew, clock, ids, random } = deps;

  const pick = (from: string): string => from[random(from.length)] ?? "a";
  const newProjectId = (): string => {
    const rest = Array.from({ length: SIGNS_AFTER_LETTER }, () => pick(SIGNS)).join("");
    return `proj_${pick(LETTERS)}${rest}`;
  };

  return {
    async submit_request(data, { key, by }) {
      const text = cleanText(data.text);
      if (text === "") return refuse("request.empty");
      const { constraints = {}, repository } = data;
      if (repository !== undefined && repositories.find(repository) === undefined) {
        return refuse("repository.missing", repository);
      }
      const files = (data.attachments ?? []).map((file) => ({
        name: cleanText(file.name),
        mediaType: file.media_type,
        bytes: Buffer.from(file.data, "base64"),
      }));
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
      const done = await dispatch(project, projectId, command, key);
      if (!done.ok) return done;
      // Of a request that is repeated, the project it became the first time.
      const [first] = done.value.events;
      const isNew = first?.type === "project.request_submitted";
      return accept(new NewProject(isNew ? first.projectId : projectId));
    },
    async chat(data, { key, by }) {
      const { thread_id: thread = BD_THREAD } = data;
      if (thread !== BD_THREAD) return refuse("conversation.missing", thread);
      const text = cleanText(data.text);
      const replied = humanInput.matchReply(text, by);
      if (replied !== undefined) return replied;
      const main = resolveKey(crew, "main");
      if (!main.ok) return main;
      const from = { clientId: "world", clientMode: "ui", name: by.name };
      const context = summarizeOffice(projects);
      const message = { key: main.value, runId: ids.next(), text, from };
      return intake.send({ ...message, ...(context !== undefined && { context }) }, key);
    },
  };
}
