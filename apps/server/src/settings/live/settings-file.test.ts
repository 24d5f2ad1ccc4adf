import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const canMount = spawnSync("unshare", ["-m", "true"]).status === 0;
const skip = canMount ? false : "this user may not mount anything";

test(
  "[SET-23] a file that is mounted by itself is found before it is to be replaced",
  { skip },
  () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-mounted-"));
    const file = join(folder.path, "atrium.config.json");
    writeFileSync(file, "{}\n");
    const module = JSON.stringify(new URL("settings-file.ts", import.meta.url).href);
    const program = `import(${module}).then(async ({ draftSettingsText }) => {
    const [file] = process.argv.slice(1);
    const draft = await draftSettingsText(file, "new", null).catch(({ message }) => message);
    await draft.discard?.();
    process.stdout.write(typeof draft === "string" ? draft : "it may be replaced");
  })`;
    const run = (before: string): string => {
      const script = `${before} exec "$@"`;
      const node = [process.execPath, "-e", program, file];
      const args = ["-m", "sh", "-c", script, "sh", ...node];
      return spawnSync("unshare", args, { encoding: "utf8" }).stdout;
    };
    assert.equal(run(""), "it may be replaced");
    const mounted = run(`mount --bind '${file}' '${file}' &&`);
    assert.equal(mounted, "it is mounted as a single file; mount its folder instead");
    assert.deepEqual(readdirSync(folder.path), ["atrium.config.json"]);
  },
);
