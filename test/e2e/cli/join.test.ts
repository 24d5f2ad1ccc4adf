/** `atrium join` and `atrium leave`, with programs that rewrite their settings as the real ones do. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { runCli, type CliResult } from "../../kit/cli-process.ts";

/** Keeps its plugins in settings.json, formats that file anew each time, and keeps a list beside it. */
const CLAUDE = `#!${process.execPath}
const fs = require("node:fs");
const folder = process.env.CLAUDE_CONFIG_DIR;
const file = folder + "/settings.json";
const list = folder + "/plugins/installed_plugins.json";
const [, verb, what = "", named] = process.argv.slice(2);
const settings = JSON.parse(fs.readFileSync(file, "utf8"));
settings.enabledPlugins ??= {};
if (verb === "marketplace" && what === "add") settings.market = named;
if (verb === "marketplace" && what === "remove") delete settings.market;
if (verb === "install") {
  if (settings.broken) { console.error("no space left"); process.exit(1); }
  settings.enabledPlugins[what] = true;
  fs.mkdirSync(folder + "/plugins", { recursive: true });
  fs.writeFileSync(list, JSON.stringify({ plugins: [what, settings.market] }));
}
if (verb === "uninstall") {
  delete settings.enabledPlugins[what];
  fs.writeFileSync(list, "{}");
}
fs.writeFileSync(file, JSON.stringify(settings, null, 2));
`;

interface Stage extends AsyncDisposable {
  /** Of the user. */
  readonly folder: string;
  readonly home: string;
  readonly settings: string;
  readonly list: string;
  cli(...args: string[]): Promise<CliResult>;
}

