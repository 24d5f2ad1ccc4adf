import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { WorkspacePermissions } from "../../agents/settings/agent-settings.ts";
import type { PermissionAnswer, PermissionRequest } from "../../agents/turn/agent-runtime.ts";
import { redactDeep } from "../../agents/turn/redact.ts";
import { openFolders } from "../../confinement/testing/confinement-stage.ts";
import {
  openSandbox,
  openWithoutSandbox,
  skipWithoutSandbox,
} from "../../confinement/testing/sandbox.ts";
import { createBlobs } from "../../platform/blobs.ts";
import { holdingTimers } from "../../platform/timers.ts";
import type { LiveEvent } from "../../runs/live-runs.ts";
import { createToolbox } from "../toolbox.ts";
import { fileTools } from "./file-tools.ts";

interface Options {
  readonly permissions?: WorkspacePermissions;
  readonly answer?: (request: PermissionRequest) => Promise<PermissionAnswer>;
  readonly isSandboxed?: boolean;
  readonly isDiskFull?: boolean;
}

const SECRET = "a-token-that-nobody-may-read";
const FULL = {
  put: () => Promise.reject(new Error("ENOSPC: no space left on device")),
  get: () => Promise.reject(new Error("there is nothing")),
};

/** A workspace, its tools, and a person who answers. */
async function openTools({
  permissions = "sandbox",
  answer = () => Promise.resolve("allowed"),
  isSandboxed = false,
  isDiskFull = false,
}: Options = {}) {
  const folders = await openFolders();
  const { folder, store, home } = folders;
  const asked: PermissionRequest[] = [];
  const told: LiveEvent[] = [];
  const blobs = isDiskFull ? FULL : createBlobs(join(home, "blobs"));
  const toolbox = createToolbox(
    fileTools({
      confinement: isSandboxed ? openSandbox([home]) : openWithoutSandbox([home]),
      permissionsOf: () => permissions,
      humanInput: {
        requestPermission(_about, request) {
          asked.push(request);
          return answer(request);
        },
      },
      live: { publish: (_runId, event) => void told.push(event) },
      blobs,
      secrets: () => [SECRET],
      timers: holdingTimers,
    }),
  );
  const watched: string[] = [];
  const resultOf = (name: string, input: object, runId = "run_1") =>
    toolbox.call(name, input, {
      onOutput: (text) => void watched.push(text),
      key: "agent:main:main",
      runId,
      agentId: "agent_eng_1",
      workspace: { folder, store },
      signal: new AbortController().signal,
    });
  const callAs = (runId: string) => async (name: string, input: object) => {
    const { text, isError } = await resultOf(name, input, runId);
    return isError ? `error: ${text}` : text;
  };
  return {
    ...folders,
    toolbox,
    asked,
    told,
    resultOf,
    watched,
    blobs,
    callAs,
    call: callAs("run_1"),
    [Symbol.asyncDispose]: () => folders[Symbol.asyncDispose](),
  };
}

test("[TOOL-8] the tools of a workspace are offered and work only where there is one", async () => {
  await using place = await openTools();
  const { toolbox, folder, store } = place;
  const names = ["read", "list", "search", "edit", "write", "run", "todo"];
  assert.deepEqual(toolbox.declarations, []);
  const workspace = { folder, store };
  assert.deepEqual(
    toolbox.declarationsFor({ workspace }).map(({ name }) => name),
    names,
  );
  const { signal } = new AbortController();
  const inputs = [{ path: "a" }, {}, { pattern: "a" }, { path: "a", old: "a", new: "b" }];
  const more = [
    { path: "a", content: "" },
    { command: "true" },
    { items: [{ text: "a", state: "open" }] },
  ];
  for (const [at, input] of [...inputs, ...more].entries()) {
    const context = { key: "agent:main:main", runId: "r", agentId: "agent_bd", signal };
    const { text, isError } = await toolbox.call(names[at] ?? "", input, context);
    assert.deepEqual([isError, text], [true, `There is no tool ${names[at]}. Tools: none.`]);
  }
});

