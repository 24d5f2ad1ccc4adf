/**
 * How an event rests in the log, and how it comes back.
 *
 * Each type is declared with its version and shape, held against the type of the event by the compiler. An entry is checked against the
 * declaration before anyone has it as an event; data of an older version is lifted on the way, so that deciders and projections only
 * ever see the present. What cannot be read (damaged, of an unknown type, of a newer version) is named, never guessed.
 *
 * Version 1 is the data as it is: `{ "deviceId": … }`. Later ones are wrapped: `{ "$version": 2, "$event": { "deviceId": … } }`, so that
 * a reader that checks members and knows nothing of versions misses them (docs/decisions/0041 says which servers those are).
 */
import type { Entry } from "@atrium/log";
import { Fault } from "./refusal.ts";

type BareKind = "string" | "number" | "boolean" | "array" | "object";
/** With a question mark: or null. */
type Kind = BareKind | `${BareKind}?` | "any";

type BareKindOf<Value> = Value extends string
  ? "string"
  : Value extends number
    ? "number"
    : Value extends boolean
      ? "boolean"
      : Value extends readonly unknown[]
        ? "array"
        : "object";

type KindOf<Value> = unknown extends Value
  ? "any"
  : null extends Value
    ? `${BareKindOf<NonNullable<Value>>}?`
    : BareKindOf<Value>;

type RequiredName<Event> = {
  [Name in keyof Event]-?: Event extends Record<Name, unknown> ? Name : never;
}[keyof Event];

type ShapeOf<Event> = {
  readonly [Name in Exclude<RequiredName<Event>, "type">]: KindOf<Event[Name]>;
};

type EventData = Readonly<Record<string, unknown>>;

interface EventDeclaration<Shape = Readonly<Record<string, Kind>>> {
  readonly version: number;
  /** The members that every event of this version has. Those that may be left out are not listed, and nothing inside of a member is. */
  readonly shape: Shape;
  /** By version: what makes data of the next one of it. One for every version before the present. */
  readonly upcast?: Readonly<Record<number, (old: EventData) => EventData>>;
}

export type EventDeclarations<Event extends { readonly type: string }> = {
  readonly [Type in Event["type"]]: EventDeclaration<
    ShapeOf<Extract<Event, { readonly type: Type }>>
  >;
};

/** Why nobody here can fold an entry. */
export class EntryProblem {
  /** Unknown is a type or version that this server does not have, because a newer one wrote it; anything else is damage. */
  readonly kind: "unknown" | "damaged";
  readonly why: string;

  constructor(kind: "unknown" | "damaged", why: string) {
    this.kind = kind;
    this.why = why;
  }
}

export type FindProblem = (entry: Entry) => EntryProblem | undefined;

/** An event type that has had one version. */
export const v1 = <Shape>(shape: NoInfer<Shape>): EventDeclaration<Shape> => ({
  version: 1,
  shape,
});

export interface EventCodec<Event extends { readonly type: string }> {
  /** By event type: finds what is wrong with an entry of that type. */
  readonly checks: ReadonlyMap<string, FindProblem>;
  /** What is wrong with an entry of the aggregate's own streams; undefined when nothing is. */
  readonly findProblem: FindProblem;
  /** Throws a Fault where there is a problem. */
  readonly read: (entry: Entry) => Event;
  /** The data of an entry that says this. */
  readonly write: (event: Event) => object;
}

interface Member {
  readonly name: string;
  readonly kind: Kind;
  /** The kinds it may be of, one bit each. */
  readonly bits: number;
}

interface KnownEvent {
  readonly version: number;
  /** There is one version, and what has its members is of that one. */
  readonly isFirst: boolean;
  readonly members: readonly Member[];
  readonly upcasts: readonly ((old: EventData) => EventData)[];
}

const BITS = { string: 1, number: 2, boolean: 4, array: 8, object: 16 } as const;
const NULL = 32;
const NO_KIND = 64;
const ANY = -1;

export const UNKNOWN_TYPE = new EntryProblem("unknown", "its type is not known");

