/** The interactive transport against the real Claude Code, offline. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, readlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createTestHost } from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import type { TurnEvent } from "../../../apps/server/src/agents/turn/agent-runtime.ts";
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

/** A host whose person adds something when asked whether a command may run. */
function adding(words: string, onAsked: (add: () => void) => void) {
  const host = createTestHost({ speed: 1 });
  const listeners = new Set<() => void>();
  const add = (): void => {
    host.steering.push(words);
    for (const tell of listeners) tell();
  };
  return {
    ...host,
    add,
    onSteering(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async requestPermission() {
      onAsked(add);
      return "allowed" as const;
    },
  };
}

for (const isFailing of [false, true]) {
  test(
    `[CLAUDE-18] what people add is taken in after the tool at work${isFailing ? ", also one that fails" : ""}`,
    { skip: claude.skip },
    async () => {
      const command = isFailing ? "echo high > tide.txt; false" : "echo high > tide.txt";
      await using stage = await openClaudeStage({
        command: claude.path(),
        settings: { transport: "interactive" },
        answer({ body, returned }) {
          if (JSON.stringify(body.messages).includes("also the moon")) {
            return { type: "answer", chunks: ["And the moon."], usage: USAGE };
          }
          const toolCalls = [{ name: "Bash", input: { command } }];
          return returned.length > 0
            ? { type: "answer", chunks: ["Done."], usage: USAGE }
            : { type: "answer", toolCalls, usage: USAGE };
        },
      });
      const host = adding("also the moon", (add) => add());
      const events = await eventsOf(stage.runtime, turnOf("Tides?"), host);
      assert.equal(textIn(events), "And the moon.", JSON.stringify(events));
      assert.deepEqual(host.taken, ["also the moon"]);
      assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
    },
  );
}

test(
  "[CLAUDE-18] what comes during an answer without tools, or after it, is answered in the same turn",
  { skip: claude.skip },
  async () => {
    let add = (): void => undefined;
    await using stage = await openClaudeStage({
      command: claude.path(),
      settings: { transport: "interactive" },
      answer({ body }) {
        const all = JSON.stringify(body.messages);
        const [first, second] = [all.includes("/also the moon"), all.includes("and the sun")];
        if (!first) add();
        const chunks = second ? ["And the sun."] : first ? ["And the moon."] : ["High."];
        return { type: "answer", chunks, usage: USAGE };
      },
    });
    const host = adding("/also the moon", () => undefined);
    ({ add } = host);
    const events: TurnEvent[] = [];
    for await (const event of stage.runtime.start(turnOf("Tides?"), host)) {
      events.push(event);
      // Nobody tells of this one: it is found when the turn is over.
      if (event.type === "text" && event.delta.includes("moon")) host.steering.push("and the sun");
    }
    const said = "High.\n\nAnd the moon.\n\nAnd the sun.";
    assert.equal(textIn(events), said, JSON.stringify(events));
    assert.deepEqual(host.taken, ["/also the moon", "and the sun"]);
    assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
    assert.equal(textIn(await eventsOf(stage.runtime, turnOf("Next"), host)), "And the sun.");
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
