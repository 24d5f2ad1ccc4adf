import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { openFolders } from "../../confinement/testing/confinement-stage.ts";
import { openSandbox, skipWithoutSandbox } from "../../confinement/testing/sandbox.ts";
import { systemTimers } from "../../platform/timers.ts";
import { createTestHost } from "../testing/test-host.ts";
import { turnOf } from "../testing/turns.ts";
import { createKnownLogins } from "./home/known-logins.ts";
import { openProgram } from "./program.ts";

const skip = skipWithoutSandbox();
const CLI = `#!/usr/bin/env runner
const { readFileSync } = require("node:fs");
const read = (path) => { try { return readFileSync(path, "utf8").trim(); } catch { return "hidden"; } };
console.log([require("beside"), read(process.argv[2])].join());`;

async function openBench() {
  const { folder, home, root, ...folders } = await openFolders();
  const put = (name: string, content: string): string => {
    const file = join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, 0o755);
    return file;
  };
  const secret = put("house/secret.txt", "of its user\n");
  mkdirSync(join(root, "bin"));
  symlinkSync(process.execPath, join(root, "bin/runner"));
  const env = { PATH: `${join(root, "bin")}:/usr/bin:/bin`, HOME: join(root, "house") };
  return {
    root,
    put,
    async run(...command: readonly string[]): Promise<string> {
      const request = { name: "tool", keeps: undefined, logins: createKnownLogins() };
      const settings = { command: [...command, secret], cwd: "/", env, home: request };
      const workspace = { folder, store: null, programs: join(root, "programs") };
      const around = { turn: turnOf("", { workspace }), host: createTestHost({ speed: 1 }) };
      const confinement = openSandbox([home]);
      const opened = await openProgram(settings, around, { timers: systemTimers, confinement });
      assert.ok(opened.ok, JSON.stringify(opened));
      const printed = await text(opened.child.stdout);
      await opened.child.ended;
      return printed.trim() || opened.child.complaint();
    },
    [Symbol.asyncDispose]: () => folders[Symbol.asyncDispose](),
  };
}

test(
  "[AGENT-36] a launcher finds its packages and its interpreter, wherever they are",
  { skip },
  async () => {
    await using bench = await openBench();
    const { root } = bench;
    const places = [
      ["prefix/lib/node_modules/@maker/tool/cli.js", "prefix/lib/node_modules/beside/index.js"],
      [
        "store/.pnpm/tool@1/node_modules/tool/cli.js",
        "store/.pnpm/beside@1/node_modules/beside/index.js",
      ],
    ] as const;
    for (const [cli, beside] of places) {
      bench.put(cli, CLI);
      bench.put(beside, 'module.exports = "packages";');
    }
    const peer = join(root, "store/.pnpm/tool@1/node_modules/beside");
    symlinkSync(join(root, "store/.pnpm/beside@1/node_modules/beside"), peer);
    for (const [index, [cli]] of places.entries()) {
      const link = join(root, `bin/tool-${index}`);
      symlinkSync(join(root, cli), link);
      assert.equal(await bench.run(`tool-${index}`), "packages,hidden");
      assert.equal(await bench.run(process.execPath, join(root, cli)), "packages,hidden");
    }
  },
);

test(
  "[AGENT-36] a folder that holds the home of its user is not shown for that",
  { skip },
  async () => {
    await using bench = await openBench();
    bench.put("package.json", "{}");
    bench.put("node_modules/beside/index.js", 'module.exports = "packages";');
    const file = bench.put("own/cli.js", CLI);
    assert.match(await bench.run(file), /Cannot find module 'beside'/);
    const inPackage = bench.put("own/package.json", "{}");
    assert.equal(readFileSync(inPackage, "utf8"), "{}");
    bench.put("own/node_modules/beside/index.js", 'module.exports = "own";');
    assert.equal(await bench.run(file), "own,hidden");
  },
);
