/**
 * Ends an answer before the first of the given sequences, while it is on its way. What could be the
 * beginning of one is held back until it is known whether it is.
 */
export interface StopFilter {
  /** True once a sequence was met: nothing more is let through. */
  readonly isCut: boolean;
  /** The part of what has come so far that may go out now. */
  push(text: string): string;
  /** There is no more: whatever was held back. */
  end(): string;
}

export function createCut(stops: readonly string[]): StopFilter {
  const longest = Math.max(0, ...stops.map((stop) => stop.length));
  let held = "";
  let isCut = false;
  return {
    get isCut() {
      return isCut;
    },
    push(text) {
      if (isCut) return "";
      held += text;
      const found = stops.map((stop) => held.indexOf(stop)).filter((at) => at !== -1);
      if (found.length > 0) {
        isCut = true;
        const out = held.slice(0, Math.min(...found));
        held = "";
        return out;
      }
      const keep = openEnd(held, stops, longest);
      const out = held.slice(0, held.length - keep);
      held = held.slice(held.length - keep);
      return out;
    },
    end() {
      const rest = held;
      held = "";
      return rest;
    },
  };
}

/** How much of the end could be the beginning of a sequence. */
function openEnd(text: string, stops: readonly string[], longest: number): number {
  for (let length = Math.min(text.length, longest - 1); length > 0; length--) {
    const end = text.slice(-length);
    if (stops.some((stop) => stop.startsWith(end))) return length;
  }
  return 0;
}
