/**
 * What a permission is asked for, as people read it and as it is compared. Both are of the whole of it: what is read is
 * made from the input itself and never worded beside it, and two inputs are the same when nothing in them differs.
 */
import type { ApprovalSubject, ApprovalWrite } from "./approval.ts";

/** What a tool does is in one of these, as a rule; it is read first. */
const MAIN_FIELDS = ["command", "file_path", "notebook_path", "path", "url", "query", "prompt"];

export interface Reading {
  /** What is read first. */
  readonly summary: string;
  /** All the rest; empty when there is none. */
  readonly rest: string;
}

/** All of an input, in words. */
export function readInput(input: unknown): Reading {
  if (typeof input === "string") return { summary: input, rest: "" };
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return { summary: canonicalJson(input), rest: "" };
  }
  const fields = Object.entries(input);
  const main = MAIN_FIELDS.find((name) =>
    fields.some(([field, value]) => field === name && typeof value === "string" && value !== ""),
  );
  const first = fields.find(([field]) => field === main);
  if (first === undefined) return { summary: canonicalJson(input), rest: "" };
  const rest = fields.filter((field) => field !== first);
  return { summary: String(first[1]), rest: rest.map(fieldInWords).join("\n") };
}

function fieldInWords([name, value]: readonly [string, unknown]): string {
  if (typeof value !== "string") return `${name}: ${canonicalJson(value)}`;
  // Text of several lines stands by itself, set in, so that its end is seen.
  return value.includes("\n") ? `${name}:\n${indented(value)}` : `${name}: ${value}`;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

/** What the tool would be given. */
export function inputOf({ input, summary }: ApprovalSubject): unknown {
  return input ?? summary;
}

/** All that there is to read of it, but what is said about it. */
export function wholeText(subject: ApprovalSubject): string {
  const { summary, rest } = readInput(inputOf(subject));
  return rest === "" ? summary : `${summary}\n\n${rest}`;
}

/** Characters of all there is to read. */
export function readSize(subject: ApprovalSubject): number {
  const { details = "" } = subject;
  const texts = [wholeText(subject), details, ...writesOf(subject).map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** What would be written: as the asker tells, or as the input of a tool that writes files shows. */
export function writesOf(subject: ApprovalSubject): readonly ApprovalWrite[] {
  if (subject.writes !== undefined) return subject.writes;
  const fields = fieldsIn(subject.input);
  const text = (name: string): string | undefined => {
    const value = fields.get(name);
    return typeof value === "string" ? value : undefined;
  };
  const path = text("file_path") ?? text("notebook_path") ?? text("path");
  if (path === undefined) return [];
  const written = text("content") ?? text("new_source");
  if (written !== undefined) return [{ path, text: written }];
  const edits = fields.get("edits");
  const changes = (Array.isArray(edits) ? edits : [subject.input]).flatMap(changeIn);
  return changes.length === 0 ? [] : [{ path, text: changes.join("\n") }];
}

function changeIn(edit: unknown): readonly string[] {
  const fields = fieldsIn(edit);
  const [from, to] = [fields.get("old_string"), fields.get("new_string")];
  return typeof from === "string" && typeof to === "string"
    ? [`${marked("-", from)}${marked("+", to)}`.trimEnd()]
    : [];
}

function marked(mark: string, text: string): string {
  return text === "" ? "" : `${text.replaceAll(/^/gm, `${mark} `)}\n`;
}

/** Tools name their fields as they like. */
function fieldsIn(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
}

/** The same for the same value, in whatever order its members came. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => sorted(part)) ?? "null";
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // Defined, not assigned: a member may have any name.
  return Object.fromEntries(entries);
}

/** What tells two inputs apart: all of what would be given to the tool, and of what it says it would write. */
export function canonicalInput(subject: ApprovalSubject): string {
  const { writes } = subject;
  const input = inputOf(subject);
  return canonicalJson(writes === undefined ? { input } : { input, writes });
}
