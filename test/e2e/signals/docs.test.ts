import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";

const skip = skipWithout("curl");
const PAGE = new URL("../../../docs/signals.md", import.meta.url);

/** What it printed; curl leaves with 28 when its time is up. */
function run(script: string, env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      "sh",
      ["-c", script],
      { env: { PATH: process.env["PATH"], ...env } },
      (error, stdout, stderr) => {
        if (error === null || error.code === 28) resolve(stdout);
        else reject(new Error(stderr, { cause: error }));
      },
    );
  });
}

test("[SIG-25] the examples in docs/signals.md do what it says", { skip }, async () => {
  const page = await readFile(PAGE, "utf8");
  const scripts = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, script = ""]) => script);
  const answers = [...page.matchAll(/^The answer is\s+`(\{.*?\})`/gm)].map(
    ([, answer = ""]) => answer,
  );
  assert.deepEqual([scripts.length, answers.length], [3, 2]);
  await using atrium = await openTestAtrium();
  // As the server prints it, and as people type it.
  const env = { ATRIUM_URL: atrium.url, ATRIUM_TOKEN: atrium.token };
  for (const address of [atrium.url, atrium.url.replace(/\/$/, "")]) {
    for (const [index, answer] of answers.entries()) {
      assert.equal(await run(scripts[index] ?? "", { ...env, ATRIUM_URL: address }), answer);
    }
  }
  const streamed = await run(scripts[2] ?? "", env);
  assert.match(streamed, /^id: \d+\.0\ndata: \{"id":"doc-1","type":"tool_call",.*\}\n\n$/m);
});
