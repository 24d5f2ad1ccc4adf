/**
 * Remarks on lines, dealt with: the lines are changed as a suggestion has them, or marked with what was wished, and each
 * remark is answered. What is not as the remark has it is left alone, and the answer says so.
 */
import type { TurnEvent } from "../turn/agent-runtime.ts";
import { firstLine, type UseTool } from "./hands.ts";
import type { RehearsedRemark } from "./rehearse-task.ts";

const MAX_WISH_CHARS = 200;
const NUMBERED = /^(?<number>\d+)\t(?<text>.*)$/;
/** How a note is written at the end of a line, by what the file's name ends with. */
const NOTES: readonly (readonly [RegExp, (note: string) => string])[] = [
  [/\.(?:[cm]?[jt]sx?|css|go|rs|java|c|h|cpp|swift)$/, (note) => ` // ${note}`],
  [/\.(?:sh|py|rb|ya?ml|toml)$/, (note) => ` # ${note}`],
  [/\.(?:md|txt)$/, (note) => ` (${note})`],
];

/** Returns the files that it changed. */
export async function* answerRemarks(
  use: UseTool,
  remarks: readonly RehearsedRemark[],
): AsyncGenerator<TurnEvent, readonly string[]> {
  const changed = new Set<string>();
  // From the end of a file to its beginning: what is further up keeps its place.
  for (const remark of remarks.toSorted((a, b) => b.line - a.line)) {
    const problem = yield* change(use, remark);
    if (problem === undefined) changed.add(remark.path);
    const { commentId } = remark;
    yield* use("answer_comment", { commentId, text: problem ?? answerTo(remark) });
  }
  return [...changed];
}

/** Why it could not be done, if so. */
async function* change(
  use: UseTool,
  { path, line, endLine, isOld, text, suggestion }: RehearsedRemark,
): AsyncGenerator<TurnEvent, string | undefined> {
  if (isOld) return "Those lines are no longer there, so I left it at that.";
  const file = yield* use("read", { path });
  if (file.isError) return `I could not read ${path}: ${firstLine(file)}`;
  const lines = linesIn(file.text);
  const old = lines.slice(line - 1, endLine);
  if (old.length === 0) return `${path} has no line ${line} any more.`;
  const replacement = suggestion?.split("\n") ?? noted(path, old, text);
  if (replacement === undefined) return `I do not know how to write a note in ${path}.`;
  const edit = uniqueEdit(lines, { from: line - 1, to: line - 1 + old.length }, replacement);
  if (edit.old === edit.new) return undefined;
  const result = yield* use("edit", { path, ...edit });
  return result.isError ? `I could not change it: ${firstLine(result)}` : undefined;
}

function answerTo({ line, text, suggestion }: RehearsedRemark): string {
  if (suggestion !== undefined) return "Taken over as you wrote it.";
  return `Line ${line} now has it: “${shortened(text)}”. (Rehearsal: a model would have reworked it.)`;
}

function noted(
  path: string,
  lines: readonly string[],
  wish: string,
): readonly string[] | undefined {
  const write = NOTES.find(([name]) => name.test(path))?.[1];
  const last = lines.length - 1;
  return (
    write &&
    lines.map((text, at) => (at === last ? text + write(`wished: ${shortened(wish)}`) : text))
  );
}

/** With as many lines around it as make it the only one of its kind. */
function uniqueEdit(
  lines: readonly string[],
  range: { readonly from: number; readonly to: number },
  replacement: readonly string[],
): { readonly old: string; readonly new: string } {
  const whole = lines.join("\n");
  let { from, to } = range;
  const old = (): string => lines.slice(from, to).join("\n");
  while (isRepeated(whole, old()) && (from > 0 || to < lines.length)) {
    if (from > 0) from -= 1;
    if (to < lines.length) to += 1;
  }
  const after = [...lines.slice(from, range.from), ...replacement, ...lines.slice(range.to, to)];
  return { old: old(), new: after.join("\n") };
}

function isRepeated(whole: string, part: string): boolean {
  return part === "" || whole.indexOf(part) !== whole.lastIndexOf(part);
}

function linesIn(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => NUMBERED.exec(line)?.groups?.["text"] ?? []);
}

/** In one line, without anything that would end a comment or a line. */
function shortened(wish: string): string {
  const line = wish.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const cut = line.length > MAX_WISH_CHARS ? `${line.slice(0, MAX_WISH_CHARS)}…` : line;
  return cut.toWellFormed();
}
