/** OpenClaw 2026.4.29: speaks protocol 3 only, signs in with a device, and is refused by its own successors. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findOpenClaw } from "../kit/peer.ts";
import { openStage } from "../kit/stage.ts";

interface Command {
  readonly title: string;
  readonly args: readonly string[];
  readonly prints: readonly RegExp[];
}

const openclaw = findOpenClaw("2026.4.29");
const TURN = { message: "[[say: pong 3]]", agentId: "main", idempotencyKey: "conformance-1" };

const COMMANDS: readonly Command[] = [
  {
    title: "[CONF-12] gateway health",
    args: ["gateway", "health"],
    prints: [/^OK \(\d+ms\)$/m],
  },
  {
    title: "[CONF-12] gateway call health",
    args: ["gateway", "call", "health"],
    prints: [/"ok": true/],
  },
  {
    title: "[CONF-12] health",
    args: ["health"],
    prints: [/^Agents: main \(default\)/m],
  },
  {
    title: "[CONF-12] status --json",
    args: ["status", "--json"],
    prints: [/"reachable": true/],
  },
  {
    title: "[CONF-12] system presence",
    args: ["system", "presence"],
    prints: [/"mode": "gateway"/],
  },
  {
    title: "[CONF-12] an agent's turn, waited for",
    args: ["gateway", "call", "agent", "--expect-final", "--params", JSON.stringify(TURN)],
    prints: [/"text": "pong 3"/],
  },
  {
    title: "[CONF-12] what was said",
    args: ["gateway", "call", "chat.history", "--params", '{"sessionKey":"main"}'],
    prints: [/"text": "pong 3"/],
  },
  {
    title: "[CONF-12] nodes list",
    args: ["nodes", "list"],
    prints: [/Pending: 0 · Paired: 0/],
  },
];

test("the CLI 2026.4.29", { skip: openclaw.skip }, async (t) => {
  await using stage = await openStage(openclaw, { client: "CLI 2026.4.29" });
  for (const { title, args, prints } of COMMANDS) {
    await t.test(title, async () => {
      const { code, stdout, stderr } = await stage.run(...args);
      assert.equal(code, 0, `${stdout}\n${stderr}`);
      for (const text of prints) assert.match(stdout, text);
    });
  }
  const [hello] = stage.wire.frames.filter(({ method }) => method === "connect");
  assert.equal(hello?.params.maxProtocol, 3, "it speaks protocol 3 and nothing newer");
});
