/** Which signals a subscriber wants. */
import { agentsOf } from "@atrium/core";
import type { SignalEnvelope, SignalFilter } from "@atrium/wire/signal";

export type SignalMatcher = (signal: SignalEnvelope) => boolean;

export const FILTERS = ["type", "source", "agent", "correlationId"] as const;

export function readFilter(query: URLSearchParams): SignalFilter {
  return Object.fromEntries(
    FILTERS.filter((name) => query.has(name)).map((name) => [name, query.getAll(name)]),
  );
}

/** The same text for filters that want the same. */
export function filterName({ type, source, agent, correlationId }: SignalFilter): string {
  const each = [type, source, agent, correlationId].map((wanted) => listOf(wanted).toSorted());
  return JSON.stringify(each);
}

export function createMatcher({ type, source, agent, correlationId }: SignalFilter): SignalMatcher {
  const tests: SignalMatcher[] = [];
  const add = (
    wanted: string | readonly string[] | undefined,
    namesOf: (signal: SignalEnvelope) => readonly string[],
  ): void => {
    const values = listOf(wanted);
    if (values.length === 0) return;
    const exact = new Set(values.filter((value) => !value.endsWith("*")));
    const beginnings = values.filter((value) => value.endsWith("*")).map((it) => it.slice(0, -1));
    const isWanted = (name: string): boolean =>
      exact.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
    tests.push((signal) => namesOf(signal).some(isWanted));
  };
  add(type, (signal) => [signal.type]);
  add(source, (signal) => [signal.source]);
  add(agent, agentsOf);
  add(correlationId, (signal) =>
    signal.correlationId === undefined ? [] : [signal.correlationId],
  );
  return (signal) => tests.every((test) => test(signal));
}

function listOf(wanted: string | readonly string[] | undefined): readonly string[] {
  if (wanted === undefined) return [];
  return typeof wanted === "string" ? [wanted] : wanted;
}
