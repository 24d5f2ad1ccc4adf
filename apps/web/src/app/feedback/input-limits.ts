/** What is too much to be taken, said before it is sent: by whoever wrote it, in their words. Pure. */
import { WORLD_LIMITS } from "@atrium/wire/world";
import type { Texts } from "../../i18n/texts.ts";
import type { SentCommand } from "../../world/world.ts";

export function findTooLong({ name, data }: SentCommand, words: Texts): string | undefined {
  if (name === "submit_request" || name === "chat") {
    return tooLong(data.text, WORLD_LIMITS.text, words);
  }
  if (name === "request_changes") return tooLong(data.instructions, WORLD_LIMITS.text, words);
  if (name === "split_into_tasks") return tooManyTitles(data.task_titles, words);
  if (name !== "resolve_decision") return undefined;
  const { choice = "", answers = [], note = "" } = data;
  return [choice, ...answers.flatMap(({ choices }) => choices), note]
    .map((text) => tooLong(text, WORLD_LIMITS.answer, words))
    .find((problem) => problem !== undefined);
}

/** Of what something is split into: how many too many, and which line is too long for a title. */
export function tooManyTitles(titles: readonly string[], words: Texts): string | undefined {
  const { titles: most, title: longest } = WORLD_LIMITS;
  if (titles.length > most) return words.tooManyTitles(titles.length, most);
  const at = titles.findIndex((title) => charactersIn(title) > longest);
  const long = titles[at];
  return long === undefined ? undefined : words.titleTooLong(at + 1, charactersIn(long), longest);
}

function tooLong(text: string, most: number, words: Texts): string | undefined {
  const count = charactersIn(text);
  return count > most ? words.tooLong(count, most) : undefined;
}

/** As the protocol counts them. */
function charactersIn(text: string): number {
  return Array.from(text).length;
}

export function linesIn(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}
