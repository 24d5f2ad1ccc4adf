/** A task as a rehearsing agent reads it: which one it is, what people want changed, and what to ask. */
import type { Dice } from "./dice.ts";

export interface RehearsedTask {
  readonly title: string;
  /** The first of a project is the one that asks. */
  readonly isFirst: boolean;
  /** What people wish to be otherwise, when it comes back. */
  readonly changes: string | undefined;
}

const HEAD = /^Task (?<number>\d+) of \d+: (?<title>.+)$/m;
const CHANGES = /^Changes were requested:\n\n.*:\n(?<wishes>(?:>.*\n?)+)/m;

export function readTask(prompt: string): RehearsedTask {
  const head = HEAD.exec(prompt)?.groups;
  const wishes = CHANGES.exec(prompt)?.groups?.["wishes"];
  return {
    title: head?.["title"] ?? "the task",
    isFirst: head?.["number"] === "1",
    changes: wishes?.replaceAll(/^> ?/gm, "").trim(),
  };
}

/** Trades that hand over words; the others write a program. */
const WRITES_DOCUMENTS = /research|analy|design|writ|edit/i;

export function writesDocuments(role: string): boolean {
  return WRITES_DOCUMENTS.test(role);
}

/** The one thing that is asked about a project when nothing says what to ask. */
export function questionAbout(dice: Dice): { readonly text: string; readonly options: string[] } {
  return dice.pick([
    { text: "Who is the target audience?", options: ["Tech users", "General consumers"] },
    { text: "What matters most here?", options: ["Speed", "Polish", "Cost"] },
    { text: "How bold may it be?", options: ["Play it safe", "Surprise me"] },
  ]);
}
