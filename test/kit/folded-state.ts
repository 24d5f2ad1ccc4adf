/** What a log folds to: every projection's state and every stream's, as text in which the same state is always the same. */
import * as core from "@atrium/core";
import type { Entry } from "@atrium/log";
import { createFolds } from "../../apps/server/src/compose/state.ts";

type AnyAggregate = core.Aggregate<unknown, unknown, { readonly type: string }>;

export function createProjections(): readonly core.Projection[] {
  return Object.values({ ...createFolds(core.createFloor(core.cozyOffice)) });
}

export function foldState(entries: readonly Entry[]): string {
  const projections = createProjections();
  const office = core.createOffice([core.createFloor(core.cozyOffice)]);
  const aggregates = [...Object.values<unknown>(core), office].filter(isAggregate);
  const streams = new Map<string, unknown>();
  for (const entry of entries) {
    for (const projection of projections) projection.apply(entry);
    const { stream } = entry;
    const owner = aggregates.find(
      (each) => core.owns(each, stream) && each.findProblem(entry) === undefined,
    );
    if (owner === undefined) continue;
    const before = streams.has(stream) ? streams.get(stream) : owner.initial;
    streams.set(stream, owner.evolve(before, owner.read(entry)));
  }
  const saved = new Map(projections.map((each) => [each.name, each.save()]));
  return `${JSON.stringify({ projections: saved, streams }, inOrder, 1)}\n`;
}

/** Names in the order of the alphabet; what JSON has no form for as what it holds. */
function inOrder(_name: string, value: unknown): unknown {
  if (value instanceof Set) return [...value];
  const isPlain = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isPlain) return value;
  const members = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(members.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

function isAggregate(value: unknown): value is AnyAggregate {
  return typeof value === "object" && value !== null && "decide" in value && "evolve" in value;
}