test("[TOOL-12] a result names the files that were changed, and only run does not know", async () => {
  await using place = await openTools();
  const wrote = async (name: string, input: object) => (await place.resultOf(name, input)).wrote;
  assert.deepEqual(await wrote("write", { path: "./src/a.ts", content: "one" }), ["src/a.ts"]);
  assert.deepEqual(await wrote("edit", { path: "src/../src/a.ts", old: "one", new: "two" }), [
    "src/a.ts",
  ]);
  assert.deepEqual(await wrote("edit", { path: "src/a.ts", old: "one", new: "three" }), []);
  assert.deepEqual(await wrote("write", { path: "../a.ts", content: "" }), []);
  assert.deepEqual(await wrote("read", { path: "src/a.ts" }), []);
  assert.deepEqual(await wrote("todo", { items: [{ text: "a", state: "done" }] }), []);
  assert.equal(await wrote("run", { command: "true" }), undefined);
});

test("[TOOL-10] read numbers the lines, says how to go on, and tells binary files by their size", async () => {
  await using place = await openTools();
  const { call, folder } = place;
  await writeFile(
    join(folder, "long.txt"),
    Array.from({ length: 2_500 }, (_, n) => `line ${n + 1}\n`).join(""),
  );
  await writeFile(join(folder, "wide.txt"), `${"x".repeat(3_000)}\nend`);
  await writeFile(join(folder, "picture"), Buffer.from([137, 80, 0, 1]));
  await writeFile(join(folder, "empty"), "");
  const first = await call("read", { path: "long.txt" });
  assert.match(first, /^1\tline 1\n/);
  assert.match(first, /\n2000\tline 2000\n… 500 more lines; go on with from: 2001$/);
  assert.equal(
    await call("read", { path: "long.txt", from: 2_499 }),
    "2499\tline 2499\n2500\tline 2500",
  );
  assert.match(
    await call("read", { path: "long.txt", from: 2, lines: 1 }),
    /^2\tline 2\n… 2498 more/,
  );
  assert.equal(await call("read", { path: "wide.txt" }), `1\t${"x".repeat(2_000)}…\n2\tend`);
  assert.equal(await call("read", { path: "picture" }), "picture is a binary file of 4 bytes.");
  assert.equal(await call("read", { path: "empty" }), "empty is empty.");
  assert.equal(await call("read", { path: "none" }), "error: none does not exist.");
  assert.match(await call("read", { path: "../other/secret" }), /^error: .* is outside/);
});

test("[TOOL-9] edit replaces what occurs exactly once, in a file as the run has read it", async () => {
  await using place = await openTools();
  const { call, callAs, folder } = place;
  const file = join(folder, "a.ts");
  await writeFile(file, "let a = 1;\nlet b = 1;\n");
  const edit = { path: "a.ts", old: "a = 1", new: "a = $&2" };
  assert.equal(await call("edit", edit), "error: Read a.ts before you change it.");
  await call("read", { path: "a.ts" });
  assert.match(await callAs("run_2")("edit", edit), /Read a\.ts before/);
  assert.match(await call("edit", { ...edit, old: "= 1" }), /occurs 2 times/);
  assert.match(await call("edit", { ...edit, old: "= 3" }), /does not occur/);
  assert.equal(
    await call("edit", edit),
    "Replaced 1 in a.ts:\n1\tlet a = $&2;\n2\tlet b = 1;\n3\t",
  );
  // What it wrote itself it knows.
  assert.match(await call("edit", { ...edit, old: "let", new: "var", all: true }), /^Replaced 2/);
  assert.equal(await readFile(file, "utf8"), "var a = $&2;\nvar b = 1;\n");
  await writeFile(file, "somebody else's\n");
  const late = "error: a.ts has changed since you read it. Read it again.";
  assert.equal(await call("edit", { ...edit, old: "var" }), late);
  assert.equal(await call("write", { path: "a.ts", content: "mine" }), late);
  assert.equal(await readFile(file, "utf8"), "somebody else's\n");
});

