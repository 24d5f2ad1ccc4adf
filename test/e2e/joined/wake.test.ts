/** A message that wakes a session which is idle, by the hook that waits in its background. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openHookedSession } from "../../kit/hooked-session.ts";
import { startServer } from "../../kit/server-process.ts";
import { enterWorld, type WorldMessage, type WorldPeer } from "../../kit/world-peer.ts";

const skip = skipWithout("curl");

interface Seen {
  readonly agent_id: string;
  readonly status: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- held against the schema when it came
  readonly joined?: any;
}

async function seen(peer: WorldPeer, isIt: (agent: Seen) => boolean): Promise<Seen> {
  const agentsIn = ({ type, payload }: WorldMessage): Seen[] =>
    type === "snapshot" ? payload.agents.filter(({ joined }: Seen) => joined !== undefined) : [];
  const found = await peer.first((message) => agentsIn(message).some(isIt));
  const agent = agentsIn(found).find(isIt);
  assert.ok(agent);
  return agent;
}

const canWake = ({ joined }: Seen): boolean => joined.message_moments.includes("wake");

test(
  "[JOIN-50] a message wakes an idle session, once, and the page says so before",
  { skip },
  async () => {
    await using atrium = await openTestAtrium();
    await using peer = await enterWorld(atrium);
    await using session = await openHookedSession({ home: atrium.home });
    await session.hook("SessionStart");
    const first = session.startWaiting("SessionStart");
    const { agent_id } = await seen(peer, canWake);
    // The program starts another one at the end of a turn, and the earlier goes without a word.
    await session.hook("Stop");
    const second = session.startWaiting("Stop");
    assert.deepEqual(await first.ended, { code: 0, stderr: "" });
    await peer.ask("leave_message", { agent_id, text: "Mind the tide." });
    const { code, stderr } = await second.ended;
    assert.equal(code, 2);
    assert.match(stderr, /left a message in Atrium: Mind the tide\./);
    await seen(
      peer,
      ({ status, joined }) => status === "working" && joined.messages?.[0]?.moment === "wake",
    );
    assert.equal(await session.hook("UserPromptSubmit", { prompt: "Hi" }), "");
    assert.deepEqual(atrium.faults, []);
  },
);

test(
  "[JOIN-50] a session at work is not woken: its next hook takes the message",
  { skip },
  async () => {
    await using atrium = await openTestAtrium();
    await using peer = await enterWorld(atrium);
    await using session = await openHookedSession({ home: atrium.home });
    await session.hook("SessionStart");
    const waiting = session.startWaiting("SessionStart");
    const { agent_id } = await seen(peer, canWake);
    await session.hook("UserPromptSubmit", { prompt: "Hi" });
    await peer.ask("leave_message", { agent_id, text: "Mind the tide." });
    assert.match(await session.hook("Stop"), /Mind the tide/);
    await session.hook("Stop");
    await session.hook("SessionEnd");
    assert.deepEqual(await waiting.ended, { code: 0, stderr: "" });
  },
);

test("[JOIN-50] programs that cannot be woken are not held up", { skip }, async () => {
  await using atrium = await openTestAtrium();
  await using codex = await openHookedSession({ home: atrium.home, program: "codex" });
  await codex.hook("SessionStart");
  assert.equal((await codex.startWaiting("Stop").ended).code, 0);
  const asClaude = { CLAUDE_PID: String(process.pid) };
  const options = { home: atrium.home, program: "codex", env: asClaude } as const;
  await using inside = await openHookedSession(options);
  assert.equal((await inside.startWaiting("Stop").ended).code, 0);
});

test(
  "[JOIN-50] the hook that waits comes back after a kill of the server, and is over without one",
  { skip },
  async () => {
    const home = await mkdtemp(join(tmpdir(), "atrium-wake-"));
    await using session = await openHookedSession({ home });
    assert.equal((await session.startWaiting("Stop").ended).code, 0);
    let server = await startServer(home);
    await session.hook("SessionStart");
    const waiting = session.startWaiting("SessionStart");
    await seen(await enterWorld(server), canWake);
    await server.end("SIGKILL");
    server = await startServer(home);
    const peer = await enterWorld(server);
    const { agent_id } = await seen(peer, canWake);
    await peer.ask("leave_message", { agent_id, text: "Mind the tide." });
    assert.equal((await waiting.ended).code, 2);
    await server.end();
    await rm(home, { recursive: true, force: true });
  },
);
