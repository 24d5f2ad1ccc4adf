/** What both ways of speaking with the real Claude Code must do. Each one's test file calls this once. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import {
  markOf,
  SESSION_VARIABLE,
} from "../../../apps/server/src/agents/claude-code/process/mark.ts";
import { markedProcesses } from "../../../apps/server/src/agents/claude-code/process/process-tree.ts";
import { claudeSessionId } from "../../../apps/server/src/agents/claude-code/protocol/claude-session-id.ts";
import {
  createTestHost,
  type TestHost,
  type TestHostOptions,
} from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import { describeAgentRuntime } from "../../../apps/server/src/agents/turn/agent-runtime.contract.ts";
import type {
  AgentRuntime,
  TurnEvent,
} from "../../../apps/server/src/agents/turn/agent-runtime.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import {
  openClaudeStage,
  USAGE,
  type Asked,
  type ClaudeStage,
  type ClaudeStageOptions,
} from "./claude-stage.ts";
import type { Needed } from "./peer.ts";

export function describeClaude(transport: "headless" | "interactive", claude: Needed): void {
  const { skip } = claude;
  const open = (options: Partial<ClaudeStageOptions> = {}): Promise<ClaudeStage> =>
    openClaudeStage({ command: claude.path(), settings: { transport }, ...options });
  if (skip !== false) {
    test(`agent runtime contract: claude-code, ${transport}`, { skip }, () => undefined);
  } else {
    describeAgentRuntime(`claude-code, ${transport}`, async (situation) => {
      const stage = await open({
        answer(asked) {
          const [, wished] = /^Say: (\w+)$/m.exec(asked.said) ?? [];
          if (wished === undefined) return behaviorFor(situation, asked);
          const answer = Buffer.from(wished, "hex").toString();
          return behaviorFor({ type: "answers", answer }, asked);
        },
      });
      return {
        runtime: stage.runtime,
        prompt: "What about the tides?",
        letGo: () => stage.model.idle(),
        promptFor: (answer) => `Say: ${Buffer.from(answer).toString("hex")}`,
        speed: 1,
        [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
      };
    });
  }

  test(
    `[CLAUDE-1] ${transport}: a message reaches Claude, and the answer comes in pieces`,
    { skip },
    async () => {
      await using stage = await open({
        answer: ({ said }) => ({
          type: "answer",
          chunks: ["First line.\n\n", "You said:\n\n", said],
          chunkDelayMs: 150,
          usage: USAGE,
        }),
      });
      const events = await play(stage.runtime, "Low tide?");
      assert.equal(textIn(events), "First line.\n\nYou said:\n\nLow tide?");
      assert.ok(events.filter(({ type }) => type === "text").length > 1, JSON.stringify(events));
      assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
      assert.match(JSON.stringify(stage.model.requests[0]?.body.system), /You are Eng 1\./);
    },
  );

  test(
    `[CLAUDE-1] ${transport}: Claude remembers the conversation, and another one is another`,
    { skip },
    async () => {
      await using stage = await open();
      await play(stage.runtime, "The word is heron.");
      await play(stage.runtime, "Which word?");
      assert.match(historyIn(stage), /The word is heron/);
      const conversation = { key: "agent:main:other", sessionId: "session_1" };
      await eventsOf(
        stage.runtime,
        turnOf("Hello", { conversation }),
        createTestHost({ speed: 1 }),
      );
      assert.doesNotMatch(historyIn(stage), /heron/);
    },
  );

  test(`[CLAUDE-6] ${transport}: a command that a person allows is run`, { skip }, async () => {
    await using stage = await open({ answer: runs("echo high > tide.txt") });
    const asked: unknown[] = [];
    const events = await play(stage.runtime, "Note it", {
      requestPermission: (request) => {
        asked.push(request);
        return Promise.resolve("allowed");
      },
    });
    assert.equal(readFileSync(join(stage.folder, "tide.txt"), "utf8"), "high\n");
    assert.equal(asked.length, 1);
    assert.match(JSON.stringify(asked), /"tool":"Bash","input":\{"command":"echo high > tide.txt/);
    const tools = events.filter(({ type }) => type.startsWith("tool."));
    assert.deepEqual(
      tools.map(({ type }) => type),
      ["tool.called", "tool.returned"],
    );
    assert.match(JSON.stringify(tools), /"name":"Bash".*"isError":false/);
    assert.match(textIn(events), /Done\.$/);
  });

  test(
    `[CLAUDE-6] ${transport}: a command that a person forbids is not run, and Claude hears why`,
    { skip },
    async () => {
      await using stage = await open({ answer: runs("echo high > tide.txt") });
      const events = await play(stage.runtime, "Note it", {
        requestPermission: () => Promise.resolve("denied"),
      });
      assert.ok(!existsSync(join(stage.folder, "tide.txt")));
      const returned = events.find((event) => event.type === "tool.returned");
      assert.ok(returned?.isError === true, JSON.stringify(events));
      assert.match(returned.text, /A person denied this/);
      if (events.some(({ type }) => type === "completed")) return;
      assert.fail(JSON.stringify(events.at(-1)));
    },
  );

  test(`[CLAUDE-1] ${transport}: after an abort the same session goes on`, { skip }, async () => {
    await using stage = await open({
      answer: ({ said }) =>
        said.includes("forever")
          ? { type: "forever", chunk: "on\n", everyMs: 20 }
          : { type: "answer", chunks: ["I am back."], usage: USAGE },
    });
    const host = createTestHost({ speed: 1 });
    const aborted: TurnEvent[] = [];
    for await (const event of stage.runtime.start(turnOf("Count forever, heron"), host)) {
      aborted.push(event);
      if (event.type === "text") host.abort();
    }
    assert.deepEqual(aborted.at(-1), { type: "completed", stopReason: "aborted" });
    assert.equal(textIn(await play(stage.runtime, "And now?")), "I am back.");
    assert.match(historyIn(stage), /heron/);
  });

  test(
    `[CLAUDE-1] ${transport}: a Claude that is killed fails its turn, and the next resumes its session`,
    { skip },
    async () => {
      await using stage = await open({
        answer: ({ said }) =>
          said.includes("forever")
            ? { type: "forever", chunk: "on\n", everyMs: 20 }
            : { type: "answer", chunks: ["I am back."], usage: USAGE },
      });
      await play(stage.runtime, "The word is heron.");
      const events: TurnEvent[] = [];
      for await (const event of stage.runtime.start(
        turnOf("forever"),
        createTestHost({ speed: 1 }),
      )) {
        events.push(event);
        if (event.type === "text") await killClaude(stage);
      }
      const last = events.at(-1);
      assert.ok(last?.type === "failed" && last.kind === "unavailable", JSON.stringify(last));
      assert.match(last.reason, /stopped in the middle.*next message/);
      assert.equal(textIn(await play(stage.runtime, "And now?", {}, 20)), "I am back.");
      assert.match(historyIn(stage), /The word is heron/);
    },
  );

  test(
    `[CLAUDE-1] ${transport}: after a restart of the server the session is resumed`,
    { skip },
    async () => {
      await using stage = await open();
      await play(stage.runtime, "The word is heron.");
      await stage.runtime.close?.();
      const history = [{ role: "user" as const, text: "The word is heron." }];
      const again = stage.another();
      const host = createTestHost({ speed: 1 });
      const events = await eventsOf(again, turnOf("Which word?", { history }), host);
      assert.equal(events.at(-1)?.type, "completed", JSON.stringify(events));
      const { messages } = stage.model.requests.at(-1)!.body;
      assert.match(JSON.stringify(messages), /You said: The word is heron/);
    },
  );

  test(
    `[AGENT-16] ${transport}: nothing of the server's environment that was not named is in the process`,
    { skip },
    async () => {
      await using stage = await open({
        env: { ATRIUM_TOKEN: "a-secret-of-the-server", ATRIUM_OTHER: "another" },
        answer: () => ({ type: "forever", chunk: "on\n", everyMs: 20 }),
      });
      const host = createTestHost({ speed: 1 });
      const turn = turnOf("Hi", { env: { TIDY_BUILD: "b1", OTHER: "not passed" } });
      let environ = "";
      for await (const event of stage.runtime.start(turn, host)) {
        if (event.type !== "text" || environ !== "") continue;
        const [pid] = await marked(stage);
        environ = readFileSync(`/proc/${pid}/environ`, "utf8");
        host.abort();
      }
      assert.doesNotMatch(environ, /ATRIUM_|secret|OTHER/);
      assert.match(environ, /\0?TIDY_BUILD=b1\0/);
      assert.match(environ, /MCP_PROTOCOL_NEGOTIATION=legacy/);
      for (const name of Object.keys(process.env)) {
        if (/^(?:npm_|NODE_TEST)/.test(name)) assert.ok(!environ.includes(`\0${name}=`), name);
      }
    },
  );

  test(
    `[AGENT-11] ${transport}: the keys and tokens Claude Code is given are in nothing it tells`,
    { skip },
    async () => {
      const command = "env | grep -E '^(ANTHROPIC|SYNTHESIS)_' | sort";
      await using stage = await open({ answer: runs(command, "fake-token-of-the-tests") });
      const asked: unknown[] = [];
      const events = await play(stage.runtime, "Look around", {
        requestPermission: (request) => {
          asked.push(request);
          return Promise.resolve("allowed");
        },
      });
      const told = JSON.stringify([events, asked]);
      assert.match(told, /ANTHROPIC_AUTH_TOKEN=\[key\]/);
      assert.match(told, /SYNTHESIS_BRIDGE_TOKEN=\[key\]/);
      assert.match(textIn(events), /\[key\]Done\.$/);
      assert.ok(!told.includes("fake-token-of-the-tests"));
    },
  );

  test(
    `[CLAUDE-4] ${transport}: no process is left, neither Claude nor what it started`,
    { skip },
    async () => {
      const stage = await open({ answer: runs("tail -f /dev/null") });
      const host = createTestHost({
        speed: 1,
        requestPermission: () => Promise.resolve("allowed"),
      });
      const turn = eventsOf(stage.runtime, turnOf("Wait long"), host);
      while (!(await commandLines(stage)).some((line) => line.startsWith("tail\0-f"))) {
        await setTimeout(100);
      }
      assert.ok((await marked(stage)).length > 1);
      await stage[Symbol.asyncDispose]();
      assert.equal((await turn).at(-1)?.type, "failed");
      assert.deepEqual(await marked(stage), []);
    },
  );

  test(
    `[CLAUDE-9] ${transport}: what people write is a message, whatever it looks like`,
    { skip },
    async () => {
      await using stage = await open();
      for (const text of [
        "!touch shell.txt",
        "/exit",
        "# remember this",
        "end\u001B[201~\r!touch paste.txt\r",
        "two\nlines \\",
      ]) {
        const events = await play(stage.runtime, text);
        assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" }, text);
        assert.match(textIn(events), /^You said: /, text);
      }
      assert.ok(!existsSync(join(stage.folder, "shell.txt")));
      assert.ok(!existsSync(join(stage.folder, "paste.txt")));
    },
  );
}

function marked({ folder }: ClaudeStage): Promise<number[]> {
  const session = claudeSessionId(turnOf("").conversation);
  return markedProcesses(markOf({ [SESSION_VARIABLE]: session, HOME: folder }));
}

async function play(
  runtime: AgentRuntime,
  prompt: string,
  options: TestHostOptions = {},
  speed = 1,
): Promise<TurnEvent[]> {
  const host: TestHost = createTestHost({ speed, ...options });
  return eventsOf(runtime, turnOf(prompt), host);
}

/** What the model was last told of what was said before. */
function historyIn({ model }: ClaudeStage): string {
  return JSON.stringify(model.requests.at(-1)?.body.messages.slice(0, -1));
}

