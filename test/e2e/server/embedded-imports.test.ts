import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { preload } from "../../kit/preload.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

/** Writes down every module that the process resolves, in whichever of its threads. */
function recordsModules(file: string): string {
  return `import { registerHooks } from "node:module";
    import { appendFileSync } from "node:fs";
    registerHooks({ resolve(specifier, context, next) {
      const found = next(specifier, context);
      appendFileSync(${JSON.stringify(file)}, found.url + "\\n");
      return found;
    } });`;
}

test("[LOG-58] a server that keeps its log on this machine loads nothing of NATS", () =>
  withHome(async (home) => {
    const file = join(home, "modules");
    await using server = await startServer(join(home, "atrium"), {
      env: preload(recordsModules(file)),
    });
    await server.connect();
    await server.end();
    const modules = readFileSync(file, "utf8").split("\n");
    assert.ok(modules.some((url) => url.endsWith("packages/log/src/sqlite/log-sqlite.ts")));
    assert.deepEqual(
      modules.filter((url) => /\/@nats-io\/|\/packages\/log\/src\/(?:nats|chain)\//.test(url)),
      [],
    );
  }));
