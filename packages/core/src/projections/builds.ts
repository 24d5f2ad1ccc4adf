/** Which builds there are and how each stands: all that are under way, and the latest that have ended. */
import { build } from "../build/build.ts";
import type { BuildEvent } from "../build/events.ts";
import { hasEnded, type StartedBuild, type Build } from "../build/state.ts";
import { BoundedMap } from "../engine/bounded-map.ts";
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";

export interface BuildRow {
  readonly build: StartedBuild;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Where it was started, and what it was last told of. */
  readonly firstSeq: number;
  readonly lastSeq: number;
}

export interface Builds extends Projection<readonly BuildRow[]> {
  get(id: string): BuildRow | undefined;
  /** Those that have not ended. */
  open(): Iterable<BuildRow>;
  /** Latest first: those started before that place in the log. */
  list(limit: number, before?: number): readonly BuildRow[];
}

const MAX_ENDED = 1_000;

/** One more event; undefined as long as nothing has begun. */
export function foldBuild(
  row: BuildRow | undefined,
  event: BuildEvent,
  { at, seq }: { readonly at: number; readonly seq: number },
): BuildRow | undefined {
  const was: Build = row?.build ?? build.initial;
  const now = build.evolve(was, event);
  if (now.stage === "absent") return undefined;
  const isTold = event.type === "build.told";
  return {
    build: now,
    createdAt: row?.createdAt ?? at,
    updatedAt: isTold ? at : (row?.updatedAt ?? at),
    firstSeq: row?.firstSeq ?? seq,
    lastSeq: isTold ? seq : (row?.lastSeq ?? seq),
  };
}

export function createBuilds(): Builds {
  const open = new Map<string, BuildRow>();
  const ended = new BoundedMap<string, BuildRow>(MAX_ENDED);
  const put = (row: BuildRow): void => {
    const { id } = row.build;
    if (!hasEnded(row.build)) {
      open.set(id, row);
      return;
    }
    open.delete(id);
    ended.set(id, row);
  };

  return {
    name: "builds",
    version: 5,
    get: (id) => open.get(id) ?? ended.get(id),
    open: () => open.values(),
    list(limit, before = Infinity) {
      return [...open.values(), ...ended.values()]
        .filter(({ firstSeq }) => firstSeq < before)
        .toSorted((a, b) => b.firstSeq - a.firstSeq)
        .slice(0, limit);
    },
    apply(entry) {
      const id = idIn(build, entry.stream);
      if (id === undefined) return;
      const row = foldBuild(open.get(id) ?? ended.get(id), build.read(entry), entry);
      if (row !== undefined) put(row);
    },
    save: () => [...ended.values(), ...open.values()],
    load(rows) {
      open.clear();
      ended.clear();
      for (const row of rows) put(row);
    },
  };
}
