/**
 * How a rehearsing agent speaks: in small pieces, at a speaking pace, listening between sentences.
 *
 * All waiting is the host's sleep and is multiplied by the pace, so pace 0 speaks at once. Nothing is
 * said once the turn is aborted.
 */
import type { TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import type { Meter } from "../turn/usage/usage-meter.ts";

const THINKING_MS = 400;
const SPEAKING_MS = 1_600;
const MAX_PAUSE_MS = 60;
const WORDS_PER_DELTA = 3;

export interface Voice {
  think(text: string): AsyncGenerator<TurnEvent, void>;
  say(text: string): AsyncGenerator<TurnEvent, void>;
}

export function createVoice(host: TurnHost, meter: Meter, pace: number): Voice {
  async function* utter(
    type: "text" | "thinking",
    pieces: readonly string[],
    pauseMs: number,
  ): AsyncGenerator<TurnEvent, void> {
    let wasInterrupted = false;
    for (const piece of pieces) {
      if (pauseMs > 0) await host.sleep(pauseMs);
      const delta = wasInterrupted ? `\n\n${piece.trimStart()}` : piece;
      yield utterance(type, delta);
      wasInterrupted = type === "text" && endsSentence(piece) && (yield* heed());
    }
  }

  /** Answers what people have added meanwhile; false when they have not. */
  async function* heed(): AsyncGenerator<TurnEvent, boolean> {
    host.signal.throwIfAborted();
    const added = host.takeSteering();
    for (const text of added) yield utterance("text", `\n\nNoted: ${text}`);
    return added.length > 0;
  }

  function utterance(type: "text" | "thinking", delta: string): TurnEvent {
    host.signal.throwIfAborted();
    meter.wrote(delta);
    return { type, delta };
  }

  return {
    async *think(text) {
      const pieces = piecesOf(text);
      yield* utter("thinking", pieces, (THINKING_MS / pieces.length) * pace);
    },
    async *say(text) {
      const pieces = piecesOf(text);
      const pauseMs = Math.min(MAX_PAUSE_MS, SPEAKING_MS / pieces.length) * pace;
      yield* utter("text", pieces, pauseMs);
      // What a person adds while the last words are spoken is heeded too.
      yield* heed();
    },
  };
}

/** A few words at a time; a piece never crosses the end of a sentence. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  let words = 0;
  for (const word of text.match(/\s*\S+|\s+$/g) ?? []) {
    piece += word;
    words += 1;
    if (words >= WORDS_PER_DELTA || endsSentence(piece)) {
      pieces.push(piece);
      piece = "";
      words = 0;
    }
  }
  if (piece !== "") pieces.push(piece);
  return pieces;
}

function endsSentence(piece: string): boolean {
  return /[.!?:]$/.test(piece);
}