export function createCodec<Event extends { readonly type: string }>(
  declarations: EventDeclarations<Event>,
): EventCodec<Event> {
  const declared: [string, EventDeclaration][] = Object.entries(declarations);
  const known = new Map(declared.map(([type, each]) => [type, prepare(type, each)]));
  // Those who fold an entry read it one after another: it is checked and made an event once, not by each of them.
  let last: Entry | undefined;
  let stored: unknown;
  let data: EventData = {};
  let event: Event | undefined;

  function findProblemAs(type: KnownEvent, entry: Entry): EntryProblem | undefined {
    if (entry === last && entry.data === stored) return undefined;
    const found = check(type, entry);
    if (found instanceof EntryProblem) return found;
    last = entry;
    stored = entry.data;
    data = found;
    event = undefined;
    return undefined;
  }

  function findProblem(entry: Entry): EntryProblem | undefined {
    const type = known.get(entry.type);
    return type === undefined ? UNKNOWN_TYPE : findProblemAs(type, entry);
  }

  return {
    checks: new Map(
      Array.from(known, ([name, type]) => [name, (entry) => findProblemAs(type, entry)]),
    ),
    findProblem,
    read(entry) {
      const { stream, type, seq } = entry;
      const problem = findProblem(entry);
      if (problem !== undefined) {
        const { why } = problem;
        throw new Fault("an entry of the log cannot be read", { stream, type, seq, why });
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked against the declaration, which the compiler holds against the type
      event ??= { ...data, type } as unknown as Event;
      return event;
    },
    write({ type, ...members }) {
      const version = known.get(type)?.version ?? 1;
      return version === 1 ? members : { $version: version, $event: members };
    },
  };
}

/** The event's members in their present version, or what is wrong. Every entry that anyone reads is checked, so nothing is made on the way. */
function check(known: KnownEvent, { data, at }: Entry): EventData | EntryProblem {
  if (data === undefined) return damaged("its data is not JSON");
  if (!isRecord(data)) return damaged("its data is not an object");
  if (!Number.isFinite(at)) return damaged("its time is not a number");
  // Wrapped, it would have none of its members.
  if (known.isFirst && findBadMember(known, data) === undefined) return data;
  const event = lift(known, data);
  if (event instanceof EntryProblem) return event;
  const bad = findBadMember(known, event);
  return bad === undefined ? event : damaged(`${bad.name} is not ${describeKind(bad.kind)}`);
}

function findBadMember({ members }: KnownEvent, event: EventData): Member | undefined {
  for (const member of members) {
    // oxlint-disable-next-line atrium/no-name-lookup -- the names are those of our own table
    if ((member.bits & bitOf(event[member.name])) === 0) return member;
  }
  return undefined;
}

/** Data of any version in the present one. */
function lift({ version, upcasts }: KnownEvent, data: EventData): EventData | EntryProblem {
  const { $version: from = 1, $event: wrapped } = data;
  if (!isVersion(from)) return damaged("its version is not a number");
  if (from > version) {
    const why = `its version ${from} is newer than ${version}, the latest known here`;
    return new EntryProblem("unknown", why);
  }
  const stored = data["$version"] === undefined ? data : wrapped;
  if (!isRecord(stored)) return damaged("its data is not an object");
  try {
    return upcasts.slice(from - 1).reduce((event, upcast) => upcast(event), stored);
  } catch {
    return damaged(`its version ${from} could not be brought to ${version}`);
  }
}

const damaged = (why: string): EntryProblem => new EntryProblem("damaged", why);

function prepare(type: string, { version, shape, upcast = {} }: EventDeclaration): KnownEvent {
  const upcasts = Array.from({ length: version - 1 }, (_, index) => {
    const step = upcast[index + 1];
    if (step !== undefined) return step;
    throw new Fault("an event type has no way up from an older version", {
      type,
      from: index + 1,
    });
  });
  const members = Object.entries(shape).map(([name, kind]) => ({ name, kind, bits: bitsOf(kind) }));
  const isFirst = version === 1 && members.some(({ bits }) => bits !== ANY);
  return { version, isFirst, members, upcasts };
}

function isVersion(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

function isRecord(value: unknown): value is EventData {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bitsOf(kind: Kind): number {
  switch (kind) {
    case "any":
      return ANY;
    case "string":
    case "number":
    case "boolean":
    case "array":
    case "object":
      return BITS[kind];
    case "string?":
      return BITS.string | NULL;
    case "number?":
      return BITS.number | NULL;
    case "boolean?":
      return BITS.boolean | NULL;
    case "array?":
      return BITS.array | NULL;
    case "object?":
      return BITS.object | NULL;
  }
}

/** A kind that no member has (left out, not a finite number) is the bit that only any has. */
function bitOf(value: unknown): number {
  if (typeof value === "string") return BITS.string;
  if (typeof value === "number") return Number.isFinite(value) ? BITS.number : NO_KIND;
  if (typeof value === "boolean") return BITS.boolean;
  if (value === null) return NULL;
  if (typeof value !== "object") return NO_KIND;
  return Array.isArray(value) ? BITS.array : BITS.object;
}

function describeKind(kind: Kind): string {
  return kind.endsWith("?") ? `${kind.slice(0, -1)} or null` : kind;
}
