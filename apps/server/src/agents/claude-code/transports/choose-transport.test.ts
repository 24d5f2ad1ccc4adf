import assert from "node:assert/strict";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createTransportChoice, isSubscription } from "./choose-transport.ts";

const login = (authMethod: string, apiProvider = "firstParty"): string =>
  JSON.stringify({ loggedIn: true, authMethod, apiProvider });

test("[CLAUDE-5] a subscription is told from a key, a gateway's token and another provider", () => {
  const own = { CLAUDE_CODE_OAUTH_TOKEN: "t" };
  for (const [status, env, isIt] of [
    [login("claude.ai"), {}, true],
    [login("oauth_token"), own, true],
    [login("oauth_token"), { ...own, ANTHROPIC_AUTH_TOKEN: "t" }, false],
    [login("oauth_token"), { ANTHROPIC_AUTH_TOKEN: "t" }, false],
    [login("api_key"), own, false],
    [login("api_key_helper"), {}, false],
    [login("claude.ai", "bedrock"), {}, false],
    [login("none"), {}, false],
    ["", {}, false],
    ["[]", {}, false],
    ["not JSON", {}, false],
    [`{"__proto__":{"authMethod":"claude.ai","apiProvider":"firstParty"}}`, {}, false],
  ] as const) {
    assert.equal(isSubscription(status, env), isIt, `${status} ${JSON.stringify(env)}`);
  }
});

test("[CLAUDE-5] auto asks Claude Code itself, with the environment it will have, and not for every turn", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-choice-"));
  const { path: cwd } = folder;
  const command = join(cwd, "claude");
  const choose = (transport: "auto" | "headless", now: () => number, env = {}) =>
    createTransportChoice({ command, cwd, env: { PATH: "/usr/bin:/bin", ...env }, transport }, now);
  const answer = (status: string, code = 0): void =>
    writeFileSync(
      command,
      `#!/bin/sh\necho "$@ [$SECRET]" >> asked.txt\ncat <<'END'\n${status}\nEND\nexit ${code}\n`,
      { mode: 0o700 },
    );
  let now = 0;
  answer(login("claude.ai"));
  const auto = choose("auto", () => now, { SECRET: "named" });
  assert.deepEqual([await auto(), await auto()], ["interactive", "interactive"]);
  assert.equal(readFileSync(join(cwd, "asked.txt"), "utf8"), "auth status --json [named]\n");
  answer(login("none"), 1);
  now = 6 * 60_000;
  assert.equal(await auto(), "headless");
  assert.equal(await choose("headless", () => now)(), "headless");
  assert.equal(readFileSync(join(cwd, "asked.txt"), "utf8").trim().split("\n").length, 2);
  // An older one that does not know the question, and one that is not there.
  answer("error: unknown command auth", 1);
  assert.equal(await choose("auto", () => 0)(), "headless");
  writeFileSync(command, "");
  assert.equal(await choose("auto", () => 0)(), "headless");
});
