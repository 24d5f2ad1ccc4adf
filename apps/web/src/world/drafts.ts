/** What is being written for a task, and where in it tools were used. Pure. */
export interface Draft {
  /** Its end; what came before is no longer kept. */
  readonly text: string;
  /** How many characters came before. */
  readonly dropped: number;
  /** Tools, by run and call, with how many characters had been written when each was called. */
  readonly calls: readonly { readonly key: string; readonly at: number }[];
}

export const EMPTY_DRAFT: Draft = { text: "", dropped: 0, calls: [] };

/** More than a person reads back. */
const MAX_CHARS = 60_000;
const MAX_CALLS = 500;

export function writeOn(draft: Draft, delta: string): Draft {
  const text = draft.text + delta;
  const over = Math.max(0, text.length - MAX_CHARS);
  return over === 0
    ? { ...draft, text }
    : { ...draft, text: text.slice(over), dropped: draft.dropped + over };
}

export function callIn(draft: Draft, key: string): Draft {
  const at = draft.dropped + draft.text.length;
  return { ...draft, calls: [...draft.calls, { key, at }].slice(-MAX_CALLS) };
}

export type StreamItem<Call> =
  | { readonly kind: "text"; readonly key: string; readonly text: string }
  | { readonly kind: "call"; readonly key: string; readonly call: Call };

/** Words and tools in the order they came. What was called before anyone listened comes first. */
export function interleave<Call extends { readonly key: string }>(
  draft: Draft,
  calls: readonly Call[],
): readonly StreamItem<Call>[] {
  const places = new Map(draft.calls.map(({ key, at }) => [key, at]));
  const items: StreamItem<Call>[] = [];
  let from = 0;
  const writeTo = (end: number): void => {
    const text = draft.text.slice(from, end);
    if (text.trim() !== "") items.push({ kind: "text", key: `text ${draft.dropped + from}`, text });
    from = Math.max(from, end);
  };
  for (const call of calls) {
    const at = places.get(call.key);
    if (at !== undefined) writeTo(Math.max(0, at - draft.dropped));
    items.push({ kind: "call", key: call.key, call });
  }
  writeTo(draft.text.length);
  return items;
}
