/** Names: a type is a noun with one meaning, and a value is called after what it is. */
import { posix } from "node:path";
import type { SourceFile } from "./source-files.ts";

const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (?<name>[A-Za-z0-9_]+)/gm;
const LIMIT = /^(?:export )?const (?<name>(?:MOST|LONGEST|DEEPEST|LARGEST|SHORTEST|LEAST)_?\w*)/gm;
const TEST_FILE = /\.(?:test|contract)\.tsx?$|\/testing\//;

/** Past participles and riddles: a type is called after what it is, not after what was done to it. */
const NOT_NAMES: ReadonlySet<string> = new Set([
  "Asked",
  "Asking",
  "Begun",
  "Belt",
  "Chosen",
  "Cut",
  "Denied",
  "Doorman",
  "Drawn",
  "Ear",
  "Filed",
  "Given",
  "Handed",
  "Happening",
  "Heard",
  "Hearing",
  "Held",
  "Kept",
  "Known",
  "Made",
  "Played",
  "Said",
  "Seen",
  "Shown",
  "Spoken",
  "Taken",
  "Telling",
  "Told",
  "Wanted",
  "Words",
]);

/** What was done to a value, as the name of a variable, parameter, function or private member. */
const DEED = "asked|asking|hear|heard|hearing|said|saying|sayings|telling|tellings|told";
const VALUE = new RegExp(
  `(?:\\b(?:const|let|function)\\*? |#|\\()(?<name>${DEED})(?=: |\\) =>| = |\\(|\\) \\{$)`,
  "gm",
);

/** Which sources can meet in one file: an app with the packages it may import. */
const WORLDS: readonly (readonly string[])[] = [
  ["apps/server", "packages/core", "packages/log", "packages/wire"],
  ["apps/web", "packages/client", "packages/wire"],
  ["apps/cli", "packages/client", "packages/wire"],
  ["apps/plugin", "packages/wire"],
];

/** The same thing on two sides of a door: as the core keeps it, and as the wire or the turn carries it. */
const SAME_THING: ReadonlySet<string> = new Set([
  "AgentGoal",
  "AgentState",
  "AlwaysScope",
  "ApprovalRule",
  "BuildEvent",
  "Goal",
  "Heartbeat",
  "NodeRow",
  "Position",
  "Question",
  "SuggestedAction",
  "ToolCall",
  "ToolResult",
]);

export function nameProblems(files: readonly SourceFile[]): readonly string[] {
  const sources = files.filter(({ path }) => !TEST_FILE.test(path));
  return [...sources.flatMap(oddNames), ...WORLDS.flatMap((world) => twins(world, sources))];
}

function oddNames({ path, text }: SourceFile): readonly string[] {
  const types = namesIn(EXPORTED, text).filter((name) => NOT_NAMES.has(name));
  const limits = namesIn(LIMIT, text);
  const values = new Set(namesIn(VALUE, text));
  return [
    ...types.map((name) => `${path}: ${name} is no noun; name what the thing is`),
    ...limits.map((name) => `${path}: ${name}; limits are MAX_ or MIN_ with a noun and a unit`),
    ...[...values].map((name) => `${path}: ${name} is a value; name what it is, not what was done`),
  ];
}

function twins(world: readonly string[], files: readonly SourceFile[]): readonly string[] {
  const places = new Map<string, string[]>();
  for (const { path, text } of files) {
    if (!world.includes(path.split("/").slice(0, 2).join("/"))) continue;
    for (const name of new Set(namesIn(EXPORTED, text))) {
      places.set(name, [...(places.get(name) ?? []), posix.normalize(path)]);
    }
  }
  return [...places]
    .filter(([name, { length }]) => length > 1 && !SAME_THING.has(name))
    .map(([name, paths]) => `${name} is a type in ${paths.join(" and in ")}; name them apart`);
}

function namesIn(pattern: RegExp, text: string): readonly string[] {
  return Array.from(text.matchAll(pattern), ({ groups }) => groups?.["name"] ?? "");
}
