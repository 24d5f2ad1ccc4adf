/**
 * What people are asked outside of any project, as decisions: so that whoever looks at the office sees all that waits
 * for them in one list, wherever it was asked. Pure: the time comes in.
 */
import { createHash } from "node:crypto";
import type {
  Answerer,
  ApprovalRow,
  Approvals,
  CrewMember,
  Projects,
  QuestionRow,
  Questions,
} from "@atrium/core";
import { SYSTEM_PROJECT, type WorldDecision } from "@atrium/wire/world";
import {
  choiceIn,
  permissionAsDecision,
  projectOfAsked,
  questionAsDecision,
} from "../../director/projects/as-decision.ts";
import { known } from "./known.ts";

export interface Asked {
  readonly projects: Pick<Projects, "ofRun" | "get">;
  readonly approvals: Pick<Approvals, "list">;
  readonly questions: Pick<Questions, "list">;
}

/** Something asked outside of any project, and what became of it. */
export interface AskedElsewhere {
  readonly decisionId: string;
  /** The question's or approval's own id. */
  readonly ref: string;
  readonly isOpen: boolean;
  readonly by: Answerer | undefined;
}

/** For how long an answer is still shown, so that whoever gave it sees that it was taken. */
const SHOWN_AFTER_MS = 10 * 60_000;

export function decisionsElsewhere(
  asked: Asked,
  crew: readonly CrewMember[],
  time: number,
): readonly WorldDecision[] {
  return allAsked(asked)
    .filter(({ settled }) => settled === null || settled.at > time - SHOWN_AFTER_MS)
    .filter((row) => isElsewhere(asked, row))
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .map((row) => {
      const { kind, prompt, options } =
        "subject" in row ? permissionAsDecision(row.subject) : questionAsDecision(row.items);
      const { agent } = sourceOf(row);
      const choice = row.settled && choiceIn(row.settled.outcome);
      return {
        decision_id: decisionIdFor(row.id),
        project_id: SYSTEM_PROJECT,
        status: statusOf(row),
        kind,
        prompt,
        options: [...options],
        asked_at: row.createdAt,
        ...known({
          agent_id: crew.find(({ handle }) => handle === agent)?.id,
          choice,
          by: answererOf(row)?.name,
        }),
      };
    });
}

export function findElsewhere(asked: Asked, decisionId: string): AskedElsewhere | undefined {
  const row = allAsked(asked).find(({ id }) => decisionIdFor(id) === decisionId);
  if (row === undefined || !isElsewhere(asked, row)) return undefined;
  return { decisionId, ref: row.id, isOpen: row.settled === null, by: answererOf(row) };
}

type Row = ApprovalRow | QuestionRow;

function allAsked({ approvals, questions }: Asked): readonly Row[] {
  return [...approvals.list(), ...questions.list()];
}

function isElsewhere({ projects }: Asked, row: Row): boolean {
  const { runId, conversationKey } = sourceOf(row);
  return projectOfAsked(projects, runId, conversationKey) === undefined;
}

function sourceOf(row: Row): QuestionRow["source"] {
  return "subject" in row ? row.subject : row.source;
}

function statusOf({ settled }: Row): WorldDecision["status"] {
  if (settled === null) return "open";
  return choiceIn(settled.outcome) === null ? "expired" : "resolved";
}

function answererOf({ settled }: Row): Answerer | undefined {
  return settled !== null && "by" in settled.outcome ? settled.outcome.by : undefined;
}

/** Clients may name what they ask as they like; the protocol has a form for its own ids. */
function decisionIdFor(ref: string): string {
  return `dec_a${createHash("sha256").update(ref).digest("hex").slice(0, 24)}`;
}
