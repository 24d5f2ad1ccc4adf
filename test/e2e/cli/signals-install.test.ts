/** `atrium signals install`: a program's hooks tell what it does; taken out again, its settings are as they were. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  chmod,
  mkdir,
  mkdtempDisposable,
  readFile,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { runCli } from "../../kit/cli-process.ts";
import { startServer } from "../../kit/server-process.ts";
import { SignalEvents } from "../../kit/signals.ts";

interface HookSettings {
  readonly hooks: Readonly<Record<string, readonly { hooks: readonly { command: string }[] }[]>>;
}

/** As the program would: in a shell with next to nothing in its environment. */
async function runHook(command: string, HOME: string, hook: object): Promise<string> {
  const env = { HOME, PATH: process.env["PATH"] ?? "" };
  const running = promisify(execFile)("/bin/sh", ["-c", command], { env, cwd: tmpdir() });
  running.child.stdin?.end(JSON.stringify(hook));
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

async function commandIn(file: string, event: string): Promise<string> {
  const { hooks } = JSON.parse(await readFile(file, "utf8")) as HookSettings;
  return hooks[event]?.[0]?.hooks[0]?.command ?? "";
}

test("[CLI-42] each program's hooks run from a bare shell and are seen as its agent", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-hooks-"));
  const HOME = folder.path;
  // Not the usual one, and named in each of the ways that there are.
  const home = join(HOME, "ann's second home");
  await using server = await startServer(home, { args: ["--log", "memory"] });
  for (const [program, path, event, args, env] of [
    ["claude-code", ".claude/settings.json", "UserPromptSubmit", ["--home", home], {}],
    ["codex", ".codex/hooks.json", "UserPromptSubmit", [], { ATRIUM_HOME: home }],
    ["gemini", ".gemini/settings.json", "BeforeAgent", ["--home", "ann's second home"], {}],
    ["qwen", ".qwen/settings.json", "UserPromptSubmit", ["--home", home], {}],
  ] as const) {
    const file = join(HOME, path);
    const call = (...more: readonly string[]) =>
      runCli(["signals", "install", program, ...args, ...more], {
        env: { HOME, ...env },
        cwd: HOME,
      });
    const done = await call();
    assert.equal(done.code, 0, done.stderr);
    const hook = { session_id: "s1", hook_event_name: event, prompt: `Hello ${program}` };
    assert.equal(await runHook(await commandIn(file, event), HOME, hook), "");
    await using events = await SignalEvents.open(
      server,
      `?after=0&type=task_dispatch&source=adapter:${program}`,
    );
    await events.until(() => events.events.length === 1);
    assert.match((await call()).stdout, /has the hooks already/);
    assert.match((await call("--remove")).stdout, /is as it was before/);
    await assert.rejects(readFile(file), "there was no such file");
  }
});

test("[CLI-42] settings are given back byte for byte; changed ones lose the hooks only", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-hooks-"));
  const HOME = folder.path;
  const env = { HOME, ATRIUM_HOME: join(HOME, "atrium") };
  const dotfile = join(HOME, "dotfiles.json");
  const file = join(HOME, ".claude", "settings.json");
  await mkdir(join(HOME, ".claude"));
  const before = '{ "model":"opus",\n\n   "hooks": {} }';
  await writeFile(dotfile, before);
  await chmod(dotfile, 0o640);
  await symlink(dotfile, file);
  const call = (...args: readonly string[]) =>
    runCli(["signals", "install", "claude-code", ...args], { env });
  assert.equal((await call()).code, 0);
  assert.notEqual(await readFile(dotfile, "utf8"), before);
  assert.equal((await stat(dotfile)).mode & 0o777, 0o640);
  assert.equal((await call("--remove")).code, 0);
  assert.equal(await readFile(dotfile, "utf8"), before);
  assert.equal(await readFile(file, "utf8"), before, "it is still a link");

  await call();
  const changed = (await readFile(file, "utf8")).replace("opus", "sonnet");
  await writeFile(dotfile, changed);
  assert.match((await call("--remove")).stdout, /was changed since/);
  assert.deepEqual(JSON.parse(await readFile(file, "utf8")), { model: "sonnet" });

  await writeFile(dotfile, "// mine\n{}");
  const refused = await call();
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /is not plain JSON/);
  assert.equal(await readFile(dotfile, "utf8"), "// mine\n{}");
  assert.match((await call("--remove")).stdout, /No hooks of Atrium/);
  const unknown = await runCli(["signals", "install", "__proto__"], { env });
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Unknown program: __proto__/);
});
