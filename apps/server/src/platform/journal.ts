/**
 * The journal: what the server reports about itself, as JSON lines in the home folder. It is not the log,
 * which holds what happened. Secrets are never written here.
 *
 * Nothing depends on it. A line that cannot be written is lost, which is reported once on stderr.
 */
import { closeSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { Fault } from "@atrium/core";
import { HomeError } from "./home.ts";

export interface Journal {
  readonly info: (what: string, context?: Readonly<Record<string, unknown>>) => void;
  readonly fault: (fault: unknown) => void;
  close(): void;
}

const MAX_BYTES = 10 * 1024 * 1024;
/** The levels that log viewers know. */
const LEVEL = { info: 30, fault: 50 } as const;

export function openJournal(
  file: string,
  complain: (problem: string) => void = (problem) =>
    void process.stderr.write(`atrium: ${problem}\n`),
): Journal {
  const stream = new JournalStream(file, complain);
  const write = (level: keyof typeof LEVEL, context: object, msg: string): void =>
    stream.write(`${encodeLine({ level: LEVEL[level], at: Date.now(), ...context, msg })}\n`);
  return {
    info: (what, context = {}) => write("info", context, what),
    fault(fault) {
      const context = fault instanceof Fault ? fault.context : {};
      write("fault", { err: describeError(fault), ...context }, messageOf(fault));
    },
    close: () => stream.close(),
  };
}

/** Values without JSON become text: a line about a fault must not cause another. */
function encodeLine(line: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(line, (_name, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
  } catch (cause) {
    return JSON.stringify({
      level: line["level"],
      at: line["at"],
      msg: line["msg"],
      unwritten: messageOf(cause),
    });
  }
}

/** Includes the cause, whose message and stack usually say more. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code = "code" in error ? { code: error.code } : {};
  return {
    type: name,
    message,
    ...code,
    stack,
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}

/** Writes synchronously, so that the last line before an exit is there; never throws. */
class JournalStream {
  readonly #file: string;
  readonly #complain: (problem: string) => void;
  readonly #handle: number;
  #hasComplained = false;
  #isClosed = false;

  constructor(file: string, complain: (problem: string) => void) {
    this.#file = file;
    this.#complain = complain;
    try {
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > MAX_BYTES) renameSync(file, `${file}.1`);
      this.#handle = openSync(file, "a", 0o600);
    } catch (cause) {
      throw new HomeError(`cannot write ${file}: ${messageOf(cause)}`, { cause });
    }
  }

  write(line: string): void {
    if (this.#isClosed) return;
    try {
      writeSync(this.#handle, line);
      this.#hasComplained = false;
    } catch (cause) {
      if (this.#hasComplained) return;
      this.#hasComplained = true;
      const problem = `cannot write ${this.#file}: ${messageOf(cause)}`;
      this.#complain(`${problem}; what the server has to say about itself is lost until it can`);
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      closeSync(this.#handle);
    } catch (cause) {
      this.#complain(`cannot close ${this.#file}: ${messageOf(cause)}`);
    }
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
