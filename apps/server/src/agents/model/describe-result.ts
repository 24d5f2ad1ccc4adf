/** A tool's result in one line, for a model that has read it: what it was, and how to get it again. */

/** They change nothing, so that calling them once more costs only what it tells. */
const READERS = new Set([
  "read",
  "list",
  "search",
  "changes",
  "task_result",
  "agents_list",
  "sessions_list",
  "sessions_history",
]);
const MAX_INPUT_CHARS = 160;
const MAX_RESULT_CHARS = 160;

export function describeResult(tool: string, input: unknown, result: string): string {
  const call = `${tool} ${cut(JSON.stringify(input) ?? "", MAX_INPUT_CHARS)}`;
  const size = `${result.length} characters, left out to save space`;
  if (READERS.has(tool)) return `[${call}: ${size}. Call ${tool} again if you need them.]`;
  const [line = ""] = result.trim().split(/[\r\n]/, 1);
  const begins = cut(line, MAX_RESULT_CHARS);
  return `[${call}: ${size}. They began: ${begins} (It was done; call ${tool} again only to do it again.)]`;
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}…`;
}
