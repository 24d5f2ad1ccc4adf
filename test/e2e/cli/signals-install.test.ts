/** `atrium signals install`: a program's hooks tell what it does; taken out again, its settings are as they were. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
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
import { recordingPrograms } from "../../kit/recording-programs.ts";
import { startServer } from "../../kit/server-process.ts";
import { SignalEvents } from "../../kit/signals.ts";

interface HookSettings {
  readonly hooks: Readonly<Record<string, readonly { hooks: readonly { command: string }[] }[]>>;
}

/** As the program would: in a shell with next to nothing in its environment. */
async function runHook(
  command: string,
  HOME: string,
  hook: object,
  PATH = process.env["PATH"] ?? "",
): Promise<string> {
  const env = { HOME, PATH };
  const running = promisify(execFile)("/bin/sh", ["-c", command], { env, cwd: tmpdir() });
  running.child.stdin?.end(JSON.stringify(hook));
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

async function commandIn(file: string, event: string): Promise<string> {
  const { hooks } = JSON.parse(await readFile(file, "utf8")) as HookSettings;
  return hooks[event]?.[0]?.hooks[0]?.command ?? "";
}

test("[CLI-42] [CLI-61] each program's hooks run from a bare shell and are seen as its agent", async () => {
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
    ["copilot", ".copilot/settings.json", "UserPromptSubmit", ["--home", home], {}],
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

test("[CLI-55] while Atrium is away a hook says nothing and starts neither Node nor curl", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-hooks-"));
  const HOME = folder.path;
  const home = join(HOME, ".atrium");
  assert.equal((await runCli(["signals", "install", "codex"], { env: { HOME } })).code, 0);
  assert.equal((await stat(home)).mode & 0o077, 0);
  const command = await commandIn(join(HOME, ".codex", "hooks.json"), "PostToolUse");
  assert.ok(!command.includes(process.execPath));
  const programs = await recordingPrograms(HOME, ["node", "curl"]);
  // More than a pipe holds: a program that cannot write all of it may say that the hook has failed.
  const hook = { hook_event_name: "PostToolUse", tool_response: "x".repeat(1_000_000) };
  assert.equal(await runHook(command, HOME, hook, programs.path), "");
  const server = await startServer(home, { args: ["--log", "memory"] });
  assert.equal(await runHook(command, HOME, hook, programs.path), "");
  const [started = ""] = await programs.started();
  assert.match(started, /^curl .*signals\.curl/, "the stand-ins do stand in");
  await server.end("SIGKILL");
  assert.ok(existsSync(join(home, "signals.curl")), "the address is left behind");
  assert.equal(await runHook(command, HOME, hook, programs.path), "");
  assert.equal((await programs.started()).length, 1);
  assert.equal(
    (await runCli(["signals", "install", "codex", "--remove"], { env: { HOME } })).code,
    0,
  );
  assert.equal(await runHook(command, HOME, hook, programs.path), "", "as of an open session");
  assert.ok(!existsSync(join(home, "signals", "hook.sh")));
});

test("[CLI-42] hooks of earlier versions are replaced and taken out as well", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-hooks-"));
  const HOME = folder.path;
  const file = join(HOME, ".qwen", "settings.json");
  const before = '{ "theme":"light" }';
  const old = (command: string): string => {
    const hooks = { Stop: [{ hooks: [{ type: "command", command, timeout: 10_000 }] }] };
    return JSON.stringify({ theme: "light", hooks }, null, 2);
  };
  const call = (...args: readonly string[]) =>
    runCli(["signals", "install", "qwen", ...args], { env: { HOME } });
  await mkdir(join(HOME, ".qwen"));
  await mkdir(join(HOME, ".atrium", "signals"), { recursive: true, mode: 0o700 });
  const after = old("/usr/bin/node /opt/atrium/apps/cli/src/main.ts signals hook --from qwen");
  const kept = join(HOME, ".atrium", "signals", "qwen.json");
  await writeFile(kept, JSON.stringify({ before, after }));
  await writeFile(file, after);
  assert.equal((await call()).code, 0);
  assert.match(await commandIn(file, "Stop"), /hook\.sh' qwen$/);
  assert.ok(!(await readFile(file, "utf8")).includes("--from"));
  assert.match((await call("--remove")).stdout, /is as it was before/);
  assert.equal(await readFile(file, "utf8"), before);
  await writeFile(file, after);
  assert.match((await call("--remove")).stdout, /was changed since/);
  assert.deepEqual(JSON.parse(await readFile(file, "utf8")), { theme: "light" });
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
