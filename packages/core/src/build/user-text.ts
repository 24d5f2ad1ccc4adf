/**
 * What an agent wrote for people, made fit for people: without transport headers, tool calls and other
 * machinery, without characters that are not text, and no longer than anyone reads.
 */
const MACHINERY: readonly RegExp[] = [
  // Headers of the message it was given, repeated.
  /^\s*\\?\[\s*(?:FROM|BUILD_ID|SESSION_ID|MESSAGE_TYPE|QUESTION_IDS?)\s*:[^\]]*\]\s*/gim,
  /^\s*system note:\s*headers above.*$/gim,
  // Tool calls as models write them when they should not.
  /<(tool_call|tool_use|tool_result|function_calls?|function_results?|invoke)\b[\s\S]*?(?:<\/\1>|$)/gi,
  /^\s*(?:tool_call|tool_use|tool_result|function_call)\s*[:=(].*$/gim,
  // Events that were meant for the machine.
  /^\s*\{\s*"type"\s*:\s*"[a-z_.]+".*\}\s*$/gm,
  /\bTIDY_(?:BUILD_ID|BUILD_PROMPT|SESSION_ID)\b(?:\s*=\s*\S+)?/g,
];

// oxlint-disable-next-line no-control-regex -- these are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

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
  const plain = written.replaceAll("\r\n", "\n").replaceAll(CONTROLS, "");
  let text = MACHINERY.reduce((kept, pattern) => kept.replaceAll(pattern, ""), plain);
  for (const secret of secrets) if (secret !== "") text = text.replaceAll(secret, "…");
  text = text.replaceAll(/\n{3,}/g, "\n\n").trim();
  const letters = Array.from(text);
  if (letters.length > maxChars) text = `${letters.slice(0, maxChars - 1).join("")}…`;
  return { text, isChanged: text !== written.trim() };
}
