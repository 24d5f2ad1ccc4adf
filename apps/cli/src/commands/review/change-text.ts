/** What a terminal shows of a change before its diff: files, what was left out, checks and threads. */
import type { Snapshot } from "@atrium/client";
import { visibleText } from "@atrium/wire";
import { columns } from "../../terminal/columns.ts";
import { count, duration } from "../../terminal/measures.ts";
import type { Paint } from "../../terminal/paint.ts";
import { plainLine } from "../../terminal/plain-text.ts";
import { visibleLine } from "./patch-view.ts";
import type { Change, CheckRow, CommentThread, ReviewedFile } from "./read-change.ts";
import { placeOf } from "./remark.ts";

const NAME_LENGTH = 120;
const MAX_CODE_LINES = 6;
const name = (text: string): string => plainLine(visibleText(text), NAME_LENGTH);

function fileRow(file: ReviewedFile, paint: Paint): readonly string[] {
  const { path, from, how, added, removed, flag } = file;
  const counts = added === null || removed === null ? "binary" : `+${added} −${removed}`;
  return [
    how,
    name(from === null ? path : `${from} → ${path}`),
    paint.quiet(counts),
    flag === undefined ? "" : paint.doubtful(`! ${flag} file`),
  ];
}

/** What it is for, what its agent says of it, and what it took. */
export function aimsText(
  { change }: Pick<Snapshot["artifacts"][number], "change">,
  task: Pick<Snapshot["tasks"][number], "accept" | "tokens" | "cost"> | undefined,
  paint: Paint,
): string {
  const { accept = [], tokens = 0, cost } = task ?? {};
  const criteria = accept.map((sentence) => `  [ ] ${paragraph(sentence, "      ")}\n`);
  const spent = [
    tokens === 0 ? "" : count(tokens, "token"),
    cost === undefined ? "" : `$${cost.toFixed(2)}`,
  ].filter((part) => part !== "");
  const parts = [
    change?.is_unfinished === true
      ? paint.doubtful("  Unfinished: its agent came to a limit.\n")
      : "",
    change?.summary === undefined ? "" : `  ${paragraph(change.summary, "  ")}\n`,
    criteria.length === 0 ? "" : `${paint.strong("Done when")}\n${criteria.join("")}`,
    spent.length === 0 ? "" : paint.quiet(`  ${spent.join(", ")}\n`),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `${parts.join("")}\n`;
}

function paragraph(text: string, indent: string): string {
  return visibleText(text).trim().replaceAll("\n", `\n${indent}`);
}

export function overviewText(change: Change, paint: Paint): string {
  const { files, has_more: isCut, omitted, checks, comments } = change;
  const list =
    files.length === 0
      ? "  Nothing differs.\n"
      : columns(files.map((file) => fileRow(file, paint)));
  const left = omitted.map(({ path, why }) => [name(path), paint.quiet(why)]);
  return [
    `${list}${isCut ? "  …\n" : ""}`,
    left.length === 0 ? "" : `${paint.strong("Left out")}\n${columns(left)}`,
    checks.length === 0
      ? ""
      : `${paint.strong("Checks")}\n${columns(checks.map((check) => checkRow(check, paint)))}`,
    comments.length === 0
      ? ""
      : `${paint.strong("Comments")}\n${comments.map((comment) => threadText(comment, paint)).join("")}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function checkRow(check: CheckRow, paint: Paint): readonly string[] {
  const { name: what, state, required: isRequired, ms, exit_code: exitCode } = check;
  const isBad = state === "failed" || state === "error";
  const seen =
    state === "passed" ? paint.good(state) : isBad ? paint.bad(state) : paint.quiet(state);
  const ending = exitCode !== null && exitCode !== 0 ? `exit code ${exitCode}` : "";
  const facts = [isRequired ? "" : "optional", ms === null ? "" : duration(ms), ending];
  return [seen, name(what), paint.quiet(facts.filter((fact) => fact !== "").join(", "))];
}

export function threadText(comment: CommentThread, paint: Paint): string {
  const { comment_id: id, text, code, by, version, place, side } = comment;
  const { answer, resolved_by: resolver } = comment;
  const { path, line, end_line, state } = place;
  const where = name(placeOf({ path, line, end_line, side }));
  const note =
    state === "same"
      ? ""
      : state === "outdated"
        ? ` (outdated, version ${version})`
        : ` (${state})`;
  const lines = code
    .slice(0, MAX_CODE_LINES)
    .map((each) => paint.quiet(`    │ ${visibleLine(each)}`));
  const rest = code.length > MAX_CODE_LINES ? [paint.quiet("    │ …")] : [];
  const words = (who: string, message: string): string =>
    `    ${paint.strong(name(who))}: ${visibleText(message).trim().replaceAll("\n", "\n    ")}`;
  const parts = [
    `  ${paint.link(where)}${paint.doubtful(note)}  ${paint.quiet(name(id))}`,
    ...lines,
    ...rest,
    words(by, text),
    ...(answer === undefined ? [] : [words("answer", answer)]),
    ...(resolver === undefined ? [] : [paint.quiet(`    resolved by ${name(resolver)}`)]),
  ];
  return `${parts.join("\n")}\n`;
}