async function openStage(written: string): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "atrium-join-"));
  const [bin, config, home] = [join(folder, "bin"), join(folder, "config"), join(folder, "home")];
  for (const each of [bin, config]) await mkdir(each);
  await writeFile(join(bin, "claude"), CLAUDE);
  await chmod(join(bin, "claude"), 0o755);
  const settings = join(config, "settings.json");
  await writeFile(settings, written);
  const env = { PATH: [bin, "/usr/bin", "/bin"].join(delimiter), CLAUDE_CONFIG_DIR: config };
  return {
    folder,
    home,
    settings,
    list: join(config, "plugins", "installed_plugins.json"),
    cli: (...args) => runCli([...args, "--home", home], { env: { ...env, HOME: folder } }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const WRITTEN = '{\n   "theme":   "dark" }\n';

test("[JOIN-12] join installs into what is found, and leave puts every settings file back", async () => {
  await using stage = await openStage(WRITTEN);
  const joined = await stage.cli("join");
  assert.equal(joined.code, 0, joined.stderr);
  assert.match(joined.stdout, /^Claude Code has joined\. New sessions appear in the office\.\n$/);
  assert.match(await readFile(stage.settings, "utf8"), /"atrium@atrium": true/);
  const hooks = join(stage.home, "plugin", "plugin", "hooks");
  assert.equal(await readFile(join(hooks, "home"), "utf8"), `${stage.home}\n`);
  const record = await stat(join(stage.home, "joined", "claude-code.json"));
  assert.equal(record.mode & 0o777, 0o600);
  // Again, as after an update: what was there first is still what leaving goes back to.
  assert.equal((await stage.cli("join", "claude-code")).code, 0);
  const left = await stage.cli("leave");
  assert.deepEqual([left.code, left.stdout], [0, "Claude Code has left.\n"]);
  assert.equal(await readFile(stage.settings, "utf8"), WRITTEN);
  await assert.rejects(stat(stage.list), { code: "ENOENT" });
  await assert.rejects(stat(join(stage.home, "plugin")), { code: "ENOENT" });
  assert.equal((await stage.cli("leave")).stdout, "None of them had joined.\n");
});

test("[JOIN-42] join --tasks lets sessions take tasks, until the next join or leave without it", async () => {
  await using stage = await openStage(WRITTEN);
  const consent = join(stage.home, "joined", "may-take-tasks");
  assert.equal((await stage.cli("join")).code, 0);
  await assert.rejects(stat(consent), { code: "ENOENT" });
  assert.equal((await stage.cli("join", "--tasks")).code, 0);
  assert.equal((await stat(consent)).mode & 0o777, 0o600);
  // All that the session's tools need, because programs copy it.
  const server = join(stage.home, "plugin", "plugin", "server");
  assert.equal(await readFile(join(server, "node"), "utf8"), `${process.execPath}\n`);
  for (const file of ["start.sh", "atrium-plugin.mjs"]) await stat(join(server, file));
  // Codex does not say in the call where the plugin is, and Qwen Code reads the manifest only.
  for (const file of [".mcp.json", ".claude-plugin/plugin.json"]) {
    const text = await readFile(join(server, "..", file), "utf8");
    const { atrium } = JSON.parse(text).mcpServers;
    assert.deepEqual(atrium, { command: "sh", args: [join(server, "start.sh")] });
  }
  assert.equal((await stage.cli("leave")).code, 0);
  await assert.rejects(stat(consent), { code: "ENOENT" });
});

test("[JOIN-71] what the user changed since stays, without the plugin and what it left empty", async () => {
  await using stage = await openStage(WRITTEN);
  await stage.cli("join");
  const changed = (await readFile(stage.settings, "utf8")).replace("dark", "light");
  await writeFile(stage.settings, changed);
  assert.equal((await stage.cli("leave")).code, 0);
  assert.deepEqual(JSON.parse(await readFile(stage.settings, "utf8")), { theme: "light" });
});

test("[JOIN-12] a program that does not take the plugin keeps its settings, and says why", async () => {
  const broken = '{ "broken":   true }\n';
  await using stage = await openStage(broken);
  const { code, stderr } = await stage.cli("join");
  assert.equal(code, 1);
  assert.match(stderr, /Claude Code did not take the plugin: no space left/);
  assert.equal(await readFile(stage.settings, "utf8"), broken);
  assert.equal((await stage.cli("leave")).stdout, "None of them had joined.\n");
  const unknown = await stage.cli("join", "emacs");
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Unknown program: emacs\. Use one of: claude-code, codex/);
});

const GEMINI_WRITTEN = '{ "ui": {"theme":   "dark"} } // mine\n';

test("[JOIN-31] Gemini's settings get its hooks, and leave puts the file back byte for byte", async () => {
  await using stage = await openStage(WRITTEN);
  // As with dotfiles that are kept elsewhere.
  const kept = join(stage.folder, "dotfiles.json");
  await writeFile(kept, GEMINI_WRITTEN, { mode: 0o640 });
  await mkdir(join(stage.folder, ".gemini"));
  const file = join(stage.folder, ".gemini", "settings.json");
  await symlink(kept, file);
  const joined = await stage.cli("join", "gemini");
  assert.equal(joined.code, 0, joined.stderr);
  assert.match(joined.stdout, /^Gemini CLI has joined\..* answered in its terminal\.\n$/);
  const script = join(stage.home, "plugin", "plugin", "hooks", "report.sh");
  const after = await readFile(kept, "utf8");
  assert.ok(after.includes(`exec sh '${script}' BeforeAgent gemini`), after);
  assert.match(after, /\/\/ mine/);
  assert.equal((await stat(kept)).mode & 0o777, 0o640);
  assert.equal((await stage.cli("join", "gemini")).code, 0);
  assert.equal((await stage.cli("leave")).stdout, "Gemini CLI has left.\n");
  assert.equal(await readFile(kept, "utf8"), GEMINI_WRITTEN);
  assert.ok((await lstat(file)).isSymbolicLink());
});

test("[JOIN-31] of Gemini's settings that were changed since, leave takes its own part only", async () => {
  await using stage = await openStage(WRITTEN);
  const file = join(stage.folder, ".gemini", "settings.json");
  await mkdir(join(stage.folder, ".gemini"));
  await writeFile(file, GEMINI_WRITTEN);
  await stage.cli("join", "gemini");
  await writeFile(file, (await readFile(file, "utf8")).replace("dark", "light"));
  assert.equal((await stage.cli("leave", "gemini")).code, 0);
  assert.equal(await readFile(file, "utf8"), GEMINI_WRITTEN.replace("dark", "light"));
  const broken = '{ "hooks": [] }';
  await writeFile(file, broken);
  const { code, stderr } = await stage.cli("join", "gemini");
  assert.equal(code, 1);
  assert.match(stderr, /settings\.json cannot be read, so it was left as it is/);
  assert.equal(await readFile(file, "utf8"), broken);
});

test("[JOIN-33] opencode gets its plugin once its package is there, and leave removes it", async () => {
  await using stage = await openStage(WRITTEN);
  const config = join(stage.folder, ".config", "opencode");
  await mkdir(config, { recursive: true });
  // Without it opencode would look for it in the network before it shows anything.
  const early = await stage.cli("join", "opencode", "claude-code");
  assert.equal(early.code, 1);
  assert.match(early.stderr, /has not installed @opencode-ai\/plugin/);
  assert.match(early.stderr, /Start opencode once with network/);
  assert.match(early.stdout, /^Claude Code has joined/);
  await assert.rejects(stat(join(config, "plugins", "atrium.ts")), { code: "ENOENT" });
  const found = join(config, "node_modules", "@opencode-ai", "plugin");
  await mkdir(found, { recursive: true });
  await writeFile(join(found, "package.json"), "{}");
  const lock = { packages: { "": { dependencies: { "@opencode-ai/plugin": "1.18.33" } } } };
  await writeFile(join(config, "package-lock.json"), JSON.stringify(lock));
  const joined = await stage.cli("join", "opencode");
  assert.equal(joined.code, 0, joined.stderr);
  const plugin = await readFile(join(config, "plugins", "atrium.ts"), "utf8");
  assert.ok(plugin.includes(`const HOME = ${JSON.stringify(stage.home)};`));
  assert.equal((await stage.cli("leave")).stdout, "Claude Code, opencode has left.\n");
  await assert.rejects(stat(join(config, "plugins", "atrium.ts")), { code: "ENOENT" });
});

test("[JOIN-8] who is asked here is said for each program by itself", async () => {
  await using stage = await openStage(WRITTEN);
  await stage.cli("join", "gemini", "claude-code", "--ask-here");
  const file = join(stage.home, "plugin", "plugin", "hooks", "ask-here");
  assert.equal(await readFile(file, "utf8"), "gemini claude-code\n");
  await stage.cli("join", "gemini");
  assert.equal(await readFile(file, "utf8"), "claude-code\n");
});

test("[JOIN-12] a session that is open when its program leaves is not stopped by hooks without a script", async () => {
  const plugin = new URL(
    "../../../apps/plugin/marketplace/plugin/hooks/hooks.json",
    import.meta.url,
  );
  const { hooks } = JSON.parse(await readFile(plugin, "utf8"));
  const commands: readonly string[] = Object.values(hooks)
    .flat()
    .flatMap((group) => (group as { hooks: { command: string }[] }).hooks)
    .map(({ command }) => command);
  assert.ok(commands.length > 0);
  for (const command of commands) {
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
      env: { CLAUDE_PLUGIN_ROOT: "/nowhere" },
      encoding: "utf8",
      input: "{}",
    });
    assert.deepEqual([status, stdout, stderr], [0, "", ""], command);
  }
});

