/**
 * Builds what is stale, and nothing when nothing is. Plain JavaScript for the oldest Node we accept,
 * because setup.mjs runs it right after an install.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bundle = "packages/schema/build/index.js";
const plugin = "apps/plugin/dist/atrium-plugin.mjs";

const LOADED_LATER = [
  "agents/acp/acp.ts",
  "agents/codex/codex.ts",
  "agents/command/command.ts",
  "agents/model/model.ts",
  "agents/openclaw/openclaw.ts",
  "compose/claude.ts",
];

/** In order: a later one may need an earlier one. */
const TARGETS = [
  {
    what: "the schema library",
    stamp: `${bundle}.stamp`,
    inputs: ["packages/schema/src/index.ts", "node_modules/typebox/package.json"],
    commands: [
      [
        "node_modules/.bin/rolldown",
        "packages/schema/src/index.ts",
        "--file",
        bundle,
        "--format",
        "esm",
        // The engine keeps the text of a module for as long as it runs.
        "--minify",
      ],
    ],
  },
  {
    // One file for any Node from 20 on, because Claude Code starts it with the one it finds.
    what: "the Claude Code plugin",
    stamp: `${plugin}.stamp`,
    inputs: [
      "apps/plugin/package.json",
      ...sourcesIn("apps/plugin/src"),
      ...sourcesIn("packages/wire/src/bridge"),
      `${bundle}.stamp`,
      "node_modules/@modelcontextprotocol/sdk/package.json",
      "node_modules/ws/package.json",
    ],
    commands: [
      [
        "node_modules/.bin/rolldown",
        "apps/plugin/src/main.ts",
        "--file",
        plugin,
        "--format",
        "esm",
        "--platform",
        "node",
        // Native helpers of ws that it does without.
        "--external",
        "bufferutil,utf-8-validate",
        "--transform.target",
        "node20",
      ],
    ],
  },
  {
    // Static files that the server hands out; see apps/web/vite.config.ts.
    what: "the web client",
    stamp: "apps/web/dist/.stamp",
    inputs: [
      "apps/web/package.json",
      "apps/web/index.html",
      "apps/web/vite.config.ts",
      ...filesIn("apps/web/src", /(?<!\.test|\.d)\.(?:ts|tsx|css)$/),
      ...sourcesIn("packages/client/src"),
      ...sourcesIn("packages/core/src/office"),
      "packages/core/src/project/deciders/assignment.ts",
      ...sourcesIn("packages/wire/src"),
      // Its own packages, and whichever versions of theirs the lock names.
      "package-lock.json",
    ],
    commands: [["node_modules/vite/bin/vite.js", "build", "apps/web", "--logLevel", "error"]],
  },
  {
    // Loads everything once, so that the first start finds its code compiled like every later one.
    what: "the compile cache",
    stamp: "node_modules/.cache/compile.stamp",
    inputs: ["package-lock.json", "apps/server/src/main.ts"],
    commands: [
      ["apps/server/src/main.ts", "--version"],
      // The log's thread loads code of its own; outside a thread it compiles, then refuses to run.
      ["--eval", 'import("./packages/log/src/sqlite/worker.ts").catch(() => {})'],
      // And so does what is loaded only where it is needed.
      ...LOADED_LATER.map((path) => ["--eval", `import("./apps/server/src/${path}")`]),
    ],
  },
];

for (const target of TARGETS) {
  const stampFile = join(root, target.stamp);
  const wanted = stampOf(target);
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted) continue;
  build(target);
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, wanted);
}

function sourcesIn(folder) {
  return filesIn(folder, /(?<!\.test)\.ts$/);
}

function filesIn(folder, pattern) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => pattern.test(name))
    .map((name) => `${folder}/${name}`)
    .toSorted();
}

function stampOf({ inputs, commands }) {
  const hash = createHash("sha256").update(JSON.stringify(commands));
  for (const input of inputs) hash.update(readFileSync(join(root, input)));
  return hash.digest("hex");
}

function build({ what, commands }) {
  for (const command of commands) {
    const run = spawnSync(join(root, "node_modules/.bin/node"), command, {
      cwd: root,
      env: { ...process.env, NODE_COMPILE_CACHE: "node_modules/.cache/compile" },
      encoding: "utf8",
    });
    if (run.status === 0) continue;
    process.stderr.write(`${run.stdout}${run.stderr}\nCould not build ${what}.\n`);
    process.exit(1);
  }
}
