/**
 * What people are asked outside of any project, as decisions: so that whoever looks at the office sees all that waits
 * for them in one list, wherever it was asked. Pure: the time comes in.
 */
import { createHash } from "node:crypto";
import {
  describeCredential,
  joinedAgentId,
  type Answerer,
  type ApprovalRow,
  type Approvals,
  type BuildRow,
  type Builds,
  type CrewMember,
  type Projects,
  type QuestionRow,
  type Questions,
} from "@atrium/core";
import type { PermissionSubject } from "@atrium/wire";
import { SYSTEM_PROJECT, type WorldDecision } from "@atrium/wire/world";
import { permissionOnWire } from "../../../human-input/permission-on-wire.ts";
import {
  choiceIn,
  listQuestions,
  permissionAsDecision,
  projectOfAsked,
  questionAsDecision,
  whyWithdrawn,
} from "../../../projects/rules/as-decision.ts";
import { omitEmpty } from "../messages/omit-empty.ts";
import { buildQuestionsOnWire, questionsOnWire, type BuildQuestions } from "./questions-on-wire.ts";

export interface OutsideSources {
  readonly projects: Pick<Projects, "ofRun" | "get">;
  readonly approvals: Pick<Approvals, "list">;
  readonly questions: Pick<Questions, "list">;
  readonly builds: Pick<Builds, "open">;
}

export type OutsideDecision =
  | {
      readonly what: "asked";
      readonly ref: string;
      readonly isOpen: boolean;
      readonly by: Answerer | undefined;
    }
  | { readonly what: "build"; readonly build: WaitingBuild };

type WaitingBuild = BuildRow["build"] & { readonly asked: BuildQuestions };

/** For how long an answer is still shown, so that whoever gave it sees that it was taken. */
const SHOWN_AFTER_MS = 10 * 60_000;

export function listOutsideDecisions(
  sources: OutsideSources,
  crew: readonly CrewMember[],
  time: number,
): readonly WorldDecision[] {
  const inTalk = allAsked(sources)
    .filter(({ settled }) => settled === null || settled.at > time - SHOWN_AFTER_MS)
    .filter((row) => isElsewhere(sources, row))
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .map((row) => {
      const { kind, prompt, options, allowsOther } =
        "subject" in row ? permissionAsDecision(row.subject) : questionAsDecision(row.items);
      const { conversationKey } = sourceOf(row);
      const choice = row.settled && choiceIn(row.settled.outcome);
      return {
        decision_id: decisionIdFor(row.id),
        project_id: SYSTEM_PROJECT,
        status: statusOf(row),
        kind,
        prompt,
        options: [...options],
        asked_at: row.createdAt,
        ...omitEmpty({
          allows_other: allowsOther,
          questions: "items" in row && row.settled === null ? questionsOnWire(row) : undefined,
          agent_id: agentIdOf(sourceOf(row), crew),
          session_key: conversationKey,
          choice,
          note: row.settled && whyWithdrawn(row.settled.outcome),
          ...decidedBy(answererOf(row)),
          permission: permissionIn(row, decisionIdFor(row.id), crew),
        }),
      };
    });
  return [...inTalk, ...[...sources.builds.open()].flatMap(askedInBuild)];
}

export function decidedBy(
  answerer: Answerer | null | undefined,
): Pick<WorldDecision, "by" | "by_credential" | "by_from"> {
  const { name: by, credential, from: by_from } = answerer ?? {};
  return omitEmpty({ by, by_credential: credential && describeCredential(credential), by_from });
}

export function permissionIn(
  row: ApprovalRow | QuestionRow | undefined,
  decisionId: string,
  crew: readonly CrewMember[],
): PermissionSubject | undefined {
  if (row === undefined || !("subject" in row) || row.settled !== null) return undefined;
  const agentId = agentIdOf(row.subject, crew);
  return permissionOnWire(row.subject, `/api/world/decisions/${decisionId}/permission`, agentId);
}

function agentIdOf(
  { agent, joinedId }: Pick<QuestionRow["source"], "agent" | "joinedId">,
  crew: readonly CrewMember[],
): string | undefined {
  if (joinedId !== undefined) return joinedAgentId(joinedId);
  return crew.find(({ handle }) => handle === agent)?.id;
}

export function findOutsideDecision(
  sources: OutsideSources,
  decisionId: string,
): OutsideDecision | undefined {
  const building = [...sources.builds.open()]
    .flatMap(({ build }) => waiting(build))
    .find((build) => decisionIdFor(nameOfAsked(build)) === decisionId);
  if (building !== undefined) return { what: "build", build: building };
  const row = allAsked(sources).find(({ id }) => decisionIdFor(id) === decisionId);
  if (row === undefined || !isElsewhere(sources, row)) return undefined;
  return { what: "asked", ref: row.id, isOpen: row.settled === null, by: answererOf(row) };
}

function askedInBuild({ build: row, updatedAt }: BuildRow): readonly WorldDecision[] {
  return waiting(row).map((build) => {
    const { id, agentId, conversationKey, asked } = build;
    const [only] = asked.questions;
    const isAlone = asked.questions.length === 1;
    const listed = listQuestions(
      asked.questions.map(({ prompt, options }) => ({ text: prompt, options })),
    );
    return {
      decision_id: decisionIdFor(nameOfAsked(build)),
      project_id: SYSTEM_PROJECT,
      status: "open",
      kind: "question",
      prompt: isAlone && only !== undefined ? only.prompt : `${asked.prompt}\n${listed}`,
      options: isAlone ? (only?.options.map(({ label }) => label) ?? []) : [],
      ...omitEmpty({ questions: buildQuestionsOnWire(asked) }),
      agent_id: agentId,
      build_id: id,
      session_key: conversationKey,
      asked_at: updatedAt,
    };
  });
}

function waiting(build: BuildRow["build"]): readonly WaitingBuild[] {
  const { stage, asked } = build;
  return stage === "waiting" && asked !== null ? [{ ...build, asked }] : [];
}

function nameOfAsked({ id, asked }: WaitingBuild): string {
  return JSON.stringify([id, asked.questions.map((each) => each.id)]);
}

type Row = ApprovalRow | QuestionRow;

function allAsked({ approvals, questions }: OutsideSources): readonly Row[] {
  return [...approvals.list(), ...questions.list()];
}

function isElsewhere({ projects }: OutsideSources, row: Row): boolean {
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
