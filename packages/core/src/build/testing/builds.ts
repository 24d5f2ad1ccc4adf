/** Builds for tests: facts, lines, and what a sequence of commands leaves. */
import type { ApprovalSubject } from "../../approval/approval.ts";
import type { Answerer } from "../../people/answerer.ts";
import { build } from "../build.ts";
import type {
  QuestionSet,
  BuildCommand,
  BuildEvent,
  BuildFacts,
  BuildQuestion,
  AgentBuildEvent,
  BuildFeedEvent,
} from "../events.ts";
import type { Build } from "../state.ts";
import type { BuildWait } from "../waits.ts";

export const STEP_IDS = [
  "build_record",
  "parse",
  "research",
  "design",
  "assemble",
  "validate",
  "finalize",
] as const;

export const facts: BuildFacts = {
  id: "b1",
  prompt: "a bot that waters plants",
  agentId: "agent_bd",
  handle: "main",
  conversationKey: "agent:main:build:b1",
  sessionId: "0f0e0d0c-0000-4000-8000-000000000001",
  steps: STEP_IDS.map((id) => ({ id, title: `Title of ${id}`, description: `Doing ${id} now.` })),
};

export const ann: Answerer = { id: "a", name: "Ann", via: "gateway" };
export const START = { type: "start", ...facts } as const;
/** In a repository with one check that must pass and one that need not. */
export const CHECKED_START: Extract<BuildCommand, { readonly type: "start" }> = {
  ...START,
  repository: "shop",
  checks: [
    { name: "test", command: ["npm", "test"], required: true },
    { name: "lint", command: ["npm", "run", "lint"], required: false },
  ],
};

export const running: AgentBuildEvent = { what: "status", status: "running", output: null };
export const complete: AgentBuildEvent = { what: "status", status: "complete", output: "A bot." };
export const failed: AgentBuildEvent = { what: "status", status: "failed", output: null };

export function begin(
  stepId: string,
  more: Partial<AgentBuildEvent & { what: "step-started" }> = {},
): AgentBuildEvent {
  const blank = { title: null, description: null, index: null, total: null };
  return { what: "step-started", stepId, ...blank, ...more };
}

export function finish(stepId: string): AgentBuildEvent {
  return { what: "step-completed", stepId };
}

/** Every step, begun and finished. */
export const allSteps: readonly AgentBuildEvent[] = STEP_IDS.flatMap((id) => [
  begin(id),
  finish(id),
]);

export function choice(id: string, ...optionIds: readonly string[]): BuildQuestion {
  const options = optionIds.map((name) => ({ id: name, label: `The ${name}`, description: null }));
  return { id, prompt: `Which ${id}?`, input: "single_choice", options, isRequired: true };
}

export function open(id: string): BuildQuestion {
  return { id, prompt: `What ${id}?`, input: "text", options: [], isRequired: true };
}

export function ask(...questions: readonly BuildQuestion[]): AgentBuildEvent & QuestionSet {
  const [only] = questions;
  const setId = questions.length === 1 ? null : "set";
  return { what: "asked", setId, prompt: only?.prompt ?? "", questions, requiresAll: true };
}

/** A permission that the agent needs in the middle of its turn. */
export function waitFor(id: string): BuildWait {
  const subject: ApprovalSubject = {
    tool: "shell",
    summary: "npm test",
    cwd: "/work",
    host: null,
    nodeId: null,
    warning: null,
    conversationKey: facts.conversationKey,
    runId: "build:b1:1",
    agent: "main",
    askedBy: "agent",
    mayAlways: true,
  };
  const size = subject.summary.length;
  return { kind: "permission", id, code: "abcde", expiresAt: 1, subject, isWhole: true, size };
}

export function record(event: AgentBuildEvent, line: number, runId = "build:b1:1"): BuildCommand {
  const parsed = { ok: true, event, repairs: [] } as const;
  return { type: "record", origin: { runId, line }, text: JSON.stringify(event), parsed };
}

export interface PlayedBuild {
  readonly state: Build;
  readonly events: readonly BuildEvent[];
  readonly refusals: readonly string[];
}

export function play(...commands: readonly BuildCommand[]): PlayedBuild {
  let state = build.initial;
  const events: BuildEvent[] = [];
  const refusals: string[] = [];
  for (const command of commands) {
    const outcome = build.decide(state, command);
    if (!outcome.ok) {
      refusals.push(`${outcome.code}: ${outcome.detail ?? ""}`);
      continue;
    }
    for (const event of outcome.value) state = build.evolve(state, event);
    events.push(...outcome.value);
  }
  return { state, events, refusals };
}

/** The agent's lines of the first turn, after the start. */
export function playLines(...events: readonly AgentBuildEvent[]): PlayedBuild {
  return play(START, ...events.map((event, at) => record(event, at + 1)));
}

export function tellingsOf({ events }: PlayedBuild): readonly BuildFeedEvent[] {
  return events.flatMap((event) => (event.type === "build.told" ? [event.telling] : []));
}

/** In a word each, for comparing. */
export function told(played: PlayedBuild): readonly string[] {
  return tellingsOf(played).map((telling) => {
    switch (telling.what) {
      case "step-started":
        return `> ${telling.stepId}`;
      case "step-completed":
        return `< ${telling.stepId}`;
      case "status":
        return `status ${telling.status}`;
      case "message":
        return telling.text;
      case "checks-finished":
        return `checks ${telling.verdict}`;
      case "checks-started":
      case "wait-began":
      case "wait-ended":
      case "started":
      case "asked":
      case "answered":
      case "completed":
      case "failed":
        return telling.what;
    }
  });
}

export function whys({ events }: PlayedBuild, type: "build.rejected" | "build.repaired"): string[] {
  return events.flatMap((event) => (event.type === type ? [event.why] : []));
}
