/**
 * The real CLI, command by command, against one server: each ends well, prints what it should, and asked
 * for nothing that was refused.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createTestDevice } from "../../kit/device.ts";
import { findOpenClaw } from "../kit/peer.ts";
import { openStage, type Stage } from "../kit/stage.ts";

interface Command {
  readonly title: string;
  /** `URL` and `TOKEN` stand for those of the server. */
  readonly args: readonly string[];
  readonly prints: readonly RegExp[];
}

const openclaw = findOpenClaw("2026.9.6");
const { skip } = openclaw;
const TRIES = 60;
const KEY = "agent:main:main";

const COMMANDS: readonly Command[] = [
  {
    title: "[CONF-1] gateway health",
    args: ["gateway", "health"],
    prints: [/^Gateway Health$/m, /^OK \(\d+ms\)$/m],
  },
  {
    title: "[CONF-1] gateway status",
    args: ["gateway", "status", "--url", "URL", "--token", "TOKEN"],
    prints: [/^Connectivity probe: ok$/m],
  },
  {
    title: "[CONF-1] gateway probe",
    args: ["gateway", "probe", "--url", "URL", "--token", "TOKEN"],
    prints: [/^Reachable: yes$/m, /Connect: ok .* · Read probe: ok/],
  },
  {
    title: "[CONF-1] gateway call",
    args: ["gateway", "call", "health"],
    prints: [/^Gateway call: health$/m, /"ok": true/],
  },
  {
    title: "[CONF-1] health",
    args: ["health"],
    prints: [/^Agents: main \(default\), research_1, /m, /^Session store \(main\): /m],
  },
  {
    title: "[CONF-1] health --verbose",
    args: ["health", "--verbose"],
    prints: [/^ {2}Gateway target: ws:\/\/127\.0\.0\.1:\d+$/m, /^Session store \(eng_1\): /m],
  },
  {
    title: "[CONF-1] status",
    args: ["status"],
    prints: [/│ Gateway +│ remote · ws:\S+ .*· reachable [\d.]+m?s · /],
  },
  {
    title: "[CONF-1] status --json",
    args: ["status", "--json"],
    prints: [/"agentId": "research_1"/, /"reachable": true/],
  },
  {
    title: "[CONF-3] agent --message",
    args: ["agent", "--agent", "main", "--message", "[[say: pong 42]]"],
    prints: [/^pong 42\n$/],
  },
  {
    title: "[CONF-3] agent --message --json",
    args: ["agent", "--agent", "eng_1", "--message", "[[say: pong 43]]", "--json"],
    prints: [/"status": "ok"/, /"text": "pong 43"/],
  },
  {
    title: "[CONF-3] what an agent said is in the history",
    args: ["gateway", "call", "chat.history", "--params", '{"sessionKey":"agent:eng_1:main"}'],
    prints: [/"text": "\[\[say: pong 43\]\]"/, /"text": "pong 43"/],
  },
  {
    title: "[CONF-3] conversations are listed",
    args: ["gateway", "call", "sessions.list"],
    prints: [/"key": "agent:main:main"/, /"key": "agent:eng_1:main"/],
  },
  {
    title: "[CONF-1] system presence",
    args: ["system", "presence"],
    prints: [/"mode": "gateway"/],
  },
  {
    title: "[CONF-1] system event",
    args: ["system", "event", "--text", "the printer is on fire", "--mode", "now"],
    prints: [/^ok$/m],
  },
  {
    title: "[CONF-1] system heartbeat last",
    args: ["system", "heartbeat", "last"],
    // The event before this one woke the agent; it may still be answering.
    prints: [/^null$|"reason": "wake"/m],
  },
  {
    title: "[CONF-1] logs",
    args: ["logs", "--plain"],
    prints: [/^Log file: \S+/m, /open/],
  },
  {
    title: "[CONF-4] nodes list",
    args: ["nodes", "list"],
    prints: [/^Pending: 0 · Paired: 0$/m],
  },
  {
    title: "[CONF-4] nodes status",
    args: ["nodes", "status"],
    prints: [/^Known: 0 · Paired: 0 · Connected: 0$/m],
  },
  {
    title: "[CONF-4] nodes pending",
    args: ["nodes", "pending"],
    prints: [/^No pending pairing requests\.$/m],
  },
  {
    title: "[CONF-4] devices list",
    args: ["devices", "list"],
    prints: [/device/i],
  },
  {
    title: "[CONF-4] approvals pending",
    args: ["approvals", "pending"],
    prints: [/no pending|0 pending/i],
  },
  {
    title: "[CONF-4] channels status",
    args: ["channels", "status"],
    prints: [/^Gateway reachable\.$/m],
  },
  {
    title: "[CONF-4] cron status",
    args: ["cron", "status"],
    prints: [/"jobs": 0/],
  },
  {
    title: "[CONF-4] cron list",
    args: ["cron", "list"],
    prints: [/no .*(?:jobs|automations)/i],
  },
  {
    title: "[CONF-5] models list",
    args: ["models", "list"],
    prints: [/^rehearsal\/rehearsal-1 .* default/m],
  },
  {
    title: "[CONF-5] gateway usage-cost",
    args: ["gateway", "usage-cost"],
    prints: [/^Usage cost \(30 days\)$/m, /Total: \$0\.00\d* · \S+ tokens/],
  },
  {
    title: "[CONF-5] gateway stability",
    args: ["gateway", "stability"],
    prints: [/^Events: 0\/0$/m],
  },
  {
    title: "[CONF-5] approvals get --gateway",
    args: ["approvals", "get", "--gateway"],
    prints: [/Target +│ gateway/],
  },
  {
    title: "[CONF-5] cron runs",
    args: ["cron", "runs", "--id", "none"],
    prints: [/"total": 0/],
  },
  {
    title: "[CONF-5] skills list",
    args: ["skills", "list"],
    prints: [/^No skills found\.$/m],
  },
];

