/** `atrium join` and `atrium leave`, with programs that rewrite their settings as the real ones do. */
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
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
  assert.equal((await stage.cli("leave")).code, 0);
  await assert.rejects(stat(consent), { code: "ENOENT" });
});

test("[JOIN-12] what the user changed since stays, without the plugin", async () => {
  await using stage = await openStage(WRITTEN);
  await stage.cli("join");
  const changed = (await readFile(stage.settings, "utf8")).replace("dark", "light");
  await writeFile(stage.settings, changed);
  assert.equal((await stage.cli("leave")).code, 0);
  assert.deepEqual(JSON.parse(await readFile(stage.settings, "utf8")), {
    theme: "light",
    enabledPlugins: {},
  });
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
