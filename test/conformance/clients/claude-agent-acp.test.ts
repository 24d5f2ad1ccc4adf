/**
 * Claude Code as an ACP agent, as it comes from npm, driven by our server and answered by a model of
 * our own on loopback. It refuses to run as root, so where the tests do, it is started as nobody.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { openModelServer, type ModelRequest } from "../../kit/model-server/model-server.ts";
import { startedWith } from "../../kit/processes.ts";
import { findClaudeAcp } from "../kit/peer.ts";

const NOBODY = 65_534;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
const agent = findClaudeAcp();
const isRoot = process.getuid?.() === 0;
const skip = agent.skip === false ? unreachable() : agent.skip;

test(
  "[ACP-6] Claude Code answers over ACP, remembers, uses our tools, and writes a file once people allow it",
  { skip },
  async () => {
    await using opened = new AsyncDisposableStack();
    const home = await mkdtemp(join(tmpdir(), "atrium-claude-acp-"));
    opened.defer(() => rm(home, { recursive: true, force: true }));
    const work = join(home, "work");
    await mkdir(work);
    if (isRoot) await chown(work, NOBODY, NOBODY);
    await chmod(home, 0o755);
    const path = join(work, "tide.txt");
    const model = opened.use(await openModelServer((request) => answerTo(request, path)));
    const config = {
      runtimes: {
        claude: {
          type: "acp",
          command: [...(isRoot ? AS_NOBODY : []), process.execPath, entry()],
          cwd: work,
          env: [
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_BASE_URL",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
          ],
        },
      },
      agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "claude" }],
    };
    await writeFile(join(home, "atrium.config.json"), JSON.stringify(config));
    const env: Record<string, string | undefined> = {
      PATH: process.env["PATH"],
      HOME: work,
      ANTHROPIC_API_KEY: "sk-not-a-key",
      ANTHROPIC_BASE_URL: model.baseUrl.replace(/\/v1$/, ""),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    };
    const atrium = opened.use(await openTestAtrium({ home, readEnv: (name) => env[name] }));
    const peer = opened.use(await atrium.connect({ caps: ["tool-events"] }));
    const ask = async (message: string): Promise<string> => {
      const runId = message.split(" ")[0] ?? "";
      const ended = peer.first(
        ({ payload }) => payload?.runId === runId && payload.state !== "delta" && payload.message,
      );
      await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: runId });
      const { payload } = await ended;
      assert.equal(payload?.state, "final", JSON.stringify(payload));
      return payload.message.content[0].text as string;
    };
    assert.equal(await ask("hello there"), "Heard 1 of you.");
    assert.equal(await ask("again please"), "Heard 2 of you.");
    const requested = peer.event("exec.approval.requested");
    const written = ask("write the tide down");
    const { payload } = await requested;
    assert.match(payload.request.command, /tide\.txt/);
    await peer.ask("exec.approval.resolve", { id: payload.id, decision: "allow-once" });
    assert.match(await written, /Written\.$/);
    assert.equal(await readFile(path, "utf8"), "high at noon");
    // Our own tools come in by the plugin and the bridge, and nobody is asked whether they may be used.
    assert.match(await ask("tell them early"), /Told\.$/);
    const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
    const shown = JSON.stringify(messages);
    assert.ok(shown.includes('"text":"High tide at noon."'), shown);
    assert.ok(shown.includes('"fileName":"tides.md"'), shown);
    assert.deepEqual(await peer.ask("exec.approval.list"), []);
    assert.ok(startedWith(`SYNTHESIS_BRIDGE_URL=${atrium.wsUrl}bridge`).length > 0);
    assert.deepEqual(atrium.faults, []);
  },
);

/** It also has its own errands for the model, such as a title for the conversation. */
function answerTo({ body }: ModelRequest, path: string): Behavior {
  const said = JSON.stringify(body.messages);
  const latest = body.messages.findLast(({ role }: { role: string }) => role === "user");
  if (said.includes("tell them early") && body.tools?.length > 0) {
    const used = (name: string): boolean => said.includes(`"name":"mcp__atrium__${name}"`);
    if (!used("reply")) return useOurs("reply", { text: "High tide at noon." });
    if (!used("deliver_artifact")) {
      return useOurs("deliver_artifact", { name: "tides.md", content: "# Tides" });
    }
    return {
      type: "answer",
      chunks: [JSON.stringify(latest).includes('"tool_result"') ? "Told." : "Not told."],
    };
  }
  if (said.includes('"tool_result"')) return { type: "answer", chunks: ["Written."] };
  if (said.includes("write the tide down") && body.tools?.length > 0) {
    const input = { file_path: path, content: "high at noon" };
    return { type: "answer", toolCalls: [{ name: "Write", input }] };
  }
  const heard = ["hello there", "again please"].filter((text) => said.includes(text)).length;
  return { type: "answer", chunks: [`Heard ${heard} of you.`] };
}

function useOurs(tool: string, input: object): Behavior {
  return { type: "answer", toolCalls: [{ name: `mcp__atrium__${tool}`, input }] };
}

function entry(): string {
  return join(agent.path(), "dist/index.js");
}

function unreachable(): string | false {
  if (!isRoot) return false;
  const [program = "", ...args] = AS_NOBODY;
  const { status } = spawnSync(program, [...args, "test", "-r", entry()]);
  return status === 0 ? false : "it must not run as root, and nobody else can reach it";
}
