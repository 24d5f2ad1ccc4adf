/** Rules that SPEC.md files promise, and the tests that cite them. */
import type { SourceFile } from "./source-files.ts";

const RULE = /\*\*([A-Z][A-Z0-9]*-\d+)\*\*/g;
// A title opens with its ids: "[LOG-1] …", "[LOG-1] [LOG-2] …" or "[LOG-1, LOG-2] …".
const TITLE = /["'`]((?:\[[A-Z][A-Z0-9]*-\d+(?:, ?[A-Z][A-Z0-9]*-\d+)*\] ?)+)/g;
const ID = /[A-Z][A-Z0-9]*-\d+/g;

export function specProblems(specs: readonly SourceFile[], tests: readonly SourceFile[]): string[] {
  const promised = placesOf(specs, rulesIn);
  const cited = placesOf(tests, citationsIn);
  return [
    ...[...promised].flatMap(([rule, places]) => [
      ...(places.length > 1
        ? [`${rule} is promised ${places.length} times: ${places.join(", ")}`]
        : []),
      ...(cited.has(rule) ? [] : [`${rule} is promised in ${places[0]}, but no test cites it`]),
    ]),
    ...[...cited]
      .filter(([rule]) => !promised.has(rule))
      .map(([rule, places]) => `${rule} is cited in ${places[0]}, but no SPEC.md promises it`),
  ];
}

export function rulesIn(text: string): string[] {
  return [...text.matchAll(RULE)].map((match) => match[1] ?? "");
}

export function citationsIn(text: string): string[] {
  return [...text.matchAll(TITLE)].flatMap((match) => match[1]?.match(ID) ?? []);
}

function placesOf(
  files: readonly SourceFile[],
  find: (text: string) => string[],
): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const { path, text } of files) {
    for (const id of find(text)) places.set(id, [...(places.get(id) ?? []), path]);
  }
  return places;
}
