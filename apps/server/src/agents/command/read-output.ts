/**
 * A program's output in pieces. Text is passed on as it comes, also in the middle of a line; only what
 * begins like a JSON object is held until its line is whole.
 */
import type { ParseOutputLine, OutputLine } from "./output-line.ts";

export interface OutputReader {
  read(chunk: string): readonly OutputLine[];
  /** What is left when there will be no more. */
  finish(): readonly OutputLine[];
}

export function createOutputReader(readSaid: ParseOutputLine): OutputReader {
  /** A line that may be JSON and has not ended; empty when there is none. */
  let held: string[] = [];
  let isAtLineStart = true;

  function* pieces(chunk: string): Generator<OutputLine, void> {
    let at = 0;
    while (at < chunk.length) {
      if (held.length === 0 && !(isAtLineStart && chunk[at] === "{")) {
        const end = endOfText(chunk, at);
        yield { type: "text", delta: chunk.slice(at, end) };
        isAtLineStart = chunk[end - 1] === "\n";
        at = end;
        continue;
      }
      const newline = chunk.indexOf("\n", at);
      const end = newline === -1 ? chunk.length : newline + 1;
      held.push(chunk.slice(at, end));
      isAtLineStart = newline !== -1;
      if (isAtLineStart) yield release();
      at = end;
    }
  }

  function release(): OutputLine {
    const line = held.join("");
    held = [];
    return readSaid(line) ?? { type: "text", delta: line };
  }

  return {
    read: (chunk) => [...pieces(chunk)],
    finish: () => (held.length === 0 ? [] : [release()]),
  };
}

/** Up to the next line that may be JSON. */
function endOfText(chunk: string, at: number): number {
  const next = chunk.indexOf("\n{", at);
  return next === -1 ? chunk.length : next + 1;
}
