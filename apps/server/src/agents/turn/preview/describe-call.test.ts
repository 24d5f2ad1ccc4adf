import assert from "node:assert/strict";
import { test } from "node:test";
import { describeCall, describeList } from "./describe-call.ts";
import { MAX_PREVIEW_CHARS, previewText } from "./preview-text.ts";

test("[DIR-8] tools are told by what is done with them, whoever's tools they are", () => {
  const calls: readonly (readonly [string, unknown, string | undefined])[] = [
    ["Bash", { command: "npm test", description: "Runs tests" }, "Running npm test"],
    ["shell", { command: ["bash", "-lc", "npm test"] }, "Running bash -lc npm test"],
    ["Read", { file_path: "src/x.ts" }, "Reading src/x.ts"],
    ["mcp__files__read_file", { path: "src/x.ts" }, "Reading src/x.ts"],
    ["Edit", { file_path: "src/x.ts", old_string: "a", new_string: "b" }, "Editing src/x.ts"],
    ["Write", { file_path: "a.md", content: "not told" }, "Writing a.md"],
    ["Grep", { pattern: "TODO", path: "src" }, "Searching for TODO"],
    ["WebFetch", { url: "https://example.org", prompt: "no" }, "Fetching https://example.org"],
    ["Task", { description: "Find usages", prompt: "not told" }, "Handing over: Find usages"],
    ["deliver_artifact", { name: "plan.md", text: "not told" }, "Handing in plan.md"],
    ["Read", {}, "Reading a file"],
    ["Bash", null, "Running a command"],
    ["weather", { city: "not told" }, "Using weather"],
    ["Run the tests of page.ts", {}, "Run the tests of page.ts"],
    ["__proto__", JSON.parse('{"__proto__":{"command":"x"}}'), "Using __proto__"],
    ["ask", { text: "?" }, undefined],
    ["progress", { text: "!" }, undefined],
  ];
  for (const [name, input, text] of calls) assert.equal(describeCall(name, input)?.text, text);
});

test("[DIR-8] a list of things to do tells the one at hand and the share that is done", () => {
  const entries = [
    { content: "Look", status: "completed" },
    { content: "Build it", status: "in_progress" },
    { content: "Test", status: "pending" },
  ];
  assert.deepEqual(describeList(entries), { text: "Build it", percent: 33 });
  for (const none of [undefined, null, {}, [], "x", [1, null], [{ status: "in_progress" }]]) {
    assert.equal(describeList(none), undefined);
  }
});

test("[DIR-8] a preview is one short line, with secrets masked and nothing hidden", () => {
  const secret = "abcdefghijklmnop";
  for (const text of [
    `curl -H "Authorization: Bearer ${secret}" https://x`,
    `API_KEY=${secret} npm test`,
    `export GITHUB_TOKEN="${secret}"`,
    `deploy --password ${secret}`,
    `deploy --api-key=${secret}`,
    `git clone https://ann:${secret}@example.org/x.git`,
    `{"client_secret": "${secret}"}`,
    `use sk-${secret}${secret}`,
    `use ghp_${secret}${secret}`,
    `use eyJhbGciOiJIUzI1NiJ9.${secret}.x`,
  ]) {
    assert.equal(previewText(text).includes(secret), false, previewText(text));
    assert.ok(previewText(text).includes("[key]"), previewText(text));
  }
  assert.equal(
    previewText("npm test src/token-bucket.test.ts"),
    "npm test src/token-bucket.test.ts",
  );
  assert.equal(previewText(" a\n\tb\r\n c "), "a b c");
  assert.equal(previewText("rm \u202egnp.exe\u0000\u007f\u001b[2J"), "rm ⟨U+202E⟩gnp.exe␀␡␛[2J");
  const long = previewText("😀".repeat(1_000_000));
  assert.ok(long.length <= MAX_PREVIEW_CHARS && long.isWellFormed() && long.endsWith("…"));
  assert.equal(
    previewText(`echo ${"x".repeat(100)} --token ${secret.repeat(20)}`).includes("abc"),
    false,
  );
});
