/** Asking a person something about a project itself; the answer comes back as one of its decisions. */
import { Fault, type Project } from "@atrium/core";
import type { ProjectCommands } from "./project-commands.ts";

const A_DAY_MS = 24 * 60 * 60 * 1_000;

/** The same id twice asks once. */
export async function askAboutProject(
  commands: ProjectCommands,
  { projectId }: Project,
  about: { readonly id: string; readonly text: string; readonly choices: readonly string[] },
): Promise<void> {
  const { id, text, choices } = about;
  const key = commands.deps.keys.plan(projectId);
  const options = choices.map((label) => ({ label, description: null }));
  const question = {
    id,
    items: [
      { questionId: "answer", header: "", text, options, isMultiple: false, allowsOther: false },
    ],
    // It waits for a person, not for a turn: no restart takes it back.
    source: { conversationKey: key.text, runId: null, agent: key.handle, askedBy: "client" },
    timeoutMs: A_DAY_MS,
  } as const;
  const opened = await commands.attempt(() => commands.deps.inquiries.openQuestion(question));
  if (opened.ok || opened.code === "question.taken") return;
  throw new Fault("a project's question could not be asked", { id, code: opened.code });
}
