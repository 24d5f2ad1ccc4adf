/** The programs whose sessions can join, and what each lets Atrium do. The facts are of their present versions. */
import type { DeliveryMoment } from "@atrium/core";
import { textIn, type Fields } from "../agents/turn/json-fields.ts";

/** With what a hook of a program hands words over. */
export type HookMoment = Exclude<DeliveryMoment, "wake">;

/**
 * How a program takes words from a hook: as context beside its own, in the shape that Claude Code has or in a plain one,
 * as the reason to go on, or, by a plugin of ours, as they are.
 */
export type MessageShape = "context" | "plain-context" | "reason" | "text";

/** The tool by which a program asks its user questions. */
export interface QuestionTool {
  readonly name: string;
  /** Whether an answer in one's own words is taken beside the options. */
  readonly allowsOther: (question: Fields) => boolean;
  /** How it takes the answers: under the texts of the questions, or a list for each in their order. */
  readonly answerShape: "by-text" | "in-order";
}

export interface JoinedProgram {
  readonly id: string;
  readonly title: string;
  /**
   * While a hook waits for people here, its terminal shows its own dialog, and the first answer counts. Where it is not
   * so, a waiting hook would keep the dialog from opening.
   */
  readonly keepsItsDialog: boolean;
  /** A hook in the background of an idle session can make it go on. */
  readonly canWake: boolean;
  /** Its sessions have our tools for tasks, by the MCP server of the plugin. */
  readonly hasTaskTools: boolean;
  /** How it takes the answer to what it asks; null: a hook cannot allow anything. */
  readonly verdictShape: "decision" | "plain" | null;
  /** The kind of notification that tells that its dialog is open; left out: what it asks of the hook tells. */
  readonly dialogNotice?: string;
  readonly moments: Readonly<Partial<Record<HookMoment, MessageShape>>>;
  /** Left out: it has none that can be answered here. */
  readonly questionTool?: QuestionTool;
  /** Its own names for events, by which Claude Code's are meant. */
  readonly eventNames?: ReadonlyMap<string, string>;
}

const CLAUDE_CODE: JoinedProgram = {
  id: "claude-code",
  title: "Claude Code",
  keepsItsDialog: true,
  canWake: true,
  hasTaskTools: true,
  verdictShape: "decision",
  moments: { "tool-result": "context", "turn-end": "context", prompt: "context" },
  questionTool: { name: "AskUserQuestion", allowsOther: () => true, answerShape: "by-text" },
};
const CODEX: JoinedProgram = {
  id: "codex",
  title: "Codex",
  keepsItsDialog: false,
  canWake: false,
  hasTaskTools: true,
  verdictShape: "decision",
  moments: { "tool-result": "context", "turn-end": "reason", prompt: "context" },
};
const QWEN: JoinedProgram = {
  id: "qwen",
  title: "Qwen Code",
  keepsItsDialog: false,
  canWake: false,
  hasTaskTools: true,
  verdictShape: "decision",
  moments: { "tool-result": "context", "turn-end": "reason", prompt: "context" },
};
const COPILOT: JoinedProgram = {
  id: "copilot",
  title: "Copilot CLI",
  keepsItsDialog: false,
  canWake: false,
  hasTaskTools: true,
  verdictShape: "plain",
  // Its hook for permissions is also called for what nobody is asked about.
  dialogNotice: "permission_prompt",
  moments: { "tool-result": "plain-context", "turn-end": "reason", prompt: "plain-context" },
};
const GEMINI: JoinedProgram = {
  id: "gemini",
  title: "Gemini CLI",
  keepsItsDialog: false,
  canWake: false,
  hasTaskTools: false,
  verdictShape: null,
  dialogNotice: "ToolPermission",
  moments: { "tool-result": "context", "turn-end": "reason", prompt: "context" },
  eventNames: new Map([
    ["BeforeAgent", "UserPromptSubmit"],
    ["BeforeTool", "PreToolUse"],
    ["AfterTool", "PostToolUse"],
    ["AfterAgent", "Stop"],
  ]),
};

const OPENCODE: JoinedProgram = {
  id: "opencode",
  title: "opencode",
  keepsItsDialog: true,
  canWake: false,
  hasTaskTools: false,
  verdictShape: "plain",
  dialogNotice: "question",
  moments: { "at-once": "text" },
  questionTool: {
    name: "question",
    allowsOther: ({ custom }) => custom !== false,
    answerShape: "in-order",
  },
};

const ALL: ReadonlyMap<string, JoinedProgram> = new Map(
  [CLAUDE_CODE, CODEX, QWEN, COPILOT, GEMINI, OPENCODE].map((each) => [each.id, each]),
);

export const QUESTION_TOOLS: ReadonlySet<string> = new Set(
  [...ALL.values()].flatMap(({ questionTool }) => questionTool?.name ?? []),
);

/** Of those whose sessions can be seen, but do not join. */
const TITLES: ReadonlyMap<string, string> = new Map([["cline", "Cline"]]);

const UNABLE = {
  keepsItsDialog: false,
  canWake: false,
  hasTaskTools: false,
  verdictShape: null,
  moments: {},
} as const;

/** What an unknown one can do is nothing. */
export function programNamed(id: string): JoinedProgram {
  const title = TITLES.get(id) ?? id;
  return ALL.get(id) ?? { id, title, ...UNABLE };
}

/**
 * Whose hook it is: as its script was told when it was installed, else as its report shows, because each program keeps
 * its transcripts under names of its own. Variables of the environment tell less, since one program may have started
 * the other.
 */
export function programOf(report: Fields, named: string | null): JoinedProgram {
  const known = named === null ? undefined : ALL.get(named);
  if (known !== undefined) return known;
  const transcript = textIn(report, "transcript_path") ?? "";
  if (/[/\\]rollout-[^/\\]*\.jsonl$/.test(transcript)) return CODEX;
  if (/[/\\]session-state[/\\]/.test(transcript)) return COPILOT;
  if (/[/\\]chats[/\\][^/\\]*\.jsonl$/.test(transcript)) return QWEN;
  if (transcript !== "") return CLAUDE_CODE;
  return "timestamp" in report ? COPILOT : CLAUDE_CODE;
}
