/**
 * What joining added to settings and leaving has emptied, such as a list of plugins with none left. A program's own
 * removal leaves it behind; it goes, and every other character stays. Pure.
 */
import { editJson, own, withoutComments } from "@atrium/wire";
import { isRecord } from "../../server/settings.ts";

/** `before` and `after` joining; null: there was no file. A text that is not JSON is returned as it is. */
export function withoutEmptied(text: string, before: string | null, after: string | null): string {
  const [now, first, joined] = [text, before ?? "{}", after ?? "{}"].map(parse);
  let edited = text;
  for (const path of emptiedIn(now, first, joined)) edited = editJson(edited, { path });
  return edited;
}

/** The outermost of each. */
function emptiedIn(now: unknown, first: unknown, joined: unknown): readonly (readonly string[])[] {
  if (!isRecord(now) || !isRecord(joined)) return [];
  return Object.entries(now).flatMap(([name, value]) => {
    const [earlier, added] = [isRecord(first) ? own(first, name) : undefined, own(joined, name)];
    const isNew = earlier === undefined && added !== undefined && !isEmpty(added);
    if (isNew && isEmpty(value)) return [[name]];
    return emptiedIn(value, earlier, added).map((path) => [name, ...path]);
  });
}

/** Nothing in it, but what has nothing in it either. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.values(value).every((each) => isEmpty(each));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(withoutComments(text));
  } catch {
    return undefined;
  }
}
