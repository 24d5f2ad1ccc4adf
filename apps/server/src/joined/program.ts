/** The programs whose sessions can join, and what each lets Atrium do. The facts are of their present versions. */
import type { DeliveryMoment } from "@atrium/core";
import { textIn, type Fields } from "../agents/turn/json-fields.ts";

/** With what a hook of a program hands words over. */
export type HookMoment = Exclude<DeliveryMoment, "at-once" | "wake">;

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
  /** How it takes words from a hook: as context beside its own, or as the reason to go on. */
  readonly moments: Readonly<Partial<Record<HookMoment, "context" | "reason">>>;
}

const CLAUDE_CODE: JoinedProgram = {
  id: "claude-code",
  title: "Claude Code",
  keepsItsDialog: true,
  canWake: true,
  moments: { "tool-result": "context", "turn-end": "context", prompt: "context" },
};
const CODEX: JoinedProgram = {
  id: "codex",
  title: "Codex",
  keepsItsDialog: false,
  canWake: false,
  moments: { "tool-result": "context", "turn-end": "reason", prompt: "context" },
};
const QWEN: JoinedProgram = {
  id: "qwen",
  title: "Qwen Code",
  keepsItsDialog: false,
  canWake: false,
  moments: { "turn-end": "reason" },
};
const COPILOT: JoinedProgram = {
  id: "copilot",
  title: "Copilot CLI",
  keepsItsDialog: false,
  canWake: false,
  moments: { "turn-end": "reason" },
};

const ALL: ReadonlyMap<string, JoinedProgram> = new Map(
  [CLAUDE_CODE, CODEX, QWEN, COPILOT].map((each) => [each.id, each]),
);

/** What an unknown one can do is nothing. */
export function programNamed(id: string): JoinedProgram {
  return ALL.get(id) ?? { id, title: id, keepsItsDialog: false, canWake: false, moments: {} };
}

/**
 * Whose hook it is, as its report shows: each program keeps its transcripts under names of its own. Variables of the
 * environment tell less, since one program may have started the other.
 */
export function programOf(report: Fields): JoinedProgram {
  const transcript = textIn(report, "transcript_path") ?? "";
  if (/[/\\]rollout-[^/\\]*\.jsonl$/.test(transcript)) return CODEX;
  if (/[/\\]session-state[/\\]/.test(transcript)) return COPILOT;
  if (/[/\\]chats[/\\][^/\\]*\.jsonl$/.test(transcript)) return QWEN;
  if (transcript !== "") return CLAUDE_CODE;
  return "timestamp" in report ? COPILOT : CLAUDE_CODE;
}