/** Keeps its controllers as the real one does: formatted anew each time, and the list stays when it is empty. */
const QWEN = `#!${process.execPath}
const fs = require("node:fs");
const { createHash } = require("node:crypto");
const folder = process.env.HOME + "/.qwen";
const file = folder + "/peer-controllers.json";
const [group, noun, verb, ...rest] = process.argv.slice(2);
fs.appendFileSync(folder + "/../calls.log", process.argv.slice(2).join(" ") + "\\n");
if (group !== "sessions" || noun !== "controllers") process.exit(0);
const list = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : { schemaVersion: 1, controllers: [] };
if (verb === "add") {
  const label = rest[1];
  const token = "qpc_" + createHash("sha256").update(String(fs.statSync(folder + "/../calls.log").size)).digest("hex");
  if (list.controllers.some((each) => each.label === label)) {
    console.log(token);
    console.error("Error: a controller called " + label + " already exists, with " + token);
    process.exit(1);
  }
  const id = "c_0000000" + list.controllers.length;
  const tokenHash = createHash("sha256").update(token).digest("hex");
  list.controllers.push({ id, label, tokenHash, createdAt: 1 });
  console.log(JSON.stringify({ id, label, token, createdAt: 1 }));
} else {
  const before = list.controllers.length;
  list.controllers = list.controllers.filter(({ id }) => id !== rest[0]);
  if (before === list.controllers.length) process.exit(1);
}
fs.writeFileSync(file, JSON.stringify(list, null, 2), { mode: 0o600 });
`;

interface QwenStage extends Stage {
  readonly list: string;
  readonly kept: string;
  read(path: string): Promise<string>;
  qwen(...args: readonly string[]): void;
}

