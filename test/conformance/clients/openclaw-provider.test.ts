/**
 * A real OpenClaw gateway whose model is an agent of ours: what its people write reaches the agent by
 * `/v1/chat/completions`, and the agent uses OpenClaw's tools. The gateway is talked to as its channels would, by the
 * `openclaw` runtime of another Atrium.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import type { Connected, Frame } from "../../kit/raw-peer.ts";
import { findOpenClaw } from "../kit/peer.ts";
import { openRealGateway } from "../kit/real-gateway.ts";

const openclaw = findOpenClaw("2026.9.6");
const { skip } = openclaw;

const opened = new AsyncDisposableStack();
/** Whose agent answers. */
let atrium: TestAtrium;
/** Who writes to OpenClaw. */
let writer: Connected;

before(async () => {
  if (skip !== false) return;
  atrium = opened.use(await openTestAtrium());
  const gateway = opened.use(
    await openRealGateway(openclaw, {
      baseUrl: `${atrium.url}v1`,
      apiKey: atrium.token,
      model: "atrium/eng_1",
      compat: { sendSessionAffinityHeaders: true, supportsUsageInStreaming: true },
    }),
  );
  const settings = {
    runtimes: { claw: { type: "openclaw", url: gateway.wsUrl, tokenEnv: "CLAW_TOKEN" } },
    agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "claw" }],
  };
  const env = { CLAW_TOKEN: gateway.token };
  const front = opened.use(await openTestAtrium({ settings, env }));
  writer = opened.use(await front.connect());
});

after(() => opened.disposeAsync());

async function write(runId: string, message: string, sessionKey = "main"): Promise<string> {
  const ended = writer.first(
    ({ event, payload }: Frame) =>
      event === "chat" &&
      payload.runId === runId &&
      ["final", "error", "aborted"].includes(payload.state),
  );
  await writer.ask("chat.send", { sessionKey, message, idempotencyKey: runId });
  const { payload } = await ended;
  assert.equal(payload.state, "final", JSON.stringify(payload));
  return payload.message.content[0].text;
}

/** The conversations of OpenClaw's sessions with the agent, and what was said in each. */
async function conversations(): Promise<ReadonlyMap<string, string>> {
  await using peer = await atrium.connect();
  const { sessions } = await peer.ask("sessions.list");
  const talks = new Map<string, string>();
  for (const { key } of sessions as { key: string }[]) {
    const { messages } = await peer.ask("chat.history", { sessionKey: key });
    talks.set(key, JSON.stringify(messages));
  }
  return talks;
}

test(
  "[CONF-21] a message to OpenClaw is answered by an agent, each session in one conversation",
  { skip },
  async () => {
    assert.equal(await write("r1", "[[say: High tide is at six.]]"), "High tide is at six.");
    assert.equal(await write("r2", "[[say: And low at noon.]]"), "And low at noon.");
    assert.equal(await write("r3", "[[say: Elsewhere.]]", "agent:main:other"), "Elsewhere.");
    const talks = await conversations();
    assert.equal(talks.size, 2, [...talks.keys()].join(" "));
    const [first] = [...talks].filter(([, said]) => said.includes("tide is at six"));
    assert.match(first?.[0] ?? "", /^agent:eng_1:openai-session:/);
    assert.ok(first?.[1].includes("low at noon"), "the second message is in the same conversation");
    assert.deepEqual(atrium.faults, []);
  },
);

test(
  "[CONF-21] the agent uses OpenClaw's tools, and goes on in the same turn with what they return",
  { skip },
  async () => {
    const key = "agent:main:files";
    const file = JSON.stringify({ path: "tides.txt", content: "high at six" });
    const written = await write("r4", `[[tool: write ${file}]] [[say: Written.]]`, key);
    assert.match(written, /Written\.$/);
    const read = await write("r5", '[[tool: read {"path":"tides.txt"}]] [[say: Read.]]', key);
    assert.match(read, /high at six[\s\S]*Read\.$/);
    const [, said = ""] =
      [...(await conversations())].find(([, s]) => s.includes("tides.txt")) ?? [];
    assert.equal(said.match(/"name":"read"/g)?.length, 1, "it was called once");
    assert.deepEqual(atrium.faults, []);
  },
);
