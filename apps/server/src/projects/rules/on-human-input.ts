/** What agents ask of people, as decisions of the project they work for; the answer is given once, wherever. */
import { approval, question, type Answerer } from "@atrium/core";
import type { Entry } from "@atrium/log";
import type { ProjectCommands } from "../work/project-commands.ts";
import {
  choiceIn,
  permissionAsDecision,
  projectOfAsked,
  questionAsDecision,
  whyWithdrawn,
  type AsDecision,
} from "./as-decision.ts";

export async function onQuestion(
  commands: ProjectCommands,
  entry: Entry,
  id: string,
): Promise<void> {
  const event = question.read(entry);
  if (event.type === "question.asked") {
    await requestDecision(commands, entry, event.source, {
      ref: id,
      ...questionAsDecision(event.items),
    });
    return;
  }
  const note = event.type === "question.answered" ? (event.note ?? null) : whyWithdrawn(event);
  const by = "by" in event ? event.by : null;
  await settle(commands, entry, { ref: id, choice: choiceIn(event), note, by });
}

export async function onApproval(
  commands: ProjectCommands,
  entry: Entry,
  id: string,
): Promise<void> {
  const event = approval.read(entry);
  if (event.type === "approval.requested") {
    // Nobody is asked.
    if (event.isCovered === true) return;
    const { subject } = event;
    await requestDecision(commands, entry, subject, { ref: id, ...permissionAsDecision(subject) });
    return;
  }
  // What was decided stays decided.
  if (event.type === "approval.revoked") return;
  const by = "by" in event ? event.by : null;
  const note = "note" in event ? (event.note ?? null) : whyWithdrawn(event);
  await settle(commands, entry, { ref: id, choice: choiceIn(event), note, by });
}

interface Source {
  readonly runId: string | null;
  readonly conversationKey: string | null;
}

async function requestDecision(
  commands: ProjectCommands,
  entry: Entry,
  { runId, conversationKey }: Source,
  request: AsDecision & { readonly ref: string },
): Promise<void> {
  const found = projectOfAsked(commands.deps.projects, runId, conversationKey);
  if (found === undefined) return;
  const { project: of, task } = found;
  const decision = { ...request, taskId: task?.taskId ?? null, agentId: task?.assignee ?? null };
  await commands.dispatch(of.projectId, { type: "request-decision", ...decision }, entry);
}

interface Settled {
  readonly ref: string;
  readonly choice: string | null;
  readonly note: string | null;
  readonly by: Answerer | null;
}

async function settle(commands: ProjectCommands, entry: Entry, settled: Settled): Promise<void> {
  const found = commands.deps.projects.ofRef(settled.ref);
  if (found === undefined) return;
  await commands.dispatch(found.project.projectId, { type: "settle-decision", ...settled }, entry);
}
