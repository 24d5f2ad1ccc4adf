/** Runs the tests of one file that cite a rule, in a process of its own. */
import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface TestRun {
  readonly folder: string;
  readonly file: string;
  readonly rule: string;
  readonly limitMs: number;
}

export interface TestResult {
  readonly isPassed: boolean;
  /** How many tests cited the rule and passed. */
  readonly passed: number;
}

/** What was run of one file: an offset means the same in its source, because types are blanked out. */
export interface FileRun {
  isRun(offset: number): boolean;
  /** Whether anything in it was called; what is only imported is run once, from top to bottom. */
  readonly isCalled: boolean;
}

export type RunFiles = ReadonlyMap<string, FileRun>;

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Report {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}

export async function runTests(run: TestRun, coverage?: string): Promise<TestResult> {
  const temporary = join(run.folder, "tmp-of-tests");
  await mkdir(temporary, { recursive: true });
  // What our own runner tells the processes it starts is not for these.
  const { NODE_TEST_CONTEXT: _context, NODE_V8_COVERAGE: _coverage, ...env } = process.env;
  const args = [`--test-name-pattern=\\b${run.rule}\\b`, "--test-reporter=tap", run.file];
  const child = spawn(process.execPath, args, {
    cwd: run.folder,
    // A group of its own, so that whatever a broken program leaves running can be ended.
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...env, TMPDIR: temporary, ...(coverage && { NODE_V8_COVERAGE: coverage }) },
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const timer = setTimeout(endGroup, run.limitMs, child.pid);
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject).once("exit", resolve);
  });
  clearTimeout(timer);
  endGroup(child.pid);
  await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  return { isPassed: code === 0, passed: Number(/^# pass (\d+)/m.exec(output)?.[1] ?? 0) };
}

/** What V8 wrote down in every process of a run. */
export async function readCoverage(folder: string): Promise<RunFiles> {
  const processes = new Map<string, (readonly (readonly Range[])[])[]>();
  for (const name of await readdir(folder)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- V8 writes it in this shape
    const report = JSON.parse(await readFile(join(folder, name), "utf8")) as Report;
    for (const { url, functions } of report.result) {
      if (!url.startsWith("file://")) continue;
      const file = fileURLToPath(url);
      const ranges = functions.map((each) => each.ranges);
      processes.set(file, [...(processes.get(file) ?? []), ranges]);
    }
  }
  return new Map(
    [...processes].map(([file, all]) => [
      file,
      {
        isRun: (offset) => all.some((functions) => countAt(functions.flat(), offset) > 0),
        // The first function is the module.
        isCalled: all.some(([, ...rest]) => rest.some(([whole]) => (whole?.count ?? 0) > 0)),
      },
    ]),
  );
}

/** The innermost range decides. */
function countAt(ranges: readonly Range[], offset: number): number {
  let innermost: Range = { startOffset: -Infinity, endOffset: Infinity, count: 0 };
  for (const range of ranges) {
    const isAround = range.startOffset <= offset && offset < range.endOffset;
    if (isAround && lengthOf(range) <= lengthOf(innermost)) innermost = range;
  }
  return innermost.count;
}

function lengthOf({ startOffset, endOffset }: Range): number {
  return endOffset - startOffset;
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // All of it has ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
