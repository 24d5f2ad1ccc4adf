/** Puts something hostile into one place of a value: for a text, a number, a whole part, or the name of a member. */
import type { Chance } from "./chance.ts";
import { hostileNumber, hostileText, hostileValue } from "./hostile.ts";

type Path = readonly (string | number)[];

export function mutate(value: unknown, chance: Chance, ids: readonly string[] = []): unknown {
  const paths = pathsIn(value);
  if (paths.length === 0) return hostileValue(chance, ids);
  const path = chance.pick(paths);
  const isName = typeof path.at(-1) === "string" && chance.percent(8);
  // Mostly of the same kind, so that it gets past whoever checks shapes.
  const isKept = chance.percent(85);
  const changed = isName
    ? rename(value, path, hostileText(chance, ids))
    : replace(value, path, (old) => {
        if (typeof old === "string" && isKept) return hostileText(chance, ids);
        return typeof old === "number" && isKept
          ? hostileNumber(chance)
          : hostileValue(chance, ids);
      });
  return chance.percent(20) ? mutate(changed, chance, ids) : changed;
}

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null || path.length > 8) return [];
  return entriesOf(value).flatMap(([name, each]) => [
    [...path, name],
    ...pathsIn(each, [...path, name]),
  ]);
}

function entriesOf(value: object): [string | number, unknown][] {
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value);
}

function replace(value: unknown, path: Path, by: (old: unknown) => unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return by(value);
  const members = entriesOf(value as object).map(
    ([name, each]) => [name, name === first ? replace(each, rest, by) : each] as const,
  );
  return Array.isArray(value) ? members.map(([, each]) => each) : Object.fromEntries(members);
}

function rename(value: unknown, path: Path, to: string): unknown {
  const last = path.at(-1);
  return replace(value, path.slice(0, -1), (parent) =>
    Object.fromEntries(
      Object.entries(parent as object).map(([name, each]) => [name === last ? to : name, each]),
    ),
  );
}
