/**
 * What the bridge was made for: people write to OpenClaw, and Claude Code answers. OpenClaw's real gateway is the client of
 * `/v1/chat/completions`, the agent behind it is the real Claude Code, and its model is a server on loopback.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import type { Connected, Frame } from "../../kit/raw-peer.ts";
import type { ServerProcess } from "../../kit/server-process.ts";
import { USAGE, type Asked } from "../kit/claude-stage.ts";
import { askedForPermission, openWholeStage, type WholeStage } from "../kit/claude-whole.ts";
import { findClaudeCode, findOpenClaw } from "../kit/peer.ts";
import { openRealGateway } from "../kit/real-gateway.ts";

const openclaw = findOpenClaw("2026.9.6");
const claude = findClaudeCode();
const skip = openclaw.skip || claude.skip;

const opened = new AsyncDisposableStack();
let stage: WholeStage;
/** Whose Claude Code answers. */
let server: ServerProcess;
/** Who writes to OpenClaw. */
let writer: Connected;

function answer({ said, returned, body }: Asked): Behavior {
  if (said.includes("what was the word")) {
    const isKnown = JSON.stringify(body.messages).includes("The word is heron");
    return speak(isKnown ? "It was heron." : "I was not told.");
  }
  if (!said.includes("Run it")) return speak("Claude Code has heard it.");
  if (returned.length > 0) return speak("It has run.");
  const input = { command: "echo ran > ran.txt", description: "Runs it" };
  return { type: "answer", toolCalls: [{ name: "Bash", input }], usage: USAGE };
}

function speak(text: string): Behavior {
  return { type: "answer", chunks: [text], usage: USAGE };
}

before(async () => {
  if (skip !== false) return;
  stage = opened.use(
    await openWholeStage({ command: claude.path(), transport: "headless", answer }),
  );
  server = await stage.start();
  const gateway = opened.use(
    await openRealGateway(openclaw, {
      baseUrl: `${server.url}v1`,
      apiKey: server.token,
      model: "atrium/eng_1",
      compat: { sendSessionAffinityHeaders: true, supportsUsageInStreaming: true },
    }),
  );
  const settings = {
    runtimes: { claw: { type: "openclaw", url: gateway.wsUrl, tokenEnv: "CLAW_TOKEN" } },
    agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "claw" }],
  };
  const front = opened.use(await openTestAtrium({ settings, env: { CLAW_TOKEN: gateway.token } }));
  writer = opened.use(await front.connect());
});

after(() => opened.disposeAsync());

async function write(runId: string, message: string): Promise<string> {
  const ended = writer.first(
    ({ event, payload }: Frame) =>
      event === "chat" &&
      payload.runId === runId &&
      ["final", "error", "aborted"].includes(payload.state),
  );
  await writer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: runId });
  const { payload } = await ended;
  assert.equal(payload.state, "final", JSON.stringify(payload));
  return payload.message.content[0].text;
}

test(
  "[CONF-34] a message to OpenClaw is answered by Claude Code, which knows what was said before",
  { skip },
  async () => {
    assert.equal(await write("r1", "The word is heron."), "Claude Code has heard it.");
    assert.equal(await write("r2", "And what was the word?"), "It was heron.");
    await using peer = await server.connect();
    const { sessions } = await peer.ask("sessions.list");
    const keys = (sessions as { key: string }[]).map(({ key }) => key);
    assert.equal(keys.filter((key) => key.startsWith("agent:eng_1:openai-session:")).length, 1);
  },
);

test(
  "[CONF-34] a command of Claude Code's waits for a person at Atrium, and OpenClaw gets the answer",
  { skip },
  async () => {
    await using person = await server.connect({ client: { displayName: "Ann" } });
    const written = write("r3", "Run it");
    const { id } = await askedForPermission(person, "echo ran");
    assert.ok(!existsSync(join(stage.folder, "ran.txt")), "not before it is allowed");
    await person.ask("approval.resolve", { id, kind: "exec", decision: "allow-once" });
    assert.match(await written, /It has run\.$/);
    assert.ok(existsSync(join(stage.folder, "ran.txt")));
  },
);
