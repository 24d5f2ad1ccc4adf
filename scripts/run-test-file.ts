/**
 * Runs one test file in a process of its own and says what became of it.
 *
 * A result counts leaves: neither a suite nor a test that only holds others is a test. One run per
 * file, because the `timeout` of a run fails a test but lets a process that will not end live on;
 * aborting the run asks it to end, and one that does not is killed.
 */
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { finished } from "node:stream/promises";
import { run, type EventData } from "node:test";
import { inspect } from "node:util";

export interface FileResult {
  readonly passed: number;
  /** Each with its title first, then what went wrong. */
  readonly failures: readonly string[];
  readonly skips: readonly string[];
  /** What the file printed. */
  readonly output: string;
}

/** For a process that was asked to end. */
const MAX_CLOSING_MS = 10_000;

/** The path must be absolute. */
export async function runTestFile(file: string, limitMs: number): Promise<FileResult> {
  const titles = new Map<number, string>();
  const running = new Set<number>();
  const parents = new Set<number | undefined>();
  const failures: string[] = [];
  const skips: string[] = [];
  let passed = 0;
  let output = "";

  // The file itself is reported like a test, under its path, with an id that one of its tests has too.
  const isFile = ({ name }: { readonly name: string }): boolean => name === file;
  const titleOf = (id: number): string => titles.get(id) ?? "";

  const signal = AbortSignal.timeout(limitMs);
  using processes = noticeProcesses();
  const tests = run({ files: [file], isolation: "process", signal });
  tests.on("test:stdout", ({ message }) => (output += message));
  tests.on("test:stderr", ({ message }) => (output += message));
  tests.on("test:diagnostic", (diagnostic) => {
    // Without a file it is the run's own summary.
    if (diagnostic.file !== undefined) output += `${diagnostic.message}\n`;
  });
  tests.on("test:dequeue", (test) => {
    if (isFile(test)) return;
    const parent = test.parentId === undefined ? undefined : titles.get(test.parentId);
    titles.set(test.testId, parent === undefined ? test.name : `${parent} > ${test.name}`);
    parents.add(test.parentId);
    running.add(test.testId);
  });
  tests.on("test:complete", (test) => {
    if (!isFile(test)) running.delete(test.testId);
  });
  tests.on("test:pass", (test) => {
    const reason = skipReason(test);
    if (isFile(test)) failures.push("defines no tests");
    else if (reason !== undefined) skips.push(`${titleOf(test.testId)} (${reason})`);
    else if (test.details.type !== "suite" && !parents.has(test.testId)) passed += 1;
  });
  tests.on("test:fail", (test) => {
    const reason = skipReason(test);
    if (isFile(test)) {
      const unfinished = [...running].filter((id) => !parents.has(id)).map(titleOf);
      failures.push(signal.aborted ? overtime(limitMs, unfinished) : "the process failed");
    } else if (reason !== undefined) skips.push(`${titleOf(test.testId)} (${reason})`);
    else if (!isByItsTests(test)) {
      failures.push(`${titleOf(test.testId)}\n${described(test.details.error)}`);
    }
  });
  await finished(tests.resume());
  if (signal.aborted) await processes.end(file, Math.min(limitMs, MAX_CLOSING_MS));
  return { passed, failures, skips, output };
}

/** A run does not say which process it starts. */
function noticeProcesses() {
  const started: ChildProcess[] = [];
  const notice = (message: unknown): void => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the channel is documented
    started.push((message as { readonly process: ChildProcess }).process);
  };
  subscribe("child_process", notice);
  return {
    async end(file: string, closingMs: number): Promise<void> {
      const child = started.find(({ spawnargs }) => spawnargs.includes(file));
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const killing = setTimeout(() => child.kill("SIGKILL"), closingMs);
      await once(child, "exit");
      clearTimeout(killing);
    },
    [Symbol.dispose]: () => void unsubscribe("child_process", notice),
  };
}

/** A skipped test, or one that is still to be written. */
function skipReason({ skip, todo }: EventData.TestPass | EventData.TestFail): string | undefined {
  if (skip !== undefined) return typeof skip === "string" ? skip : "skipped";
  if (todo !== undefined) return typeof todo === "string" ? todo : "to do";
  return undefined;
}

/** Whether a suite or a parent failed only because something in it did, which is told already. */
function isByItsTests({ details }: EventData.TestFail): boolean {
  return "failureType" in details.error && details.error.failureType === "subtestsFailed";
}

/** The error a test threw, without the frames of the runner itself. */
function described({ cause, message }: EventData.Error): string {
  if (cause === undefined) return message;
  const isAssertion = cause instanceof Error && "code" in cause && cause.code === "ERR_ASSERTION";
  // The message of an assertion has the difference in it; its fields only repeat that.
  const text = isAssertion ? (cause.stack ?? cause.message) : inspect(cause);
  return text.replaceAll(/\n *at [^\n]*?node:(?:internal|async_hooks)[^\n]*?(?=\n| \{\n|$)/g, "");
}

function overtime(limitMs: number, unfinished: readonly string[]): string {
  const seconds = limitMs / 1000;
  return unfinished.length === 0
    ? `did not end within ${seconds} s: it is busy, or something is still open`
    : `did not end within ${seconds} s; unfinished: ${unfinished.join(", ")}`;
}
