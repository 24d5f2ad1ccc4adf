/** What agents ask of people, as decisions of the project they work for; the answer is given once, wherever. */
import {
  approval,
  question,
  type Answerer,
  type DecisionKind,
  type Project,
  type Task,
} from "@atrium/core";
import type { Entry } from "@atrium/log";
import { GO_ON, STOP } from "../drive-turn.ts";
import { PLAN_CHOICES } from "./plan-choices.ts";
import type { ProjectDesk } from "./project-desk.ts";

const PERMISSION_CHOICES = { allow: "Allow", deny: "Deny", always: "Always allow" } as const;

interface Asked {
  readonly ref: string;
  readonly kind: DecisionKind;
  readonly prompt: string;
  readonly options: readonly string[];
}

export async function afterQuestion(desk: ProjectDesk, entry: Entry, id: string): Promise<void> {
  const event = question.read(entry);
  if (event.type === "question.asked") {
    const [item] = event.items;
    const options = item?.options.map(({ label }) => label) ?? [];
    const { runId, conversationKey } = event.source;
    await request(desk, entry, runId, conversationKey, {
      ref: id,
      kind: kindOf(options),
      prompt: event.items.map(({ text }) => text).join("\n"),
      options,
    });
    return;
  }
  const isAnswered = event.type === "question.answered";
  const choice = isAnswered ? Object.values(event.answers).flat().join(", ") : null;
  const note = isAnswered ? (event.note ?? null) : null;
  await settle(desk, entry, { ref: id, choice, note, by: "by" in event ? event.by : null });
}

export async function afterApproval(desk: ProjectDesk, entry: Entry, id: string): Promise<void> {
  const event = approval.read(entry);
  switch (event.type) {
    case "approval.requested": {
      const { tool, summary, runId, conversationKey, mayAlways } = event.subject;
      const { allow, deny, always } = PERMISSION_CHOICES;
      await request(desk, entry, runId, conversationKey, {
        ref: id,
        kind: "permission",
        prompt: `${tool}: ${summary}`,
        options: mayAlways ? [allow, deny, always] : [allow, deny],
      });
      return;
    }
    case "approval.allowed": {
      const { allow, always } = PERMISSION_CHOICES;
      const choice = event.how === "always" ? always : allow;
      await settle(desk, entry, { ref: id, choice, note: null, by: event.by });
      return;
    }
    case "approval.denied":
      await settle(desk, entry, {
        ref: id,
        choice: PERMISSION_CHOICES.deny,
        note: null,
        by: event.by,
      });
      return;
    case "approval.expired":
      await settle(desk, entry, { ref: id, choice: null, note: null, by: null });
  }
}

async function request(
  desk: ProjectDesk,
  entry: Entry,
  runId: string | null,
  conversationKey: string | null,
  asked: Asked,
): Promise<void> {
  const found = homeOf(desk, runId, conversationKey);
  if (found === undefined) return;
  const { project: of, task } = found;
  const decision = { ...asked, taskId: task?.taskId ?? null, agentId: task?.assignee ?? null };
  await desk.tell(of.projectId, { type: "request-decision", ...decision }, entry);
}

interface Settled {
  readonly ref: string;
  readonly choice: string | null;
  readonly note: string | null;
  readonly by: Answerer | null;
}

async function settle(desk: ProjectDesk, entry: Entry, settled: Settled): Promise<void> {
  const found = desk.deps.projects.ofRef(settled.ref);
  if (found === undefined) return;
  await desk.tell(found.project.projectId, { type: "settle-decision", ...settled }, entry);
}

const PLAN_KEY = /:project:([a-z0-9_]+)$/;

/** By the run that asks, or by the conversation in which a plan is made. */
function homeOf(
  desk: ProjectDesk,
  runId: string | null,
  conversationKey: string | null,
): { readonly project: Project; readonly task: Task | null } | undefined {
  const { projects } = desk.deps;
  if (runId !== null) return projects.ofRun(runId);
  const projectId = PLAN_KEY.exec(conversationKey ?? "")?.[1];
  const found = projectId === undefined ? undefined : projects.get(projectId);
  return found && { project: found, task: null };
}

function kindOf(options: readonly string[]): DecisionKind {
  const asked = options.join("|");
  if (asked === Object.values(PLAN_CHOICES).join("|")) return "plan";
  return asked === `${GO_ON}|${STOP}` ? "budget" : "question";
}
