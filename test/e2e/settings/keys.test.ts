/** Keys that people keep with the server: who gets them, and every place that must not have them. */
import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import type { Connected } from "../../kit/raw-peer.ts";
import { startServer } from "../../kit/server-process.ts";
import { askSettings, modeOf, patchSettings } from "../../kit/settings.ts";

const SECRET = "sk-kept-0123456789abcdef";
const NAME = "MY_MODEL_KEY";

async function turn(peer: Connected, message: string): Promise<string> {
  const ended = peer.next(
    ({ event, payload }) =>
      event === "chat" && payload.runId === message && payload.state === "final",
  );
  await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: message });
  return JSON.stringify((await ended).payload);
}

const runtimeAt = (baseUrl: string) => ({
  type: "model",
  provider: "openai-compatible",
  baseUrl,
  model: "m",
  apiKeyEnv: NAME,
});

test("[SET-14] a kept key is used by the runtimes that name it, and follows at once", async () => {
  await using model = await openModelServer();
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const patch = { crewRuntime: "mine", runtimes: { mine: runtimeAt(model.baseUrl) } };
  assert.equal((await patchSettings(atrium, patch)).body.error.code, "settings.invalid");
  const kept = await askSettings(atrium, "PUT", `/keys/${NAME}`, { value: SECRET });
  assert.deepEqual([kept.status, kept.body], [200, { keys: [{ name: NAME, source: "kept" }] }]);
  assert.equal(await modeOf(join(atrium.home, "keys.json")), 0o600);
  assert.equal((await patchSettings(atrium, patch)).status, 200);
  await turn(peer, "a");
  assert.equal(model.requests[0]?.headers["authorization"], `Bearer ${SECRET}`);
  const other = `${SECRET}-2`;
  await askSettings(atrium, "PUT", `/keys/${NAME}`, { value: other });
  await turn(peer, "b");
  assert.equal(model.requests[1]?.headers["authorization"], `Bearer ${other}`);
  const needed = await askSettings(atrium, "DELETE", `/keys/${NAME}`);
  assert.equal(needed.body.error.code, "settings.invalid");
  assert.ok(needed.body.error.message.includes(NAME));
  await patchSettings(atrium, { crewRuntime: null, runtimes: { mine: null } });
  assert.deepEqual((await askSettings(atrium, "DELETE", `/keys/${NAME}`)).body, { keys: [] });
});

test("[SET-14] the environment wins, and keeping a key beside it is refused by name", async () => {
  await using atrium = await openTestAtrium({ env: { [NAME]: "from-the-environment" } });
  const { body } = await askSettings(atrium, "PUT", `/keys/${NAME}`, { value: SECRET });
  assert.equal(body.error.code, "settings.fixed");
  assert.ok(body.error.message.includes(NAME) && !body.error.message.includes(SECRET));
});

test("[SET-16] what is not named like a secret, or is no key, is refused without being repeated", async () => {
  await using atrium = await openTestAtrium();
  for (const name of ["LD_PRELOAD", "NODE_OPTIONS", "PATH", "a-key", "__proto__", "1_KEY"]) {
    const { status, body } = await askSettings(atrium, "PUT", `/keys/${name}`, { value: SECRET });
    assert.equal(status, 400, name);
    assert.equal(body.error.code, "params.invalid", name);
    assert.ok(!JSON.stringify(body).includes(SECRET));
  }
  for (const value of ["", `${SECRET}\n`, `${SECRET} x`, "x".repeat(20_000)]) {
    const { body } = await askSettings(atrium, "PUT", `/keys/${NAME}`, { value });
    assert.equal(body.error.code, "params.invalid");
    assert.ok(!JSON.stringify(body).includes(SECRET));
  }
  assert.deepEqual((await askSettings(atrium, "GET")).body.keys, []);
});

/** Writes down what it was started with, and says its key. */
const PROGRAM = `#!/bin/sh
cat > /dev/null
env > "$1"
tr '\\0' ' ' < /proc/$$/cmdline > "$1.args"
echo "the key is $${NAME}."
`;

const skip = process.platform !== "linux" && "processes are looked at on Linux";

test(
  "[SET-15] a key is in no log, journal, shown settings, error or argument, and in one program's environment",
  { skip },
  async () => {
    const home = await mkdtemp(join(tmpdir(), "atrium-keys-"));
    try {
      const program = join(home, "agent.sh");
      await writeFile(program, PROGRAM);
      await chmod(program, 0o700);
      const seen = (name: string): string => join(home, `${name}.env`);
      const runtime = (name: string, env: readonly string[]) => ({
        type: "command",
        command: [program, seen(name)],
        env,
      });
      await using server = await startServer(home);
      await using peer = await server.connect();
      assert.equal(
        (await askSettings(server, "PUT", `/keys/${NAME}`, { value: SECRET })).status,
        200,
      );
      const settings = {
        runtimes: { with: runtime("with", [NAME]), without: runtime("without", []) },
      };
      assert.equal((await patchSettings(server, settings)).status, 200);
      const said: string[] = [];
      for (const name of ["with", "without"]) {
        assert.equal((await patchSettings(server, { crewRuntime: name })).status, 200);
        said.push(await turn(peer, name));
      }
      assert.ok((await readFile(seen("with"), "utf8")).includes(SECRET), "it was given the key");
      assert.ok(!(await readFile(seen("without"), "utf8")).includes(SECRET), "it was not");
      const errors = await askSettings(server, "PUT", `/keys/${NAME}`, { value: `${SECRET} ` });
      const shown = await askSettings(server, "GET");
      const config = await peer.ask("config.get", {});
      const argumentsOf = await readFile(`${seen("with")}.args`, "utf8");
      const ownArguments = await readFile(`/proc/${server.pid}/cmdline`, "utf8");
      const ownEnvironment = await readFile(`/proc/${server.pid}/environ`, "utf8");
      const history = await peer.ask("chat.history", { sessionKey: "main" });
      const journal = await peer.ask("logs.tail", {});
      for (const [place, text] of Object.entries({
        said,
        errors: errors.body,
        shown: shown.body,
        config,
        argumentsOf,
        ownArguments,
        ownEnvironment,
        history,
        journal,
      })) {
        assert.ok(!JSON.stringify(text).includes(SECRET), place);
      }
      await server.end("SIGTERM");
      const allowed = new Set(["keys.json", "with.env"]);
      for (const name of await readdir(home)) {
        if (allowed.has(name) || !(await stat(join(home, name))).isFile()) continue;
        assert.ok(!(await readFile(join(home, name))).includes(SECRET), name);
      }
      assert.equal(await modeOf(join(home, "keys.json")), 0o600);
    } finally {
      await rm(home, { recursive: true, force: true, maxRetries: 20 });
    }
  },
);
