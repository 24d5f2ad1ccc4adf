/**
 * Builds what is stale, and nothing when nothing is. Plain JavaScript for the oldest Node we accept,
 * because setup.mjs runs it right after an install.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const TARGETS = [
  {
    output: "packages/schema/build/index.js",
    inputs: [
      "packages/schema/src/index.ts",
      "node_modules/typebox/package.json",
      "scripts/build.mjs",
    ],
    command: [
      "rolldown",
      "packages/schema/src/index.ts",
      "--file",
      "packages/schema/build/index.js",
    ],
  },
];

for (const target of TARGETS) {
  const stampFile = join(root, `${target.output}.stamp`);
  const wanted = stampOf(target);
  const isFresh = existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted;
  if (isFresh && existsSync(join(root, target.output))) continue;
  build(target);
  writeFileSync(stampFile, wanted);
}

function stampOf({ inputs, command }) {
  const hash = createHash("sha256").update(command.join(" "));
  for (const input of inputs) hash.update(readFileSync(join(root, input)));
  return hash.digest("hex");
}

function build({ output, command: [program, ...args] }) {
  const bin = (name) => join(root, "node_modules/.bin", name);
  const run = spawnSync(bin("node"), [bin(program), ...args, "--format", "esm"], {
    cwd: root,
    encoding: "utf8",
  });
  if (run.status === 0) return;
  process.stderr.write(`${run.stdout}${run.stderr}\n${output} could not be built.\n`);
  process.exit(1);
}
