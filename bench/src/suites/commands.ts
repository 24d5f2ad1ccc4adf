/**
 * What does a sandbox cost one command? Both run `true` in a shell, from start to everything gone.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtempDisposable, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConfinement } from "@atrium/server/confinement";
import { interleave } from "../measure/interleave.ts";
import { spreadOf } from "../measure/spread.ts";
import { compare, type Suite } from "../report/finding.ts";

const REPETITIONS = 15;
const COMMANDS = 20;
const COMMAND = ["/bin/sh", "-c", "true"];
const LIMITS = {
  timeoutMs: 60_000,
  memoryBytes: 2 ** 32,
  processes: 512,
  fileBytes: 2 ** 31,
  scratchBytes: 2 ** 30,
};

export const commands: Suite = {
  name: "commands",
  question: "What does a sandbox cost one command?",
  async run() {
    await using made = await mkdtempDisposable(join(await realpath(tmpdir()), "atrium-bench-"));
    const [folder, home] = [join(made.path, "work"), join(made.path, "home")];
    for (const each of [folder, home]) await mkdir(each);
    const confinement = createConfinement({
      platform: process.platform,
      path: process.env["PATH"] ?? "",
      node: process.execPath,
      secret: [home],
      marks: {},
      env: {},
      timers: { after: startTimer },
      now: () => performance.now(),
    });
    const { problem } = await confinement.probe();
    if (problem !== null) return { findings: [], notes: [`not measured: ${problem}`] };
    const { signal } = new AbortController();
    const sandboxed = async (): Promise<void> => {
      const command = { argv: COMMAND, permit };
      const { end } = await confinement.run(command, { folder }, LIMITS, signal);
      if (end.how !== "exited" || end.code !== 0) throw new Error(JSON.stringify(end));
    };
    const samples = await interleave(
      [
        { name: "sandboxed", measure: () => timeOf(sandboxed) },
        { name: "plain", measure: () => timeOf(() => plain(folder)) },
      ],
      { repetitions: REPETITIONS, warmUp: true },
    );
    const [ours, theirs] = [samples.get("sandboxed") ?? [], samples.get("plain") ?? []];
    const { median, min, max } = spreadOf(ours.map((ms, at) => ms - (theirs[at] ?? NaN)));
    const more = [median, min, max].map((ms) => ms.toFixed(1));
    return {
      findings: [
        compare(samples, {
          what: "`sh -c true`, until all of it is gone",
          measure: "ms",
          ours: "sandboxed",
          against: "plain",
          value: (ms) => ms,
        }),
      ],
      notes: [`a sandbox adds ${more[0]} ms [${more[1]}..${more[2]}]; goal: at most 6`],
    };
  },
};

function permit(): Promise<{ readonly isAllowed: false; readonly reason: string }> {
  return Promise.resolve({ isAllowed: false, reason: "nobody is asked" });
}

async function plain(cwd: string): Promise<void> {
  const [program = "", ...args] = COMMAND;
  const child = spawn(program, args, { cwd, env: {}, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, "close");
}

async function timeOf(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < COMMANDS; count++) await act();
  return (performance.now() - began) / COMMANDS;
}

function startTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
