import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openTestAtrium } from "../kit/atrium.ts";

const run = promisify(execFile);
const EXAMPLE = new URL("../../examples/health.mjs", import.meta.url);
const README = new URL("../../README.md", import.meta.url);

async function output(file: URL, env: Record<string, string>): Promise<string> {
  const { stdout } = await run(process.execPath, [fileURLToPath(file)], { env, timeout: 30_000 });
  return stdout;
}

test("[SERVER-8] the example in the README is the file, and prints health with the token", async () => {
  const code = await readFile(EXAMPLE, "utf8");
  assert.ok((await readFile(README, "utf8")).includes(`\`\`\`js\n${code}\`\`\``));
  await using atrium = await openTestAtrium();
  const printed = await output(EXAMPLE, { ATRIUM_URL: atrium.wsUrl, ATRIUM_TOKEN: atrium.token });
  assert.match(printed, /^health: \{\n {2}ok: true,/);
});

test("[SERVER-8] without its auth line it is the protocol's minimal client, and works with auth none", async () => {
  const code = await readFile(EXAMPLE, "utf8");
  const minimal = code.replace(/^ *auth: .*\n/m, "");
  assert.notEqual(minimal, code);
  const file = new URL("./minimal-client.tmp.mjs", import.meta.url);
  await using atrium = await openTestAtrium({ args: ["--auth", "none"] });
  try {
    await writeFile(file, minimal);
    assert.match(await output(file, { ATRIUM_URL: atrium.wsUrl }), /^health: \{\n {2}ok: true,/);
  } finally {
    await rm(file, { force: true });
  }
});
