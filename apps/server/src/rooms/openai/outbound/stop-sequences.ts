/**
 * Ends an answer before the first of the given sequences, while it is being streamed. Text that could be
 * the beginning of a sequence is held back until that is known.
 */
export interface StopFilter {
  /** True once a sequence was found: nothing more is passed on. */
  readonly isCut: boolean;
  /** Adds text; returns what may be sent now. */
  push(text: string): string;
  /** The text is complete; returns what was held back. */
  end(): string;
}

export function createStopFilter(stops: readonly string[]): StopFilter {
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

/** How many characters at the end could be the beginning of a sequence. */
function openEnd(text: string, stops: readonly string[], longest: number): number {
  for (let length = Math.min(text.length, longest - 1); length > 0; length--) {
    const end = text.slice(-length);
    if (stops.some((stop) => stop.startsWith(end))) return length;
  }
  return 0;
}
