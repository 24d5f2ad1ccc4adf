/** What is too much to be taken, said before it is sent: by whoever wrote it, in their words. Pure. */
import { WORLD_LIMITS } from "@atrium/wire/world";
import type { Texts } from "../../i18n/texts.ts";
import type { SentCommand } from "../../world/world.ts";

export function findTooLong({ name, data }: SentCommand, words: Texts): string | undefined {
  switch (name) {
    case "submit_request":
    case "chat":
      return tooLong(data.text, WORLD_LIMITS.text, words);
    case "request_changes":
      return tooLong(data.instructions, WORLD_LIMITS.text, words);
    case "resolve_decision":
      return (
        [data.choice ?? "", ...(data.answers ?? []).flatMap(({ choices }) => choices)]
          .map((choice) => tooLong(choice, WORLD_LIMITS.answer, words))
          .find((problem) => problem !== undefined) ??
        tooLong(data.note ?? "", WORLD_LIMITS.answer, words)
      );
    case "split_into_tasks":
      return tooManyTitles(data.task_titles, words);
    default:
      return undefined;
  }
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