function runs(command: string, about = ""): (asked: Asked) => Behavior {
  return ({ returned }) =>
    returned.length > 0
      ? { type: "answer", chunks: [about, "Done."].filter(Boolean), usage: USAGE }
      : {
          type: "answer",
          chunks: ["Let me see."],
          toolCalls: [{ name: "Bash", input: { command, description: "Does it" } }],
          usage: USAGE,
        };
}

async function killClaude(stage: ClaudeStage): Promise<void> {
  for (const pid of await marked(stage)) {
    const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    if (/claude-code-[^/]*\/claude/.test(line.split("\0")[0] ?? "")) process.kill(pid, "SIGKILL");
  }
}

async function commandLines(stage: ClaudeStage): Promise<string[]> {
  const pids = await marked(stage);
  return pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  });
}

type Situation = Parameters<Parameters<typeof describeAgentRuntime>[1]>[0];

function behaviorFor(situation: Situation, { returned }: Asked): Behavior {
  switch (situation.type) {
    case "answers":
      return { type: "answer", chunks: situation.answer.split(/(?<= )/), usage: USAGE };
    case "uses a tool": {
      if (returned.length > 0) return { type: "answer", chunks: [situation.answer], usage: USAGE };
      const toolCalls = [{ name: "mcp__atrium__lookup", input: { q: "tide" } }];
      return { type: "answer", toolCalls, usage: USAGE };
    }
    case "talks on":
      // A terminal is told whole lines.
      return { type: "forever", chunk: "and on\n", everyMs: 20 };
    case "is silent":
      return { type: "silence" };
  }
}
