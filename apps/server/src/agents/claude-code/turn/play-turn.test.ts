import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost } from "../../testing/test-host.ts";
import type { TurnEvent } from "../../turn/agent-runtime.ts";
import { createPromptMeter } from "../../turn/usage/usage-meter.ts";
import type { ClaudeProcess, ProcessEvent } from "../protocol/claude-process.ts";
import { playTurn, type ClaudeTurnResult } from "./play-turn.ts";

/** A process that says what it is told to; it cannot go on after an interrupt, as one in a terminal. */
function openScripted(script: readonly ProcessEvent[]) {
  const told: string[] = [];
  let listener: ((heard: ProcessEvent) => void) | undefined;
  const claude: ClaudeProcess = {
    pid: undefined,
    isUsable: true,
    hasSpoken: true,
    hasTakenPrompt: true,
    survivesInterrupt: false,
    ended: Promise.resolve(""),
    listen: (next) => void (listener = next),
    say() {
      for (const heard of script) listener?.(heard);
    },
    permit: (id) => void told.push(`permit ${id}`),
    interrupt() {
      told.push("interrupt");
      listener?.({ type: "ended", ending: { how: "interrupted" } });
    },
    loseTools: () => undefined,
    async stop() {
      told.push("stop");
    },
  };
  return { claude, told };
}

async function play(script: readonly ProcessEvent[]) {
  const { claude, told } = openScripted(script);
  const turn = playTurn(
    claude,
    { text: "Go", attachments: [] },
    {
      // Nobody answers.
      host: createTestHost({
        requestPermission: () => Promise.withResolvers<"allowed">().promise,
      }),
      nameOf: (seen) => seen.replace("mcp__atrium__", ""),
      meter: createPromptMeter(2),
    },
  );
  const events: TurnEvent[] = [];
  for (;;) {
    const next: IteratorResult<TurnEvent, ClaudeTurnResult> = await turn.next();
    if (next.done === true) return { played: next.value, events, told };
    events.push(next.value);
  }
}

const BASH = { type: "tool.called", id: "b", name: "Bash", input: {} } as const;
const ASK = { type: "tool.called", id: "a", name: "mcp__atrium__ask", input: {} } as const;
const RAN = { type: "tool.returned", id: "b", text: "ran", isError: false } as const;
const LOST = { type: "tools.lost" } as const;
const OVER = { type: "ended", ending: { how: "completed", stopReason: "stop" } } as const;
const WORD = { type: "text", delta: "so" } as const;

test("[CLAUDE-13] a turn without its tools is left at once when nothing else is under way", async () => {
  const { played, events, told } = await play([WORD, ASK, LOST, { ...WORD, delta: "late" }]);
  assert.deepEqual(played, { how: "toolless" });
  assert.deepEqual(told, ["interrupt", "stop"]);
  const last = events.at(-1);
  assert.ok(last?.type === "tool.returned" && last.id === "a" && last.isError);
  assert.match(last.text, /unknown whether the call took effect/);
});

test("[CLAUDE-13] but not in the middle of a command, nor while a permission is asked for", async () => {
  const wanted = {
    type: "permission.wanted",
    id: "p",
    tool: "Bash",
    input: {},
    description: undefined,
    cwd: undefined,
  } as const;
  const settled = { type: "permission.settled", id: "p" } as const;
  const inCommand = await play([BASH, LOST, WORD, RAN, { ...WORD, delta: "late" }]);
  assert.deepEqual(inCommand.played, { how: "toolless" });
  assert.deepEqual(
    inCommand.events.map(({ type }) => type),
    ["tool.called", "text", "tool.returned"],
  );
  const inQuestion = await play([wanted, LOST, WORD, settled, { ...WORD, delta: "late" }]);
  assert.deepEqual(inQuestion.played, { how: "toolless" });
  assert.deepEqual(
    inQuestion.events.map(({ type }) => type),
    ["text"],
  );
});

test("[CLAUDE-13] a turn that ends by itself before that has ended", async () => {
  const { played, told } = await play([BASH, LOST, OVER]);
  assert.deepEqual(played, OVER.ending);
  assert.deepEqual(told, []);
});
