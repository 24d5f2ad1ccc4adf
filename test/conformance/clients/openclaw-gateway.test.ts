/** An agent whose runtime is a real OpenClaw gateway, with a model of our own on loopback behind it. */
import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import {
  openModelServer,
  type ModelRequest,
  type ModelServer,
} from "../../kit/model-server/model-server.ts";
import type { Connected, Frame } from "../../kit/raw-peer.ts";
import { findOpenClaw } from "../kit/peer.ts";
import { fakeModel, openRealGateway } from "../kit/real-gateway.ts";

const openclaw = findOpenClaw("2026.9.6");
const { skip } = openclaw;

interface Office {
  readonly model: ModelServer;
  readonly atrium: TestAtrium;
  readonly peer: Connected;
}

const opened = new AsyncDisposableStack();
let office: Office;

before(async () => {
  if (skip !== false) return;
  const model = opened.use(await openModelServer(answerTo));
  const gateway = opened.use(await openRealGateway(openclaw, fakeModel(model.baseUrl)));
  const home = opened.use(mkdtempDisposableSync(join(tmpdir(), "atrium-openclaw-runtime-"))).path;
  const settings = {
    runtimes: { claw: { type: "openclaw", url: gateway.wsUrl, tokenEnv: "CLAW_TOKEN" } },
    agents: [
      { id: "agent_bd", name: "BD", role: "front desk", runtime: "claw" },
      { id: "agent_eng_1", name: "Eng 1", role: "engineer", runtime: "claw" },
    ],
  };
  writeFileSync(join(home, "atrium.config.json"), JSON.stringify(settings));
  const env: Record<string, string> = { CLAW_TOKEN: gateway.token };
  const atrium = opened.use(await openTestAtrium({ home, readEnv: (name) => env[name] }));
  const peer = opened.use(await atrium.connect({ caps: ["tool-events"] }));
  office = { model, atrium, peer };
});

after(() => opened.disposeAsync());

function answerTo({ body }: ModelRequest): Behavior {
  const said = JSON.stringify(body.messages);
  if (said.includes("look into the file") && !said.includes(`"role":"tool"`)) {
    return { type: "answer", toolCalls: [{ name: "ls", input: { path: "." } }] };
  }
  if (said.includes("talk for ever")) return { type: "forever", chunk: "and on ", everyMs: 50 };
  const times = ["when is high tide", "are you sure"].filter((text) => said.includes(text)).length;
  const usage = { inputTokens: 1_000, outputTokens: 7 };
  return { type: "answer", chunks: ["Asked ", "about tides ", `${times} times.`], usage };
}

const isOf =
  (runId: string, ...states: readonly string[]) =>
  ({ event, payload }: Frame): boolean =>
    event === "chat" && payload.runId === runId && states.includes(payload.state);

async function ask(runId: string, message: string, sessionKey = "main"): Promise<Frame["payload"]> {
  const ended = office.peer.first(isOf(runId, "final", "error", "aborted"));
  await office.peer.ask("chat.send", { sessionKey, message, idempotencyKey: runId });
  return (await ended).payload;
}

test(
  "[CONF-18] an agent answers by a real OpenClaw gateway, as it comes, and remembers",
  { skip },
  async () => {
    const first = await ask("r1", "when is high tide");
    assert.equal(first.message.content[0].text, "Asked about tides 1 times.");
    assert.ok(first.message.usage.totalTokens > 0, JSON.stringify(first.message.usage));
    const pieces = office.peer.frames.filter(isOf("r1", "delta"));
    assert.ok(pieces.length > 0, "it came in pieces");
    const second = await ask("r2", "are you sure");
    assert.equal(second.message.content[0].text, "Asked about tides 2 times.");
    const other = await ask("r3", "are you sure", "agent:eng_1:main");
    assert.equal(other.message.content[0].text, "Asked about tides 1 times.");
    assert.deepEqual(office.atrium.faults, []);
  },
);

test("[CONF-18] a tool that the gateway's agent uses is told here", { skip }, async () => {
  const ended = await ask("r4", "look into the file", "agent:main:files");
  assert.equal(ended.state, "final", JSON.stringify(ended));
  const { messages } = await office.peer.ask("chat.history", { sessionKey: "agent:main:files" });
  const shown = JSON.stringify(messages);
  assert.ok(shown.includes('"name":"ls"') && shown.includes('"toolName":"ls"'), shown);
});

test("[CONF-18] stopping a turn here stops it there", { skip }, async () => {
  const ended = ask("r5", "talk for ever", "agent:main:endless");
  await office.peer.first(isOf("r5", "delta"));
  await office.peer.ask("chat.abort", { sessionKey: "agent:main:endless", runId: "r5" });
  assert.equal((await ended).state, "aborted");
  // The model would talk for ever: only the gateway's own agent can have left it.
  await office.model.idle();
  const later = await ask("r6", "when is high tide", "agent:main:later");
  assert.equal(later.state, "final");
});
