/**
 * A patch of the settings, as edits of their file. It is a JSON merge patch (RFC 7396): what it names is
 * set, null removes, the rest stays. Agents are named by id, in an object or, as OpenClaw's clients
 * do it, in a list; so one of them is changed without knowing the others.
 */
import { BUILT_IN_CREW, accept, refuse, type Outcome } from "@atrium/core";
import { own, type JsonEdit } from "@atrium/wire";

type Fields = Readonly<Record<string, unknown>>;

export interface PlannedEdit extends JsonEdit {
  /** The same place with agents by their id. */
  readonly names: readonly string[];
}

/** `file` is what the settings file says now. A patch that is repeated may remove whoever is gone. */
export function planEdits(
  file: Fields,
  patch: Fields,
  isRepeated: boolean,
): Outcome<readonly PlannedEdit[]> {
  const { agents, ...others } = patch;
  const planned = planMembers(file, others, []);
  if (agents === undefined) return accept(planned);
  if (agents === null) return accept([...planned, ...planMembers(file, { agents }, [])]);
  const members = membersOf(agents);
  if (members === undefined) {
    return refuse(
      "params.invalid",
      "agents: an object by id, or a list of objects that have an id",
    );
  }
  const crew = planCrew(own(file, "agents"), members, isRepeated);
  return crew.ok ? accept([...planned, ...crew.value]) : crew;
}

function planMembers(old: unknown, patch: Fields, path: readonly string[]): readonly PlannedEdit[] {
  const fields = isFields(old) ? old : {};
  return Object.entries(patch).flatMap(([name, value]): readonly PlannedEdit[] => {
    const place = [...path, name];
    const now = own(fields, name);
    if (value === null) return now === undefined ? [] : [{ path: place, names: place }];
    if (isFields(value) && isFields(now)) return planMembers(now, value, place);
    const next = isFields(value) ? withoutNulls(value) : value;
    return isSame(now, next) ? [] : [{ path: place, names: place, value: next }];
  });
}

/** Lists of the patch, each with what the file has at its place and the patch has not. */
export function uniteAt(file: Fields, patch: Fields, paths: readonly string[]): Fields {
  return paths.reduce((done, path) => unitePlace(file, done, path.split(".")), patch);
}

function unitePlace(now: unknown, patch: Fields, [name = "", ...rest]: readonly string[]): Fields {
  const wanted = own(patch, name);
  const there = isFields(now) ? own(now, name) : undefined;
  if (rest.length > 0) {
    return isFields(wanted) ? { ...patch, [name]: unitePlace(there, wanted, rest) } : patch;
  }
  if (!Array.isArray(wanted) || !Array.isArray(there)) return patch;
  return { ...patch, [name]: Array.from(new Set<unknown>(there.concat(wanted))) };
}

type MemberPatches = ReadonlyMap<string, Fields | null>;

function membersOf(agents: unknown): MemberPatches | undefined {
  const entries = Array.isArray(agents)
    ? agents.map((each: unknown) => [isFields(each) ? own(each, "id") : undefined, each] as const)
    : Object.entries(isFields(agents) ? agents : { "": undefined });
  const members = new Map<string, Fields | null>();
  for (const [id, member] of entries) {
    if (typeof id !== "string" || (member !== null && !isFields(member))) return undefined;
    members.set(id, member);
  }
  return members;
}

/** Where the file names no crew it is the built-in one, and becomes part of the file with its first change. */
function planCrew(
  old: unknown,
  members: MemberPatches,
  isRepeated: boolean,
): Outcome<readonly PlannedEdit[]> {
  const isListed = Array.isArray(old);
  const crew: readonly unknown[] = isListed
    ? old
    : BUILT_IN_CREW.map(({ id, name, role }) => ({ id, name, role }));
  const next = [...crew];
  const edits: PlannedEdit[] = [];
  for (const [id, member] of members) {
    const at = next.findIndex((each) => isFields(each) && own(each, "id") === id);
    const names = ["agents", id];
    if (member !== null && (own(member, "id") ?? id) !== id) {
      return refuse("params.invalid", `agents.${id}.id: an id stays; add another agent instead`);
    }
    if (member === null) {
      if (at === -1 && isRepeated) continue;
      if (at === -1) return refuse("agent.unknown", id);
      next.splice(at, 1);
      edits.push({ path: ["agents", at], names });
    } else if (at === -1) {
      const value = { id, ...withoutNulls(member) };
      edits.push({ path: ["agents", next.length], names, value });
      next.push(value);
    } else {
      const [known] = next.splice(at, 1, merge(next[at], member));
      const inner = planMembers(known, member, []).map((edit) => ({
        ...edit,
        path: ["agents", at, ...edit.path],
        names: [...names, ...edit.names],
      }));
      edits.push(...inner);
    }
  }
  if (isListed || edits.length === 0) return accept(edits);
  // One edit for the whole list; the others say what of it is new.
  return accept(edits.map(({ names }) => ({ path: ["agents"], names, value: next })));
}

function merge(old: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const fields = new Map(Object.entries(isFields(old) ? old : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) fields.delete(name);
    else fields.set(name, merge(fields.get(name), value));
  }
  return Object.fromEntries(fields);
}

/** What a patch sets where nothing was; null in it has nothing to remove. */
function withoutNulls(patch: Fields): Fields {
  const merged = merge({}, patch);
  return isFields(merged) ? merged : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
