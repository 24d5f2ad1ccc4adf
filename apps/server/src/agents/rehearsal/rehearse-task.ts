/** A task as a rehearsing agent reads it: which one it is, what it is to pass, why it comes back, and what to ask. */
import type { Dice } from "./dice.ts";

export interface RehearsedTask {
  readonly title: string;
  /** The first of a project is the one that asks. */
  readonly isFirst: boolean;
  /** What people wish to be otherwise, when it comes back. */
  readonly changes: string | undefined;
  /** What they remarked on lines of it. */
  readonly comments: readonly RehearsedRemark[];
  /** The commands that what it makes must pass. */
  readonly checks: string;
  /** It comes back because it did not pass them. */
  readonly isFailed: boolean;
}

export interface RehearsedRemark {
  readonly commentId: string;
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  /** It is about what was there before, which nobody can change. */
  readonly isOld: boolean;
  readonly text: string;
  /** What the lines are to be, word for word. */
  readonly suggestion: string | undefined;
}

const HEAD = /^Task (?<number>\d+) of \d+: (?<title>.+)$/m;
const CHANGES = /^Changes were requested:\n\n.*:\n(?<wishes>(?:>.*\n?)+)/m;
const CHECKS = /^Checks that what you hand over must pass:\n(?<checks>(?:>.*\n?)+)/m;
const FAILED = /^What was handed over did not pass its checks[.:]/m;
const REMARK =
  /^(?<id>cmt_[a-z0-9_]+), by .*, on (?<path>.+), lines? (?<line>\d+)(?: to (?<end>\d+))? (?<place>of .+):\n(?<body>(?:>.*\n?)+)/gm;
const OLD = "of what was there before";
const CODE = /^(?:\|.*\n)*(?:\n|$)/;
const SUGGESTION = /^```suggestion\n(?<lines>[^]*?)^```/m;

export function readTask(prompt: string): RehearsedTask {
  const head = HEAD.exec(prompt)?.groups;
  const wishes = CHANGES.exec(prompt)?.groups?.["wishes"];
  return {
    title: head?.["title"] ?? "the task",
    isFirst: head?.["number"] === "1",
    changes: wishes === undefined ? undefined : unquoted(wishes),
    comments: [...prompt.matchAll(REMARK)].map(({ groups = {} }) => readRemark(groups)),
    checks: unquoted(CHECKS.exec(prompt)?.groups?.["checks"] ?? ""),
    isFailed: FAILED.test(prompt),
  };
}

function readRemark(groups: Readonly<Record<string, string | undefined>>): RehearsedRemark {
  const line = Number(groups["line"]);
  const text = unquoted(groups["body"] ?? "").replace(CODE, "");
  const lines = SUGGESTION.exec(text)?.groups?.["lines"];
  return {
    commentId: groups["id"] ?? "",
    path: groups["path"] ?? "",
    line,
    endLine: groups["end"] === undefined ? line : Number(groups["end"]),
    isOld: groups["place"] === OLD,
    text: text.replace(SUGGESTION, "").trim(),
    suggestion: lines?.replace(/\n$/, ""),
  };
}

function unquoted(text: string): string {
  return text.replaceAll(/^> ?/gm, "").trim();
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
