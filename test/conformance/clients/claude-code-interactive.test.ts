/** The interactive transport against the real Claude Code, offline. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, readlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createTestHost } from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import { openToolServer } from "../../kit/tool-server/tool-server.ts";
import { describeClaude } from "../kit/claude-code.contract.ts";
import { openClaudeStage, USAGE } from "../kit/claude-stage.ts";
import { findClaudeCode } from "../kit/peer.ts";

const claude = findClaudeCode();

describeClaude("interactive", claude);
test(
  "[CLAUDE-7] a folder the settings do not name is not trusted on anyone's behalf",
  { skip: claude.skip },
  async () => {
    await using stage = await openClaudeStage({
      command: claude.path(),
      settings: { transport: "interactive", cwd: undefined },
    });
    const events = await eventsOf(stage.runtime, turnOf("Hello"), createTestHost({ speed: 1 }));
    const [event] = events;
    assert.ok(event?.type === "failed" && event.kind === "unavailable", JSON.stringify(events));
    assert.match(event.reason, /asks whether the folder is trusted.*"cwd"/);
    assert.equal(stage.model.requests.length, 0);
  },
);

test(
  "[CLAUDE-10] a channel that Claude Code does not offer is told, not got round",
  { skip: claude.skip },
  async () => {
    const delivered: string[] = [];
    await using stage = await openClaudeStage({
      command: claude.path(),
      settings: { transport: "channel" },
      openMcpToolServer: async (options) => ({
        ...(await openToolServer(options)),
        deliver: ({ content }) => void delivered.push(content),
      }),
    });
    const events = await eventsOf(stage.runtime, turnOf("Hello"), createTestHost({ speed: 1 }));
    const [event] = events;
    assert.ok(event?.type === "failed" && event.kind === "unavailable", JSON.stringify(events));
    assert.match(event.reason, /Channels are not available.*"headless" or "interactive"/);
    assert.deepEqual(delivered, []);
  },
);

test(
  "[CLAUDE-6] when a person at the terminal is faster, the question to the others is withdrawn",
  { skip: claude.skip },
  async () => {
    await using stage = await openClaudeStage({
      command: claude.path(),
      settings: { transport: "interactive" },
      answer: ({ returned }) => ({
        type: "answer",
        usage: USAGE,
        ...(returned.length > 0
          ? { chunks: ["Done."] }
          : { toolCalls: [{ name: "Bash", input: { command: "echo high > tide.txt" } }] }),
      }),
    });
    const file = join(stage.folder, "tide.txt");
    const withdrawn = Promise.withResolvers<void>();
    const host = createTestHost({
      speed: 1,
      async requestPermission(_request, signal) {
        // Yes is chosen; until the dialog is drawn, Enter does nothing.
        while (!existsSync(file)) {
          for (const terminal of ownTerminals()) writeSync(terminal, "\r");
          await setTimeout(200);
        }
        if (signal?.aborted === false) await once(signal, "abort");
        withdrawn.resolve();
        return "expired";
      },
    });
    const events = await eventsOf(stage.runtime, turnOf("Note it"), host);
    assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
    // The turn may be over before this side has looked again.
    await withdrawn.promise;
    assert.equal(readFileSync(file, "utf8"), "high\n");
  },
);

/** The terminals this process has opened, from the side where the keys are. */
function ownTerminals(): number[] {
  return readdirSync("/proc/self/fd")
    .filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith("/ptmx");
      } catch {
        return false;
      }
    })
    .map(Number);
}

test("[CLAUDE-11] a turn that fails is told, with its kind", { skip: claude.skip }, async () => {
  const message = "prompt is too long: 210000 tokens > 200000 maximum";
  await using stage = await openClaudeStage({
    command: claude.path(),
    settings: { transport: "interactive" },
    answer: () => ({ type: "status", status: 400, message }),
  });
  const events = await eventsOf(stage.runtime, turnOf("Hello"), createTestHost({ speed: 1 }));
  const last = events.at(-1);
  assert.ok(last?.type === "failed", JSON.stringify(events));
  assert.equal(last.kind, "context_length", last.reason);
});
