/**
 * Round trips as fast as the server gives them: every socket keeps `depth` requests on the way, and
 * sends the next one when an answer comes. Answers that came in one read are followed by as many
 * requests in one write, as a pipelining client does it.
 */
import { maskedFrame } from "./masked-frame.ts";
import type { FrameTest, RawSocket } from "./raw-socket.ts";

export interface LoopOptions {
  /** The text of a request with that id; ids have four characters. */
  readonly request: (id: string) => string;
  readonly isAnswer: FrameTest;
  readonly depth: number;
  readonly forMs: number;
}

const MAX_REQUESTS = 2_000_000;
const PATIENCE_MS = 10_000;

/** Resolves with how many were answered, once all that were sent are. */
export async function closedLoop(
  sockets: readonly RawSocket[],
  { request, isAnswer, depth, forMs }: LoopOptions,
): Promise<number> {
  const { frames, size } = ringOf(request, depth);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const until = performance.now() + forMs;
  const overdue = setTimeout(() => reject(new Error("answers did not come")), forMs + PATIENCE_MS);
  let answered = 0;
  let outstanding = 0;
  for (const socket of sockets) {
    let next = 0;
    const ask = (count: number): void => {
      outstanding += count;
      socket.write(frames.subarray(next * size, (next + count) * size));
      next = (next + count) % depth;
    };
    socket.isCounted = isAnswer;
    socket.onGone = reject;
    socket.onFrames = (count) => {
      answered += count;
      outstanding -= count;
      if (performance.now() < until && answered < MAX_REQUESTS) ask(count);
      else if (outstanding === 0) resolve(answered);
    };
    ask(depth);
  }
  try {
    return await promise;
  } finally {
    clearTimeout(overdue);
  }
}

/** Twice around, so that any `depth` requests in a row are one piece of memory. */
function ringOf(
  request: (id: string) => string,
  depth: number,
): { readonly frames: Buffer; readonly size: number } {
  const once = Array.from({ length: depth }, (_, index) =>
    maskedFrame(request(String(1000 + index))),
  );
  return { frames: Buffer.concat([...once, ...once]), size: once[0]?.length ?? 0 };
}