async function openQwenStage(): Promise<QwenStage> {
  const stage = await openStage(WRITTEN);
  const program = join(stage.folder, "bin", "qwen");
  await writeFile(program, QWEN);
  await chmod(program, 0o755);
  await mkdir(join(stage.folder, ".qwen"));
  return {
    ...stage,
    list: join(stage.folder, ".qwen", "peer-controllers.json"),
    kept: join(stage.home, "joined", "qwen-controller.json"),
    read: (path) => readFile(path, "utf8"),
    qwen(...args) {
      spawnSync(program, [...args], { env: { HOME: stage.folder } });
    },
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

const ENOENT = { code: "ENOENT" };

test("[JOIN-87] join --wake has the program make one token, and leave takes it back with the list as it was", async () => {
  await using stage = await openQwenStage();
  const joined = await stage.cli("join", "qwen", "--wake");
  assert.equal(joined.code, 0, joined.stderr);
  assert.match(joined.stdout, /Qwen Code has joined\..* Messages wake idle ones\./);
  const { token, folder } = JSON.parse(await stage.read(stage.kept));
  assert.match(token, /^qpc_[0-9a-f]{64}$/);
  assert.equal(folder, join(stage.folder, ".qwen"));
  assert.equal((await stat(stage.kept)).mode & 0o777, 0o600);
  assert.match(await stage.read(stage.list), /"label": "Atrium"/);
  // Again: the earlier one is taken back first.
  assert.equal((await stage.cli("join", "qwen", "--wake")).code, 0);
  const again = JSON.parse(await stage.read(stage.kept));
  assert.notEqual(again.token, token);
  assert.equal(JSON.parse(await stage.read(stage.list)).controllers.length, 1);
  assert.equal((await stage.cli("leave", "qwen")).code, 0);
  for (const gone of [stage.list, stage.kept]) await assert.rejects(stat(gone), ENOENT);
  const calls = await stage.read(join(stage.folder, "calls.log"));
  assert.ok(!calls.includes("qpc_"), calls);
});

test("[JOIN-87] joining without --wake takes the token back, and another controller stays", async () => {
  await using stage = await openQwenStage();
  stage.qwen("sessions", "controllers", "add", "--label", "Mine", "--json");
  const before = await stage.read(stage.list);
  assert.equal((await stage.cli("join", "qwen", "--wake")).code, 0);
  assert.equal((await stage.cli("join", "qwen")).code, 0);
  assert.equal(await stage.read(stage.list), before);
  await assert.rejects(stat(stage.kept), ENOENT);
  // What came or went since is its user's own.
  assert.equal((await stage.cli("join", "qwen", "--wake")).code, 0);
  stage.qwen("sessions", "controllers", "add", "--label", "Later", "--json");
  assert.equal((await stage.cli("leave", "qwen")).code, 0);
  const labels = JSON.parse(await stage.read(stage.list)).controllers.map(
    ({ label }: { readonly label: string }) => label,
  );
  assert.deepEqual(labels, ["Mine", "Later"]);
});

test("[JOIN-87] a token that its user has taken back is gone for good, and the empty list with it", async () => {
  await using stage = await openQwenStage();
  assert.equal((await stage.cli("join", "qwen", "--wake")).code, 0);
  stage.qwen("sessions", "controllers", "remove", JSON.parse(await stage.read(stage.kept)).id);
  assert.equal((await stage.cli("leave", "qwen")).code, 0);
  for (const gone of [stage.list, stage.kept]) await assert.rejects(stat(gone), ENOENT);
  // Nor does a file that says nothing keep anyone from leaving.
  assert.equal((await stage.cli("join", "qwen", "--wake")).code, 0);
  await writeFile(stage.kept, "{");
  assert.equal((await stage.cli("leave", "qwen")).code, 0);
  await assert.rejects(stat(stage.kept), ENOENT);
});

test("[JOIN-87] a program that makes no token has joined all the same, and no answer repeats one", async () => {
  await using stage = await openQwenStage();
  stage.qwen("sessions", "controllers", "add", "--label", "Atrium", "--json");
  const before = await stage.read(stage.list);
  const { code, stdout, stderr } = await stage.cli("join", "qwen", "--wake");
  assert.equal(code, 1);
  assert.match(
    stderr,
    /has joined, but its sessions cannot be woken: .*already exists, with \[key\]/,
  );
  assert.match(stderr, /qwen sessions controllers list/);
  assert.ok(!`${stdout}${stderr}`.includes("qpc_"), stderr);
  assert.equal(await stage.read(stage.list), before);
  await assert.rejects(stat(stage.kept), ENOENT);
  assert.equal((await stage.cli("leave", "qwen")).code, 0);
  assert.equal(await stage.read(stage.list), before);
});

test("[JOIN-87] --wake without a program that it is for changes nothing", async () => {
  await using stage = await openStage(WRITTEN);
  const { code, stderr } = await stage.cli("join", "claude-code", "--wake");
  assert.equal(code, 2);
  assert.match(stderr, /--wake is for Qwen Code/);
  assert.equal(await readFile(stage.settings, "utf8"), WRITTEN);
});
