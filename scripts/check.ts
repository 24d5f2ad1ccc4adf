/**
 * Runs every `check:*` of package.json but those in LEFT_OUT, a few at a time: a line for each, and
 * the whole output of those that failed. A new check is a new line in package.json.
 */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";

interface Part {
  readonly name: string;
  readonly command: string;
}

interface Result {
  readonly name: string;
  readonly isOk: boolean;
  readonly output: string;
}

/** What is run by hand, and why. */
const LEFT_OUT = new Map([["check:mutants", "a sample that takes minutes, another one each time"]]);

const root = join(import.meta.dirname, "..");
const parts = await readParts();
const results: Result[] = [];
const width = Math.max(...parts.map((part) => part.name.length));

const waiting = parts.values();
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const part of waiting) results.push(await run(part));
  }),
);

const failed = results.filter((result) => !result.isOk);
for (const { name, output } of failed) process.stdout.write(`\n--- ${name}\n${output.trimEnd()}\n`);
if (failed.length > 0) {
  process.stdout.write(`\nfailed: ${failed.map((result) => result.name).join(", ")}\n`);
  process.exitCode = 1;
}

async function readParts(): Promise<readonly Part[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- npm has read it before us
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  return Object.entries(manifest.scripts)
    .filter(([name]) => name.startsWith("check:") && !LEFT_OUT.has(name))
    .map(([name, command]) => ({ name, command }));
}

/** As `npm run` would, without the third of a second that npm takes to start. */
async function run({ name, command }: Part): Promise<Result> {
  const started = performance.now();
  const bin = join(root, "node_modules/.bin");
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"]}` };
  const child = spawn(command, { cwd: root, env, shell: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? "ok    " : "FAILED"} ${name.padEnd(width)} ${seconds} s\n`);
  return { name, isOk: code === 0, output };
}