test("[TOOL-9] write makes new files, and replaces only what the run has read", async () => {
  await using place = await openTools();
  const { call, folder } = place;
  assert.equal(
    await call("write", { path: "src/new.ts", content: "1\n" }),
    "Wrote src/new.ts, 2 bytes.",
  );
  assert.equal(
    await call("write", { path: "src/new.ts", content: "2\n" }),
    "Wrote src/new.ts, 2 bytes.",
  );
  await writeFile(join(folder, "old.ts"), "old");
  const refused = await call("write", { path: "old.ts", content: "new" });
  assert.equal(refused, "error: old.ts exists. Read it before you replace it.");
  assert.match(await call("write", { path: "src", content: "x" }), /^error: src is a folder/);
  assert.match(await call("write", { path: ".git/config", content: "x" }), /git's own data/);
});

test("[TOOL-9] a file that changes while people decide is not written over", async () => {
  const decided = Promise.withResolvers<PermissionAnswer>();
  await using place = await openTools({ permissions: "ask", answer: () => decided.promise });
  const { call, folder, asked } = place;
  const file = join(folder, "a.ts");
  await writeFile(file, "one");
  await call("read", { path: "a.ts" });
  const editing = call("edit", { path: "a.ts", old: "one", new: "two" });
  while (asked.length === 0) await new Promise(setImmediate);
  await writeFile(file, "one and more");
  decided.resolve("allowed");
  assert.match(await editing, /^error: a\.ts has changed/);
  assert.equal(await readFile(file, "utf8"), "one and more");
});

for (const isSandboxed of [false, true]) {
  const where = isSandboxed ? "in a sandbox" : "without a sandbox";
  const skip = isSandboxed && skipWithoutSandbox();
  test(`[TOOL-10] list and search find what is not ignored, ${where}`, { skip }, async () => {
    await using place = await openTools({ isSandboxed });
    const { call, folder, asked } = place;
    await mkdir(join(folder, "src"));
    await mkdir(join(folder, "dist"));
    await writeFile(join(folder, ".gitignore"), "dist\n");
    await writeFile(join(folder, "src/a.ts"), "const needle = 1;\n");
    await writeFile(join(folder, "src/b.md"), `a needle ${"x".repeat(400)}\n`);
    await writeFile(join(folder, "src/two\nlines.ts"), "needle\n");
    await writeFile(join(folder, "dist/a.js"), "needle\n");
    const listed = ".gitignore\nsrc/a.ts\nsrc/b.md\nsrc/two\\nlines.ts";
    assert.equal(await call("list", {}), listed);
    assert.equal(await call("list", { path: "src", glob: "*.md" }), "src/b.md");
    assert.equal(await call("list", { glob: "*.none" }), "There are no files.");
    const lines = (await call("search", { pattern: "need+le" })).split("\n");
    assert.deepEqual(
      lines.map((line) => line.slice(0, 22)),
      ["src/a.ts:1:const needl", "src/b.md:1:a needle xx", "src/two\\nlines.ts:1:ne"],
    );
    assert.ok((lines[1] ?? "").length < 400);
    assert.equal(
      await call("search", { pattern: "needle = 1", path: "src/a.ts" }),
      "src/a.ts:1:const needle = 1;",
    );
    assert.equal(await call("search", { pattern: "(", literal: true }), "Nothing was found.");
    assert.match(await call("search", { pattern: "(" }), /^error: .*unclosed group/s);
    // What it looks for is never taken for an option.
    assert.equal(await call("search", { pattern: "--pre=touch" }), "Nothing was found.");
    assert.match(await call("list", { path: "../other" }), /outside/);
    assert.deepEqual(asked, []);
  });
}

test("[TOOL-10] a file that turns out to be binary is named as it is called, and so is the next", async () => {
  await using place = await openTools();
  const { call, folder } = place;
  await writeFile(join(folder, "a.bin"), `needle\n${"x\n".repeat(200_000)}\0\n`);
  await writeFile(join(folder, "b.txt"), "needle too\n");
  assert.equal(await call("search", { pattern: "needle" }), "a.bin:1:needle\nb.txt:1:needle too");
});

test("[TOOL-10] what is too much is counted", async () => {
  await using place = await openTools();
  const { call, folder } = place;
  const lines = Array.from({ length: 150 }, (_, n) => `hit ${n}\n`).join("");
  for (const name of ["a", "b"]) await writeFile(join(folder, name), lines);
  for (let n = 0; n < 510; n++) await writeFile(join(folder, `file-${n}`), "");
  assert.match(await call("search", { pattern: "hit" }), /\n… 100 more lines$/);
  assert.match(await call("list", {}), /\n… 12 more files$/);
});

test("[TOOL-11] without a sandbox every command is asked, whole and with a warning", async () => {
  const answers: PermissionAnswer[] = [
    "allowed",
    "denied",
    "expired",
    { permission: "denied", note: "not here" },
  ];
  await using place = await openTools({
    answer: () => Promise.resolve(answers.shift() ?? "denied"),
  });
  const { call, asked, folder } = place;
  assert.match(
    await call("run", { command: "echo hi; pwd" }),
    new RegExp(`^hi\n${folder}\n\\[exit code 0, `),
  );
  assert.equal(await call("run", { command: "touch a" }), "error: A person said no.");
  assert.match(await call("run", { command: "touch a" }), /Nobody answered in time/);
  assert.equal(await call("run", { command: "touch a" }), "error: A person said no: not here");
  await assert.rejects(readFile(join(folder, "a")), { code: "ENOENT" });
  assert.equal(asked.length, 4);
  const [{ tool, input, cwd, warning, mayAlways } = { tool: "", input: "" }] = asked;
  assert.deepEqual(
    [tool, input, cwd, mayAlways],
    ["run", { command: "echo hi; pwd" }, folder, false],
  );
  assert.match(warning ?? "", /without a sandbox/);
});

test(
  "[TOOL-11] in a sandbox the preset says what is asked",
  { skip: skipWithoutSandbox() },
  async () => {
    for (const [permissions, expected] of [
      ["ask", ["write", "run"]],
      ["edit", ["run"]],
      ["sandbox", []],
    ] as const) {
      await using place = await openTools({ permissions, isSandboxed: true });
      const { call, asked } = place;
      await call("write", { path: "a.sh", content: "echo from a file\nexit 3\n" });
      const text = await call("run", { command: "sh a.sh" });
      assert.match(text, /^error: from a file\n\[exit code 3, \d+\.\d s\]$/);
      assert.deepEqual(
        asked.map(({ tool }) => tool),
        expected,
      );
      if (permissions !== "ask") continue;
      assert.deepEqual(asked[0]?.writes, [{ path: "a.sh", text: "echo from a file\nexit 3\n" }]);
    }
  },
);

test(
  "[TOOL-11] the network is asked for each time, with the exact command",
  { skip: skipWithoutSandbox() },
  async () => {
    let answer: PermissionAnswer = "denied";
    await using place = await openTools({
      isSandboxed: true,
      answer: () => Promise.resolve(answer),
    });
    const { call, asked } = place;
    const command = "grep -c : /proc/net/dev; touch done";
    const wanted = { command, needs: "network", why: "to fetch what it depends on" };
    assert.match(await call("run", { command, needs: "network" }), /Say why/);
    assert.equal(await call("run", wanted), "error: A person said no.");
    const [request] = asked;
    assert.deepEqual(request?.input, { command, needs: "network" });
    assert.deepEqual([request?.details, request?.mayAlways], [wanted.why, false]);
    assert.match(request?.warning ?? "", /network/);
    assert.match(await call("run", { command: "ls" }), /^\[exit code 0/);
    answer = "allowed";
    assert.match(await call("run", wanted), /\[exit code 0/);
    assert.equal(asked.length, 2);
  },
);

test("[TOOL-11] a command that is stopped says why", { skip: skipWithoutSandbox() }, async () => {
  await using place = await openTools({ isSandboxed: true });
  const text = await place.call("run", { command: "echo begun; sleep 100", timeoutMs: 300 });
  assert.match(text, /^error: (?:begun\n)?\[stopped after .* s: it took longer than its time\]$/);
});

test("[TOOL-8] todo shows people how far the work is", async () => {
  await using place = await openTools();
  const items = [
    { text: "read", state: "done" },
    { text: "change", state: "active" },
  ];
  assert.equal(await place.call("todo", { items }), "[x] read\n[>] change");
  assert.deepEqual(place.told, [{ type: "progress", text: "change", percent: 50 }]);
});

test("[TOOL-13] what a command returns is plain, and what was taken out hides no secret", async () => {
  await using place = await openTools();
  const secret = `${SECRET.slice(0, 8)}\\033[0m${SECRET.slice(8)}`;
  const command = `printf '\\033[31mred\\033[0m 10%%\\r20%%\\r\\n\\033]52;c;x\\007${secret}'`;
  const { text } = await place.resultOf("run", { command });
  assert.match(text, /^red 10%\n20%\n/);
  const masked = redactDeep(text, [SECRET]);
  assert.match(masked, /\n\[key\]\n\[exit code 0, /);
});

test("[TOOL-13] output that is too long to be shown is kept whole, without secrets", async () => {
  await using place = await openTools();
  const { resultOf, blobs } = place;
  const short = await resultOf("run", { command: `echo ${SECRET}` });
  assert.match(short.text, /^\[key\]\n\[exit code 0/);
  assert.equal(short.output, undefined);
  // One long line, so that the cut would go through the secret.
  const long = `printf 'x%.0s' $(seq 1 14990); printf ${SECRET}; seq 1 20000; printf ${SECRET}`;
  const { text, output } = await resultOf("run", { command: long });
  assert.match(text, /… \d+ lines left out; \d+ bytes in all …/);
  assert.ok(output !== undefined && text.length < 30_200);
  const whole = (await blobs.get(output.digest)).toString();
  assert.equal(output.bytes, Buffer.byteLength(whole));
  const numbers = Array.from({ length: 20_000 }, (_, n) => `${n + 1}\n`).join("");
  assert.equal(whole, `${"x".repeat(14_990)}[key]${numbers}[key]`);
  for (const piece of [SECRET.slice(0, 8), SECRET.slice(-8)]) {
    assert.ok(!text.includes(piece) && !whole.includes(piece));
  }
});

test("[TOOL-13] a secret at the end of what is kept, and one in binary output, are masked too", async () => {
  await using place = await openTools();
  const { resultOf, blobs } = place;
  const most = 10 * 1024 * 1024;
  const command = `head -c ${most - 10} /dev/zero | tr '\\0' 'x'; printf ${SECRET}; seq 1 9`;
  const { output } = await resultOf("run", { command });
  const kept = await blobs.get(output?.digest ?? "");
  assert.equal(kept.toString("latin1", most - 20), "x".repeat(10));
  const binary = await resultOf("run", { command: `printf 'a\\000\\377${SECRET}\\377'` });
  assert.match(binary.text, /^\[\d+ bytes of binary output, not shown\]\n\[exit code 0/);
  const bytes = await blobs.get(binary.output?.digest ?? "");
  assert.equal(bytes.toString("latin1"), "a\0\xff[key]\xff");
});

test("[TOOL-13] a command whose output cannot be kept has run all the same, and says so", async () => {
  await using place = await openTools({ isDiskFull: true });
  const { text, isError, output } = await place.resultOf("run", { command: "seq 1 20000" });
  assert.match(text, /\n20000\n\[the whole output could not be kept: ENOSPC.*\]\n\[exit code 0/);
  assert.deepEqual([isError, output], [false, undefined]);
});

test("[TOOL-14] a command is watched while it runs", async () => {
  await using place = await openTools();
  const { resultOf, watched } = place;
  const running = resultOf("run", { command: `printf ${SECRET}; sleep 0.5; echo later >&2` });
  while (watched.length === 0) await setTimeout(20);
  assert.deepEqual(watched, ["[key]"]);
  const { text } = await running;
  assert.match(text, /^\[key\]later\n\[exit code 0/);
  assert.equal(watched.join(""), "[key]later\n");
});
