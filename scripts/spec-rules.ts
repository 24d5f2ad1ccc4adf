/** Rules that SPEC.md files promise, and the tests that cite them. */
import type { SourceFile } from "./source-files.ts";

const RULE = /\*\*([A-Z][A-Z0-9]*-\d+)\*\*/g;
// A title opens with its ids: "[LOG-1] …", "[LOG-1] [LOG-2] …" or "[LOG-1, LOG-2] …".
const TITLE = /["'`]((?:\[[A-Z][A-Z0-9]*-\d+(?:, ?[A-Z][A-Z0-9]*-\d+)*\] ?)+)/g;
const ID = /[A-Z][A-Z0-9]*-\d+/g;
// A rule with its sentence, up to the next rule, heading or empty line.
const SENTENCE = /\*\*([A-Z][A-Z0-9]*)-(\d+)\*\*((?:[^\n]|\n(?!\n|\s*- |#))*)/g;
const MAX_RULES = 60;
const MAX_RULE_CHARACTERS = 200;

export function specProblems(specs: readonly SourceFile[], tests: readonly SourceFile[]): string[] {
  const promised = placesOf(specs, rulesIn);
  const cited = placesOf(tests, citationsIn);
  return [
    ...layoutProblems(specs),
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

/** A file has one prefix of its own, in ascending order, few rules, and short ones. */
function layoutProblems(specs: readonly SourceFile[]): string[] {
  const files = new Map<string, string>();
  return specs.flatMap(({ path, text }) => {
    const rules = [...text.matchAll(SENTENCE)].map(([, prefix = "", number, sentence = ""]) => ({
      id: `${prefix}-${number}`,
      prefix,
      number: Number(number),
      characters: sentence.trim().replaceAll(/\s+/g, " ").length,
    }));
    const [prefix, ...others] = new Set(rules.map((rule) => rule.prefix));
    if (prefix === undefined) return [`${path} promises nothing`];
    const owner = files.get(prefix) ?? path;
    files.set(prefix, owner);
    return [
      ...(others.length > 0
        ? [`${path} has several prefixes: ${prefix}, ${others.join(", ")}`]
        : []),
      ...(owner === path ? [] : [`${path} and ${owner} share the prefix ${prefix}`]),
      ...(rules.length > MAX_RULES ? [`${path} has ${rules.length} rules of ${MAX_RULES}`] : []),
      ...rules
        .filter(({ number }, index) => number <= (rules[index - 1]?.number ?? 0))
        .map(({ id }) => `${id} is out of order in ${path}`),
      ...rules
        .filter(({ characters }) => characters > MAX_RULE_CHARACTERS)
        .map(
          ({ id, characters }) => `${id} has ${characters} characters of ${MAX_RULE_CHARACTERS}`,
        ),
    ];
  });
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
