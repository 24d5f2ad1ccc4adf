/** What people say to the front desk: a request that becomes a project, or just a word. */
import { accept, refuse, resolveKey, type CrewMember, type Ids } from "@atrium/core";
import type { HumanInput } from "../../../human-input/human-input.ts";
import { cleanText } from "../../../platform/clean-text.ts";
import type { SubmitRequest } from "../../../projects/work/submit-request.ts";
import type { MessageIntake } from "../../../runs/message-intake.ts";
import { BD_THREAD } from "../translate/translate.ts";
import type { CommandHandlers } from "./command-context.ts";

export interface RequestDeps {
  readonly submitRequest: SubmitRequest;
  readonly intake: Pick<MessageIntake, "send">;
  readonly humanInput: Pick<HumanInput, "matchReply">;
  readonly crew: readonly CrewMember[];
  readonly ids: Ids;
}

/** What a request has become. */
export class NewProject {
  readonly projectId: string;

  constructor(projectId: string) {
    this.projectId = projectId;
  }
}

type RequestCommands = Pick<CommandHandlers, "submit_request" | "chat">;

export function createRequestCommands(deps: RequestDeps): RequestCommands {
  const { submitRequest, intake, humanInput, crew, ids } = deps;
  return {
    async submit_request({ attachments = [], ...request }, { key, by }) {
      const files = attachments.map((file) => ({
        name: cleanText(file.name),
        mediaType: file.media_type,
        bytes: Buffer.from(file.data, "base64"),
      }));
      const made = await submitRequest({ ...request, by, files }, key);
      return made.ok ? accept(new NewProject(made.value)) : made;
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
      return intake.send({ key: main.value, runId: ids.next(), text, from }, key);
    },
  };
}
