/** A tool call as one line: the tool, and the one thing that tells most about it. */
import { own, readJson } from "@atrium/wire";
import { isRecord } from "../../server/settings.ts";
import { plainLine } from "../../terminal/plain-text.ts";

const TELLING = ["command", "path", "file_path", "pattern", "query", "url", "title", "name"];
const MAX_LENGTH = 120;

/** `input` is JSON, and may be cut. */
export function toolLine(tool: string, input: string): string {
  const { value } = readJson(input);
  const words = isRecord(value) ? tellingWord(value) : input;
  return `${plainLine(tool, MAX_LENGTH)} ${plainLine(words, MAX_LENGTH)}`.trimEnd();
}

function tellingWord(value: Readonly<Record<string, unknown>>): string {
  const words = TELLING.map((name) => own(value, name));
  return words.find((each) => typeof each === "string") ?? "";
}
