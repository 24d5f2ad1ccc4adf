/** What agents bring along, in the real Claude Code and Codex, offline: their models are told of it, and it works. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withSkills } from "../../../apps/server/src/agents/skills/skilled-runtime.ts";
import { createTestHost } from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import type { PermissionRequest } from "../../../apps/server/src/agents/turn/agent-runtime.ts";
import {
  makeSkill,
  SKILL_NAME,
  SKILL_PURPOSE,
  SKILL_WORD,
  tidesServer,
} from "../../kit/tides/tides.ts";
import { openClaudeStage, USAGE } from "../kit/claude-stage.ts";
import { openCodexStage } from "../kit/codex-stage.ts";
import { findClaudeCode, findCodex } from "../kit/peer.ts";

const claude = findClaudeCode();
const codex = findCodex();

/** A host whose person allows everything and remembers what it was. */
function allowing() {
  const asked: PermissionRequest[] = [];
  const requestPermission = async (request: PermissionRequest): Promise<"allowed"> => {
    asked.push(request);
    return "allowed";
  };
  return { asked, host: createTestHost({ speed: 1, requestPermission }) };
}

for (const isConfined of [false, true]) {
  const where = isConfined ? "in a workspace" : "in its own folder";
  test(
    `[AGENT-29] [AGENT-26] Claude Code ${where} knows a skill and reads it unasked, and calls an MCP server`,
    { skip: claude.skip },
    async () => {
      await using stage = await openClaudeStage({
        command: claude.path(),
        settings: { transport: "headless", mcpServers: { tides: tidesServer() } },
        answer({ returned }) {
          const calls = [
            { name: "Skill", input: { skill: `atrium-skills:${SKILL_NAME}` } },
            { name: "mcp__tides__tide", input: { at: "Brest" } },
          ];
          const next = calls[returned.length];
          if (next === undefined) return { type: "answer", chunks: returned, usage: USAGE };
          return { type: "answer", toolCalls: [next], usage: USAGE };
        },
      });
      const folder = join(stage.folder, "worktree");
      mkdirSync(folder);
      const skills = [makeSkill(join(stage.folder, "skills"))];
      const runtime = withSkills(stage.runtime, skills, "own");
      const place = isConfined ? { workspace: { folder, store: null } } : {};
      const { asked, host } = allowing();
      const events = await eventsOf(runtime, turnOf("When is high water?", place), host);
      const sent = JSON.stringify(stage.model.requests.map(({ body }) => body));
      assert.ok(sent.includes(`atrium-skills:${SKILL_NAME}: ${SKILL_PURPOSE}`), sent);
      assert.ok(sent.includes(`Always say ${SKILL_WORD}`), JSON.stringify(events));
      assert.match(textIn(events), /High water at Brest: 6:13/);
      assert.deepEqual(
        asked.map(({ tool }) => tool),
        ["mcp__tides__tide"],
      );
      assert.deepEqual(readdirSync(folder), []);
    },
  );
}

for (const ownSettings of [true, false]) {
  test(
    `[CLAUDE-15] in a workspace the user's own servers are ${ownSettings ? "started" : "left out"}, and the folder's never`,
    { skip: claude.skip },
    async () => {
      await using stage = await openClaudeStage({
        command: claude.path(),
        settings: { transport: "headless", ownSettings },
      });
      const folder = join(stage.folder, "worktree");
      mkdirSync(folder);
      const touch = (name: string) => ({ command: "touch", args: [join(stage.folder, name)] });
      const write = (path: string, content: object): void => {
        mkdirSync(join(path, ".."), { recursive: true });
        writeFileSync(path, JSON.stringify(content));
      };
      const config = join(stage.folder, ".claude-config");
      write(join(folder, ".mcp.json"), { mcpServers: { theirs: touch("of-the-folder") } });
      write(join(config, ".claude.json"), { mcpServers: { mine: touch("of-the-user") } });
      write(join(config, "settings.json"), { enableAllProjectMcpServers: true });
      const place = { workspace: { folder, store: null } };
      const events = await eventsOf(stage.runtime, turnOf("Hello", place), allowing().host);
      assert.match(textIn(events), /You said: Hello/);
      assert.equal(existsSync(join(stage.folder, "of-the-user")), ownSettings);
      assert.equal(existsSync(join(stage.folder, "of-the-folder")), false);
    },
  );
}

for (const isConfined of [false, true]) {
  const where = isConfined ? "in a workspace" : "in its own folder";
  test(
    `[AGENT-29] [AGENT-26] Codex ${where} knows a skill, and calls an MCP server`,
    { skip: codex.skip },
    async () => {
      await using stage = await openCodexStage({
        command: codex.path(),
        settings: { mcpServers: [{ name: "tides", env: {}, ...tidesServer() }] },
        answer: ({ returned }) =>
          returned.length > 0
            ? { type: "answer", chunks: returned, usage: USAGE }
            : {
                type: "answer",
                toolCalls: [{ name: "tide", namespace: "mcp__tides", input: { at: "Brest" } }],
                usage: USAGE,
              },
      });
      const folder = join(stage.folder, "worktree");
      mkdirSync(folder);
      const skills = [makeSkill(join(stage.folder, "skills"))];
      const runtime = withSkills(stage.runtime, skills, "own");
      const place = isConfined ? { workspace: { folder, store: null } } : {};
      const events = await eventsOf(runtime, turnOf("High water?", place), allowing().host);
      const sent = JSON.stringify(stage.model.requests.map(({ body }) => body));
      assert.ok(sent.includes(`- ${SKILL_NAME}: ${SKILL_PURPOSE}`), sent);
      assert.match(textIn(events), /High water at Brest: 6:13/);
      assert.deepEqual(readdirSync(folder), []);
    },
  );
}
