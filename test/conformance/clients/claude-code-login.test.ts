/** What the real Claude Code says about its login, offline, and what `auto` makes of it. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createTransportChoice } from "../../../apps/server/src/agents/claude-code/transports/choose-transport.ts";
import { environment } from "../kit/claude-stage.ts";
import { findClaudeCode } from "../kit/peer.ts";

const claude = findClaudeCode();

test(
  "[CONF-17] auto is interactive with a subscription's login or token, and headless with a key or without either",
  { skip: claude.skip },
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-login-"));
    const { path: cwd } = folder;
    const { ANTHROPIC_AUTH_TOKEN, ...nobody } = environment(cwd, "http://127.0.0.1:9");
    const chosen = (env: Readonly<Record<string, string>>): Promise<string> =>
      createTransportChoice({ command: claude.path(), cwd, env, transport: "auto" }, () => 0)();
    assert.equal(await chosen(nobody), "headless");
    assert.equal(await chosen({ ...nobody, ANTHROPIC_AUTH_TOKEN: "fake" }), "headless");
    const token = { CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-fake" };
    assert.equal(await chosen({ ...nobody, ...token }), "interactive");
    const oauth = {
      accessToken: "sk-ant-oat01-fake",
      refreshToken: "sk-ant-ort01-fake",
      expiresAt: 9_999_999_999_999,
      scopes: ["user:inference", "user:profile"],
      subscriptionType: "max",
    };
    const config = nobody["CLAUDE_CONFIG_DIR"] ?? "";
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, ".credentials.json"), JSON.stringify({ claudeAiOauth: oauth }));
    assert.equal(await chosen(nobody), "interactive");
    assert.equal(await chosen({ ...nobody, ANTHROPIC_API_KEY: "sk-ant-fake" }), "headless");
    assert.ok(ANTHROPIC_AUTH_TOKEN !== undefined, "left out above");
  },
);
