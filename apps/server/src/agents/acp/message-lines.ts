/**
 * The lines of a program's standard output that can be messages. Programs also print what is none (a banner, a warning,
 * the screen of a terminal): that is kept for an explanation and not answered, because some end when they are.
 */
import { Transform } from "node:stream";

export interface MessageLines {
  readonly stream: Transform;
  /** The beginning of what was no message. */
  noise(): string;
  /** Settles when there is a lot of noise and has been no message. */
  readonly isNoisy: Promise<void>;
}

const MAX_KEPT_CHARS = 1_000;
/** More than any banner. */
const MAX_NOISE_CHARS = 64 * 1024;
const NEWLINE = 0x0a;
const BRACE = 0x7b;

export function createMessageLines(): MessageLines {
  const noisy = Promise.withResolvers<void>();
  let kept = "";
  let chars = 0;
  let hasMessage = false;
  /** How the line that is being read began: undecided until there is something to see. */
  let line: "undecided" | "message" | "noise" = "undecided";

  function keepNoise(bytes: Buffer): void {
    chars += bytes.length;
    if (kept.length < MAX_KEPT_CHARS) {
      kept += bytes.toString("utf8").slice(0, MAX_KEPT_CHARS - kept.length);
    }
    if (!hasMessage && chars > MAX_NOISE_CHARS) noisy.resolve();
  }

  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length;) {
        const end = chunk.indexOf(NEWLINE, at);
        const part = chunk.subarray(at, end === -1 ? undefined : end + 1);
        at += part.length;
        if (line === "undecided") line = kindOf(part);
        hasMessage ||= line === "message";
        if (line === "message") this.push(part);
        else if (line === "noise") keepNoise(part);
        if (end !== -1) line = "undecided";
      }
      done();
    },
  });
  return { stream, noise: () => kept.trim(), isNoisy: noisy.promise };
}

/** A message is an object of JSON, on a line of its own. */
function kindOf(part: Buffer): "undecided" | "message" | "noise" {
  const first = part.find((byte) => byte > 0x20);
  if (first === undefined) return "undecided";
  return first === BRACE ? "message" : "noise";
}
