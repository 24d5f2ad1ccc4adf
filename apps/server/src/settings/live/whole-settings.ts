/**
 * Settings given as a whole, as OpenClaw's clients give them: what they were shown, changed. What differs from what is
 * shown is the patch, so what is not shown stays, and what is shown only by its mark stays with it.
 */
import { accept, refuse, type Outcome } from "@atrium/core";
import { own } from "@atrium/wire";
import { fieldsOf } from "../../agents/turn/json-fields.ts";
import { REDACTED } from "../public-settings.ts";

type Fields = Readonly<Record<string, unknown>>;

/** `shown` has the crew as `crew`; `wanted` may have it so, or as the file does, as `agents`. */
export function patchTowards(shown: Fields, wanted: Fields): Outcome<Fields> {
  const { crew: wantedCrew, agents: wantedAgents, ...others } = wanted;
  const { crew, ...shownOthers } = shown;
  const isCrewKept = isSame(crew, wantedCrew);
  if (wantedCrew !== undefined && wantedAgents !== undefined && !isCrewKept) {
    return refuse("params.invalid", "crew, agents: both are the crew; change one of them");
  }
  const agents = isCrewKept ? wantedAgents : patchMembers(crew, wantedCrew ?? wantedAgents ?? null);
  const patch = patchBetween(shownOthers, others);
  return withoutMarks(agents === undefined ? patch : { ...patch, agents });
}

/** Has the named places of a patch replaced rather than merged: what they do not name there is removed. */
export function replaceAt(shown: Fields, patch: Fields, paths: readonly string[]): Outcome<Fields> {
  const places = paths.map((path) => path.split("."));
  const replaced = places.reduce((done, place) => replacePlace(shown, done, place), patch);
  return withoutMarks(replaced);
}

function replacePlace(shown: Fields, patch: Fields, place: readonly string[]): Fields {
  const [name = "", ...rest] = place;
  const wanted = own(patch, name);
  if (wanted === undefined || wanted === null) return patch;
  const isCrew = name === "agents" && Array.isArray(wanted);
  const now = isCrew ? own(shown, "crew") : own(shown, name);
  if (rest.length > 0) {
    const inner = replacePlace(fieldsOf(now), fieldsOf(wanted), rest);
    return isFields(wanted) ? { ...patch, [name]: inner } : patch;
  }
  if (isCrew) return { ...patch, [name]: patchMembers(now, wanted) };
  return isFields(wanted) ? { ...patch, [name]: patchBetween(fieldsOf(now), wanted) } : patch;
}

function patchBetween(before: Fields, after: Fields): Fields {
  const gone = Object.keys(before).filter((name) => own(after, name) === undefined);
  const changed = Object.entries(after).flatMap(([name, value]): readonly [string, unknown][] => {
    const was = own(before, name);
    if (isSame(was, value)) return [];
    return [[name, isFields(was) && isFields(value) ? patchBetween(was, value) : value]];
  });
  return Object.fromEntries([...gone.map((name) => [name, null] as const), ...changed]);
}

/** By id; undefined: nobody differs. What is no list of members is left to the schema, which names it. */
function patchMembers(before: unknown, after: unknown): unknown {
  const [was, next] = [membersById(before), membersById(after)];
  if (was === undefined || next === undefined) return after;
  const patch = patchBetween(was, next);
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function membersById(list: unknown): Fields | undefined {
  if (!Array.isArray(list)) return undefined;
  const members = new Map<string, unknown>();
  for (const each of list as readonly unknown[]) {
    const id = own(fieldsOf(each), "id");
    if (typeof id !== "string") return undefined;
    members.set(id, each);
  }
  return Object.fromEntries(members);
}

/** A mark that is where no such value was would become the value. */
function withoutMarks(patch: Fields): Outcome<Fields> {
  const place = findMark(patch, []);
  if (place === undefined) return accept(patch);
  const why = `${REDACTED} stands for a value that is not shown; it cannot be moved or copied`;
  return refuse("params.invalid", `${place.join(".")}: ${why}`);
}

function findMark(value: unknown, place: readonly string[]): readonly string[] | undefined {
  if (value === REDACTED) return place;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, each] of Object.entries(value) as [string, unknown][]) {
    const found = findMark(each, [...place, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