test("the CLI 2026.9.6", { skip }, async (t) => {
  await using stage = await openStage(openclaw, { client: "CLI" });
  const known = { URL: stage.wsUrl, TOKEN: stage.server.token };
  for (const { title, args, prints } of COMMANDS) {
    await t.test(title, async () => {
      const before = stage.wire.frames.length;
      const filled = args.map((arg) => (arg in known ? known[arg as keyof typeof known] : arg));
      const { code, stdout, stderr } = await stage.run(...filled);
      assert.equal(code, 0, `${stdout}\n${stderr}`);
      for (const text of prints) assert.match(stdout, text);
      const refused = stage.wire.frames.slice(before).filter(({ ok }) => ok === false);
      assert.deepEqual(refused, []);
    });
  }
});

test("[CONF-5] the CLI rotates and revokes a device's token", { skip }, async () => {
  await using stage = await openStage(openclaw, { client: "CLI" });
  const device = createTestDevice();
  const scopes = ["operator.read"];
  const come = () =>
    stage.server.connect({
      scopes,
      device: (challenge) => device.prove(challenge, { token: stage.server.token, scopes }),
    });
  for (const [verb, word] of [
    ["rotate", /"tokenDelivery": "withheld-cross-device"/],
    ["revoke", /"revokedAtMs": \d+/],
  ] as const) {
    await using peer = await come();
    const asked = ["devices", verb, "--device", device.id, "--role", "operator"];
    const { code, stdout, stderr } = await stage.run(...asked);
    assert.equal(code, 0, stderr);
    assert.match(stdout, word);
    assert.equal((await peer.closed).code, 4001);
  }
  const { stdout } = await stage.run("devices", "list");
  assert.match(stdout, /\(revoked\)/);
});

test("[CONF-5] the CLI is told that nothing can be scheduled", { skip }, async () => {
  await using stage = await openStage(openclaw, { client: "CLI, on purpose" });
  const job = ["--name", "x", "--every", "1h", "--message", "hi"];
  const { code, stdout, stderr } = await stage.run("cron", "add", ...job);
  assert.equal(code, 1);
  assert.match(`${stdout}${stderr}`, /Atrium has no scheduler/);
});

test("[CONF-2] a wrong token is named, and the command fails", { skip }, async () => {
  await using stage = await openStage(openclaw, { client: "CLI, on purpose" });
  const args = ["gateway", "call", "health", "--url", stage.wsUrl, "--token", "wrong"];
  const { code, stderr } = await stage.run(...args);
  assert.equal(code, 1);
  assert.match(stderr, /unauthorized|token mismatch/i);
});

test("[CONF-6] an agent that asks for permission gets it from the CLI", { skip }, async () => {
  await using stage = await openStage(openclaw, { client: "CLI" });
  const message = "[[approve: shell npm publish]] [[say: published]]";
  const turn = stage.run("agent", "--agent", "main", "--message", message);
  const { id, summary } = await pendingApproval(stage);
  assert.match(summary, /npm publish/);
  const resolved = await stage.run("approvals", "resolve", id, "allow-once");
  assert.equal(resolved.code, 0, resolved.stderr);
  const { code, stdout, stderr } = await turn;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /published/);
  const left = await stage.run("approvals", "pending", "--json");
  assert.doesNotMatch(left.stdout, new RegExp(id));
});

test(
  "[CONF-6] message send is told which channels there are, and send reaches one",
  { skip },
  async () => {
    await using stage = await openStage(openclaw, { client: "CLI, on purpose" });
    const command = ["--channel", "telegram", "--target", "123", "--message", "hello"];
    const refused = await stage.run("message", "send", ...command);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /unsupported channel: telegram \(there are: webchat/);

    const params = { channel: "webchat", to: KEY, message: "by send", idempotencyKey: "send-1" };
    const sent = await stage.run("gateway", "call", "send", "--params", JSON.stringify(params));
    assert.equal(sent.code, 0, sent.stderr);
    await using peer = await stage.server.connect();
    const { messages } = await peer.ask("chat.history", { sessionKey: KEY });
    assert.match(JSON.stringify(messages), /by send/);
  },
);

test(
  "[CONF-5] the real CLI installs the skill of build sessions by its folder",
  { skip: openclaw.skip },
  async () => {
    await using stage = await openStage(openclaw, { client: "CLI" });
    const skill = fileURLToPath(new URL("../../../skills/communication-protocol", import.meta.url));
    const installed = await stage.run("skills", "install", skill);
    assert.equal(installed.code, 0, installed.stderr);
    assert.match(installed.stdout, /Installed communication-protocol /);
  },
);

/** Asks as a person would, until there is something to decide. */
async function pendingApproval(stage: Stage): Promise<{ id: string; summary: string }> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { code, stdout, stderr } = await stage.run("approvals", "pending", "--json");
    assert.equal(code, 0, stderr);
    const listed = JSON.parse(stdout) as { approvals: { id: string; summary: string }[] };
    const [found] = listed.approvals;
    if (found !== undefined) return found;
    await setTimeout(500);
  }
  throw new Error("no agent asked for permission");
}
