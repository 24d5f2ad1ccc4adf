import assert from "node:assert/strict";
import { chmodSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { skipWithout } from "../../../../../scripts/system-programs.ts";
import { systemTimers, type Timers } from "../../platform/timers.ts";
import { probeGit } from "./git-version.ts";
import { createGit, splitNul, type Git, type GitResult } from "./git.ts";

const PATH = process.env["PATH"] ?? "";
const skip = skipWithout("git");

/** A program that goes by the name of git and does what the script says. */
function pretend(
  script: string,
  timers: Timers = systemTimers,
): Disposable & { git: Git; folder: string } {
  const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-git-"));
  const program = join(folder.path, "git");
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  const git = createGit({ program, env: { PATH, F: folder.path }, timers });
  return { git, folder: folder.path, [Symbol.dispose]: () => folder.remove() };
}

const whyOf = (result: GitResult): string => (result.ok ? "ok" : result.why);

/** Timers that a test lets run out. */
function handTimers(): Timers & { readonly expire: () => void } {
  const waiting = new Set<() => void>();
  return {
    after(_ms, run) {
      waiting.add(run);
      return () => waiting.delete(run);
    },
    expire() {
      for (const run of waiting) run();
    },
  };
}

test("[SPACE-17] a git that never ends is ended with all it has started", async () => {
  const timers = handTimers();
  using made = pretend('sleep 1000 & echo $! > "$F/child"; echo $$ > "$F/self"; wait', timers);
  const running = made.git.run(["status"], { timeoutMs: 5_000 });
  const pidIn = async (name: string): Promise<number> => {
    for (;;) {
      const text = await sleep(5).then(() => read(join(made.folder, name)));
      if (text.endsWith("\n")) return Number(text);
    }
  };
  const pids = [await pidIn("child"), await pidIn("self")];
  timers.expire();
  const result = await running;
  assert.equal(whyOf(result), "late");
  assert.match(result.ok ? "" : result.complaint, /did not end within 5 s/);
  while (pids.some(isAlive)) await sleep(5);
});

test("[SPACE-17] output beyond the limit ends git, and the rest is not kept", async () => {
  using made = pretend("while true; do echo 0123456789; done");
  const result = await made.git.run([], { maxBytes: 10_000 });
  assert.equal(whyOf(result), "large");
  assert.ok(result.stdout.length <= 10_000);
});

test("[SPACE-17] a complaint of any length is kept short, and a closed input is no accident", async () => {
  using made = pretend("exec 0<&-; for i in $(seq 5000); do echo complaint $i >&2; done; exit 3");
  const result = await made.git.run([], { input: "x".repeat(1_000_000) });
  assert.ok(!result.ok && result.why === "failed");
  assert.equal(result.code, 3);
  assert.ok(result.complaint.length <= 4_000);
  assert.match(result.complaint, /complaint 5000$/);
});

test("[SPACE-16] a git that is missing, too old or silent is told apart from one that will do", async () => {
  const probe = async (script: string): Promise<string> => {
    using made = pretend(script);
    const version = await probeGit(made.git);
    return version.ok ? version.value : `${version.code}: ${version.detail}`;
  };
  assert.equal(await probe("echo git version 2.38.0"), "2.38.0");
  assert.equal(await probe("echo 'git version 2.39.5 (Apple Git-154)'"), "2.39.5");
  assert.equal(await probe("echo git version 3.0.rc1"), "3.0");
  assert.match(await probe("echo git version 2.37.9"), /^git\.missing: .* this is git 2\.37\.9$/);
  assert.match(await probe("echo git version 1.99"), /^git\.missing: /);
  assert.match(await probe("true"), /^git\.missing: .*told no version$/);
  assert.match(await probe("exit 1"), /^git\.missing: /);
  const none = createGit({ program: "/nowhere/git", env: { PATH }, timers: systemTimers });
  const missing = await probeGit(none);
  assert.ok(!missing.ok && missing.code === "git.missing");
  const timers = handTimers();
  using stuck = pretend("sleep 1000", timers);
  const late = probeGit(stuck.git);
  timers.expire();
  assert.equal((await late).ok, false);
});

test("[SPACE-17] git is given nothing of the server's environment", { skip }, async () => {
  using made = pretend("env");
  process.env["ATRIUM_TEST_SECRET"] = "secret";
  try {
    const result = await made.git.run([], { site: { folder: "/", gitDir: "/", index: "/index" } });
    assert.ok(result.ok);
    const names = result.stdout
      .toString()
      .split("\n")
      .map((line) => line.split("=")[0]);
    const known = new Set(["PATH", "F", "GIT_INDEX_FILE", "PWD", "OLDPWD", "SHLVL", "_", ""]);
    assert.deepEqual(
      names.filter((name = "") => !known.has(name)),
      [],
    );
  } finally {
    delete process.env["ATRIUM_TEST_SECRET"];
  }
});

test("fields that end with NUL are split, also when one is empty", () => {
  assert.deepEqual(splitNul(Buffer.from("")), []);
  assert.deepEqual(splitNul(Buffer.from("a\nb\0\0c\0")), ["a\nb", "", "c"]);
});

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function isAlive(pid: number): boolean {
  return read(`/proc/${pid}/status`) !== "" && !/^State:\s+Z/m.test(read(`/proc/${pid}/status`));
}
