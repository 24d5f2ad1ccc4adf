import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openTestAtrium } from "../../kit/atrium.ts";

const run = promisify(execFile);
const EXAMPLE = new URL("../../../examples/health.mjs", import.meta.url);
const README = new URL("../../../README.md", import.meta.url);
const CLIENT_PAGE = new URL("../../../docs/client.md", import.meta.url);

async function output(
  file: URL,
  env: Record<string, string>,
  ...args: readonly string[]
): Promise<string> {
  const command = [fileURLToPath(file), ...args];
  const { stdout } = await run(process.execPath, command, { env, timeout: 30_000 });
  return stdout;
}

test("[SERVER-3] the example in the README is the file, and prints health with the token", async () => {
  const code = await readFile(EXAMPLE, "utf8");
  assert.ok((await readFile(README, "utf8")).includes(`\`\`\`js\n${code}\`\`\``));
  await using atrium = await openTestAtrium();
  const printed = await output(EXAMPLE, { ATRIUM_URL: atrium.wsUrl, ATRIUM_TOKEN: atrium.token });
  assert.match(printed, /^health: \{\n {2}ok: true,/);
});

test("[SERVER-3] without its auth line it is the protocol's minimal client, and works with auth none", async () => {
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

test("[SERVER-3] what goes wrong it says, with exit code 1", async () => {
  await using atrium = await openTestAtrium();
  for (const [env, why] of [
    [{ ATRIUM_URL: atrium.wsUrl, ATRIUM_TOKEN: "wrong" }, /token mismatch/],
    [{ ATRIUM_URL: "ws://127.0.0.1:1", ATRIUM_TOKEN: "x" }, /ECONNREFUSED/],
  ] as const) {
    await assert.rejects(output(EXAMPLE, env), ({ code, stdout, stderr }) => {
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, /^no health from ws:.*\n$/);
      return why.test(stderr);
    });
  }
});

test("[CLIENT-35] the examples in docs/client.md are the files, and do what it says", async () => {
  const page = await readFile(CLIENT_PAGE, "utf8");
  const blocks = Array.from(page.matchAll(/^```js\n([^]*?)^```$/gm), ([, code]) => code);
  await using atrium = await openTestAtrium();
  // As the server prints it, and as people shorten it.
  const whole = { ATRIUM_URL: `${atrium.url}#token=${atrium.token}` };
  const parts = { ATRIUM_URL: atrium.url.replace(/\/$/, ""), ATRIUM_TOKEN: atrium.token };
  const message = "[[tool: now {}]] [[say: Here I am.]]";
  const examples = [
    ["client-call.mjs", /^6 agents: BD, Research 1, /],
    ["client-chat.mjs", /Here I am\.\n\(completed\)\n$/],
    ["client-office.mjs", /^BD: IdleAtHome\n[^]*\d+ request_submitted\n[^]*\d+ tasks_created\n/],
    ["client-signals.mjs", /^\d+\.0 tool_call now\n\d+\.0 tool_result now\n$/],
  ] as const;
  assert.equal(blocks.length, examples.length);
  for (const [index, [name, says]] of examples.entries()) {
    const file = new URL(`../../../examples/${name}`, import.meta.url);
    assert.equal(blocks[index], await readFile(file, "utf8"), name);
    assert.match(await output(file, index % 2 === 0 ? whole : parts, message), says);
  }
});

test("the example in docs/wire.md is the file, and prints what the page says", async () => {
  const page = await readFile(new URL("../../../docs/wire.md", import.meta.url), "utf8");
  const file = new URL("../../../examples/wire-check.mjs", import.meta.url);
  assert.ok(page.includes(`\`\`\`js\n${await readFile(file, "utf8")}\`\`\``));
  const lines = (await output(file, {})).trimEnd().split("\n");
  assert.equal(lines.length, 5);
  assert.ok(page.includes(lines.map((line) => `    ${line}\n`).join("")));
});

test("the example in docs/swift.md is the file that swift:check compiles", async () => {
  const page = await readFile(new URL("../../../docs/swift.md", import.meta.url), "utf8");
  const code = await readFile(new URL("../../../examples/frames.swift", import.meta.url), "utf8");
  assert.ok(page.includes(`\`\`\`swift\n${code}\`\`\``));
});
