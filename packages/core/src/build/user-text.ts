/**
 * What an agent wrote for people, made fit for people: without transport headers, tool calls, traces and other
 * machinery, without characters that are not text, and no longer than anyone reads. Everything of a build that
 * people are shown comes through here.
 */
const HEADERS = ["FROM", "BUILD_ID", "SESSION_ID", "MESSAGE_TYPE", "QUESTION_IDS", "QUESTION_ID"];

/** From an ASCII sign to the wide one that looks like it. */
const WIDE = 0xfee0;

/** A name, however it is set and whatever invisible stands between its letters. */
function inAnySetting(name: string): string {
  const letters = Array.from(name, (letter) => {
    return `[${letter}${String.fromCodePoint((letter.codePointAt(0) ?? 0) + WIDE)}]`;
  });
  return letters.join("\\p{Cf}*");
}

const NAMES = HEADERS.map(inAnySetting).join("|");
/** Headers of the message it was given, repeated: wherever they stand, escaped or not, closed or not. */
const HEADER = new RegExp(
  `\\\\?[[［][\\s\\p{Cf}]*(?:${NAMES})[\\s\\p{Cf}]*[:：][^\\]］\\n]*(?:[\\]］]|$)`,
  "gimu",
);

// Each is made to take time in proportion to the text, whoever wrote it: what may repeat never overlaps what follows.
const MACHINERY: readonly RegExp[] = [
  HEADER,
  /system note:[^\S\n]*headers above.*$/gim,
  // Tool calls as models write them when they should not.
  /<(?:\w{1,20}:)?(tool_call|tool_use|tool_result|function_calls?|function_results?|invoke)\b[\s\S]*?(?:<\/(?:\w{1,20}:)?\1>|$(?![\s\S]))/gim,
  /^[^\S\n]*(?:tool_call|tool_use|tool_result|function_call)[^\S\n]*[:=(].*$/gim,
  // Events that were meant for the machine.
  /^[^\S\n]*\{\s*"type"\s*:\s*"[a-z_.]+".*\}[^\S\n]*$/gm,
  /\bTIDY_(?:BUILD_ID|BUILD_PROMPT|SESSION_ID)\b(?:\s*=\s*\S+)?/g,
  // Where in a program something went wrong; what went wrong is said beside it.
  /^.*\bTraceback \(most recent call last\):.*$/gm,
  /^[ \t>|]*File "[^"\n]*", line \d+.*$(?:\n[^\S\n]{4,}.*$)*/gm,
  /\bat (?:async |new )?[^\s()]+(?: \[as [^\]\n]{0,200}\])? ?\((?=[^()\n]*[a-z/])[^()\n]*:\d+(?::\d+|(?<=\.\w{1,8}:\d{1,9}))\)/gi,
  /^[ \t>|]*at (?:async )?(?:file:|node:|\/|[a-z]:\\|\.{1,2}\/)\S*:\d+:\d+\)?$/gim,
];

const TERMINAL =
  // oxlint-disable-next-line no-control-regex -- sequences that move cursors and set colors
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g;

/** Not text, and what turns the direction of reading or cannot be seen. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;

/** Quotes, lists and code around something that is gone. */
const BARE_MARKUP = /^[\s>*+\-`\\|#]*$/;
/** What is taken out may leave what has to be taken out; nobody writes that by accident more often than this. */
const MAX_ROUNDS = 4;
/** No white space, so that nothing can close up around it. */
const GONE = "…";

export interface CleanText {
  readonly text: string;
  readonly isChanged: boolean;
}

/** `secrets` are what must not be told in any wording: the session's id. */
export function cleanUserText(
  written: string,
  maxChars: number,
  secrets: readonly string[] = [],
): CleanText {
  const plain = written.replaceAll(/\r\n?/g, "\n").replaceAll(TERMINAL, "").replaceAll(UNSEEN, "");
  let text = withoutMachinery(plain);
  for (const secret of secrets) if (secret !== "") text = text.replaceAll(secret, GONE);
  text = text.replaceAll(/\n{3,}/g, "\n\n").trim();
  const letters = Array.from(text);
  if (letters.length > maxChars) text = `${letters.slice(0, maxChars - 1).join("")}…`;
  return { text, isChanged: text !== written.trim() };
}

function withoutMachinery(written: string): string {
  let text = written;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = text;
    for (const pattern of MACHINERY) text = takeOut(text, pattern);
    if (text === before) return text;
  }
  return text.replaceAll(HEADER, GONE);
}

/** What cannot be in the text: it has been taken out of it. */
const MARK = "\u0000";

/** A line that had nothing else is gone with it. */
function takeOut(text: string, pattern: RegExp): string {
  const marked = text.replaceAll(pattern, MARK);
  if (marked === text) return text;
  return marked
    .split("\n")
    .filter((line) => !line.includes(MARK) || !BARE_MARKUP.test(line.replaceAll(MARK, "")))
    .map((line) => line.split(MARK).reduce(closeUp))
    .join("\n");
}

/** As if nothing had ever stood between: one space at most, and none before what ends a clause. */
function closeUp(before: string, after: string): string {
  const next = after.trimStart();
  const last = before.trimEnd();
  if (last === "") return `${before}${next}`;
  const isApart = last !== before || next !== after;
  return next === "" || !isApart || /^[,.;:!?)]/.test(next) ? `${last}${next}` : `${last} ${next}`;
}
