/** `atrium leave codex`, after its user has trusted the hooks: Codex notes that in its settings and keeps it. */
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { runCli, type CliResult } from "../../kit/cli-process.ts";

/** Appends to its settings, and removes its own tables again, as the real one does. */
const CODEX = `#!${process.execPath}
const fs = require("node:fs");
const file = process.env.CODEX_HOME + "/config.toml";
const [, verb, what = ""] = process.argv.slice(2);
const MARKET = '\\n[marketplaces.atrium]\\nsource_type = "local"\\n';
const PLUGIN = '\\n[plugins."atrium@atrium"]\\nenabled = true\\n';
let settings = fs.readFileSync(file, "utf8");
if (verb === "marketplace") settings = what === "add" ? settings + MARKET : settings.replace(MARKET, "");
if (verb === "add") settings += PLUGIN;
if (verb === "remove") settings = settings.replace(PLUGIN, "");
fs.writeFileSync(file, settings);
`;
const WRITTEN = 'model = "m"   # mine\n\n[projects."/shop"]\ntrust_level = "trusted"\n';
const TRUSTED = `
[hooks.state]

[hooks.state."atrium@atrium:hooks/hooks.json:stop:0:0"]
trusted_hash = "sha256:d6"
`;

interface Stage extends AsyncDisposable {
  readonly settings: string;
  cli(...args: string[]): Promise<CliResult>;
}

async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "atrium-join-"));
  const [bin, config] = [join(folder, "bin"), join(folder, "codex")];
  for (const each of [bin, config]) await mkdir(each);
  await writeFile(join(bin, "codex"), CODEX);
  await chmod(join(bin, "codex"), 0o755);
  const settings = join(config, "config.toml");
  await writeFile(settings, WRITTEN);
  const env = { PATH: [bin, "/usr/bin", "/bin"].join(delimiter), CODEX_HOME: config, HOME: folder };
  return {
    settings,
    cli: (...args) => runCli([...args, "--home", join(folder, "home")], { env }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

test("[JOIN-12] what Codex noted of the trusted hooks is gone when it leaves, and the file as before", async () => {
  await using stage = await openStage();
  assert.equal((await stage.cli("join", "codex")).code, 0);
  const joined = await readFile(stage.settings, "utf8");
  await writeFile(stage.settings, `${joined}${TRUSTED}`);
  const left = await stage.cli("leave", "codex");
  assert.deepEqual([left.code, left.stderr], [0, ""]);
  assert.equal(await readFile(stage.settings, "utf8"), WRITTEN);
});

test("[JOIN-12] what its user changed since, and other hooks that are trusted, stay", async () => {
  await using stage = await openStage();
  await stage.cli("join", "codex");
  const joined = await readFile(stage.settings, "utf8");
  const other = '\n[hooks.state."tides@shop:hooks.json:stop:0:0"]\ntrusted_hash = "sha256:ff"\n';
  await writeFile(stage.settings, `${joined.replace('"m"', '"n"')}${TRUSTED}${other}`);
  assert.equal((await stage.cli("leave", "codex")).code, 0);
  const after = await readFile(stage.settings, "utf8");
  assert.equal(after, `${WRITTEN.replace('"m"', '"n"')}\n[hooks.state]\n${other}`);
});
