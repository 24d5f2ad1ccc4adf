/** The three streams a command talks through, and what may be done with them. */
import type { ReadStream } from "node:tty";
import { createPaint, type Paint } from "./paint.ts";

export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Colors for `out`, and for `err`: each has them only where a person looks at it. */
  readonly paint: Paint;
  readonly errPaint: Paint;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  /** A person types. */
  readonly hasPerson: boolean;
  /** What is written to `out` is seen as it is written, by a person. */
  readonly isSeen: boolean;
  /** A line can be taken back. */
  readonly canErase: boolean;
  readonly columns: number;
}

const USUAL_COLUMNS = 80;

export function openTerminal(
  stdin: ReadStream | NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  env: Readonly<Record<string, string | undefined>>,
): Terminal {
  // Whoever reads us may have read enough (`atrium sessions | head -1`).
  for (const stream of [stdout, stderr]) stream.on("error", quitWhenNobodyReads);
  const isSeen = stdout.isTTY && stderr.isTTY;
  const isPlain = env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "";
  const isDumb = env["TERM"] === "dumb";
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    paint: createPaint(stdout.isTTY && !isPlain && !isDumb),
    errPaint: createPaint(stderr.isTTY && !isPlain && !isDumb),
    stdin,
    stdout,
    hasPerson: stdin.isTTY && stdout.isTTY,
    isSeen,
    canErase: isSeen && !isDumb,
    // A terminal that does not know its width says 0.
    columns: stdout.isTTY && stdout.columns > 0 ? stdout.columns : USUAL_COLUMNS,
  };
}

function quitWhenNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit();
}
