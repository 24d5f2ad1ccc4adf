/** The whole way: a client of the server, the runtime, the real Claude Code, our plugin in it, the bridge, a tool. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { openaiClient, saying } from "../../kit/openai.ts";
import { askedIn, environment, USAGE } from "../kit/claude-stage.ts";
import { findClaudeCode } from "../kit/peer.ts";

const claude = findClaudeCode();

test(
  "[CLAUDE-10] Claude Code uses the tools of the server, through the plugin and the bridge",
  { skip: claude.skip },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "atrium-whole-"));
    let offered: string[] = [];
    await using model = await openModelServer(({ body }) => {
      const { returned } = askedIn(body);
      offered = body.tools.map(({ name }: { name: string }) => name);
      if (returned.length > 0) return { type: "answer", chunks: returned, usage: USAGE };
      const toolCalls = [{ name: "mcp__atrium__agents_list", input: {} }];
      return { type: "answer", toolCalls, usage: USAGE };
    });
    const env = environment(folder, model.baseUrl);
    const runtime = { type: "claude-code", command: claude.path(), cwd: folder };
    const config = { runtimes: { claude: { ...runtime, env: Object.keys(env) } } };
    writeFileSync(join(folder, "atrium.config.json"), JSON.stringify(config));
    const args = ["--config", join(folder, "atrium.config.json"), "--agents", "claude"];
    await using atrium = await openTestAtrium({ args, env });
    const { choices } = await openaiClient(atrium).chat.completions.create(saying("Who is here?"));
    assert.match(choices[0]?.message.content ?? "", /research_1/, offered.join(" "));
    await atrium.close();
    assert.deepEqual(atrium.faults.map(String), []);
    rmSync(folder, { recursive: true, force: true });
  },
);
