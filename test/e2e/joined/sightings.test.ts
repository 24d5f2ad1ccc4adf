/** Sessions that have not joined, seen in the files of their programs, from a person's choice to the office. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openMemoryLog } from "@atrium/log";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openHookedSession } from "../../kit/hooked-session.ts";
import { startServer } from "../../kit/server-process.ts";
import { patchSettings } from "../../kit/settings.ts";
import { openSightedHome } from "../../kit/sighted-session.ts";
import { enterWorld, type WorldMessage, type WorldPeer } from "../../kit/world-peer.ts";

const onLinux = process.platform === "linux" ? false : "reads /proc";

interface Seen {
  readonly agent_id: string;
  readonly name: string;
  readonly status: string;
  readonly poi_id?: string;
  readonly heard_at: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- held against the schema when it came
  readonly joined?: any;
}

function joinedIn({ type, payload }: WorldMessage): readonly Seen[] {
  if (type !== "snapshot") return [];
  return (payload.agents as readonly Seen[]).filter(({ joined }) => joined !== undefined);
}

async function seen(peer: WorldPeer, isIt: (agent: Seen) => boolean): Promise<Seen> {
  const found = await peer.first((message) => joinedIn(message).some(isIt));
  const agent = joinedIn(found).find(isIt);
  assert.ok(agent);
  return agent;
}

const gone = (peer: WorldPeer): Promise<WorldMessage> =>
  peer.next((message) => message.type === "snapshot" && joinedIn(message).length === 0);

const WATCHED = { settings: { sightings: { "claude-code": true } } };

test(
  "[SIGHT-1] a session is in the office by its files alone, and goes with its process",
  { skip: onLinux },
  async () => {
    await using home = openSightedHome();
    const session = await home.open();
    const log = openMemoryLog();
    await using atrium = await openTestAtrium({
      ...WATCHED,
      env: home.env,
      openLog: async () => log,
    });
    await using peer = await enterWorld(atrium);
    const came = await seen(peer, () => true);
    assert.equal(came.name, "Claude Code · shop");
    assert.equal(came.status, "idle");
    const { program, owner, folder, source, can_ask, message_moments } = came.joined;
    assert.deepEqual(
      { program, owner, folder, source, can_ask, message_moments },
      {
        program: "claude-code",
        owner: "ann",
        folder: home.project,
        source: "transcript",
        can_ask: false,
        message_moments: [],
      },
    );
    await seen(peer, ({ poi_id }) => poi_id === "poi_desk_6");
    session.prompted("Note the tide of Brest");
    session.uses("Bash", { command: "touch tide.txt" });
    const busy = await seen(
      peer,
      ({ status, joined }) => status === "working" && joined.doing === "Bash: touch tide.txt",
    );
    assert.equal(busy.joined.model, "fake-model");
    assert.equal(busy.joined.branch, "tides");
    session.says("waiting");
    await seen(peer, ({ status }) => status === "asks");
    session.says("idle");
    await seen(peer, ({ status, joined }) => status === "idle" && joined.doing === undefined);
    const left = gone(peer);
    await session.kill();
    await left;
    const entries = await Array.fromAsync(log.read({ after: 0 }));
    const text = JSON.stringify(entries);
    assert.match(text, /joined-session\.left/);
    assert.doesNotMatch(text, /Note the tide|touch tide/);
    assert.deepEqual(atrium.faults, []);
  },
);

test(
  "[SIGHT-2] a session that also reports is one session, and its reports count",
  { skip: onLinux || skipWithout("curl") },
  async () => {
    await using home = openSightedHome();
    const session = await home.open();
    const log = openMemoryLog();
    const options = { ...WATCHED, env: home.env, openLog: async () => log };
    await using atrium = await openTestAtrium(options);
    await using peer = await enterWorld(atrium);
    const read = await seen(peer, ({ joined }) => joined.source === "transcript");
    await using hooked = await openHookedSession({ home: atrium.home });
    await hooked.hook("SessionStart", { model: "fake-model" });
    const own = await seen(peer, ({ joined }) => joined.source === undefined);
    assert.equal(own.agent_id, read.agent_id);
    assert.equal(own.joined.can_ask, true);
    session.prompted("Work");
    session.uses("Bash", { command: "read of it" });
    await hooked.hook("PreToolUse", { tool_name: "Bash", tool_input: { command: "said by it" } });
    const doing = await seen(peer, ({ joined }) => joined.doing !== undefined);
    assert.equal(doing.joined.doing, "Bash: said by it");
    // A change of settings makes it look again.
    const fields = { sightings: { codex: true } };
    assert.equal((await patchSettings(atrium, fields)).status, 200);
    await using another = await openHookedSession({ home: atrium.home, sessionId: "s-2" });
    await another.hook("SessionStart");
    const both = joinedIn(await peer.first((message) => joinedIn(message).length === 2));
    const [first] = both.filter(({ agent_id }) => agent_id === own.agent_id);
    assert.equal(first?.joined.doing, "Bash: said by it");
    await another.hook("SessionEnd", { reason: "other" });
    // Its files are still there, but it has said good-bye.
    const left = gone(peer);
    await hooked.hook("SessionEnd", { reason: "other" });
    await left;
    const others = { sightings: { codex: false } };
    assert.equal((await patchSettings(atrium, others)).status, 200);
    const entries = await Array.fromAsync(log.read({ after: 0 }));
    const joined = entries.filter(({ type }) => type === "joined-session.joined");
    assert.equal(joined.length, 2);
    assert.deepEqual(atrium.faults, []);
  },
);

test(
  "[SIGHT-3] nothing can be left for a session that is only read",
  { skip: onLinux },
  async () => {
    await using home = openSightedHome();
    await home.open();
    await using atrium = await openTestAtrium({ ...WATCHED, env: home.env });
    await using peer = await enterWorld(atrium);
    const { agent_id } = await seen(peer, () => true);
    const refused = await peer.command("leave_message", { agent_id, text: "Hi" });
    assert.equal(refused.type, "error");
    assert.match(JSON.stringify(refused.payload), /only read from its files/);
  },
);

test(
  "[SIGHT-8] nobody is read until a person says so; it takes effect at once, on and off",
  { skip: onLinux },
  async () => {
    await using home = openSightedHome();
    await home.open();
    const log = openMemoryLog();
    await using atrium = await openTestAtrium({ env: home.env, openLog: async () => log });
    await using peer = await enterWorld(atrium);
    const first = await peer.first(({ type }) => type === "snapshot");
    assert.deepEqual(joinedIn(first), []);
    // Somebody else's switch is not theirs.
    assert.equal((await patchSettings(atrium, { sightings: { codex: true } })).status, 200);
    const on = await patchSettings(atrium, { sightings: { "claude-code": true } });
    assert.equal(on.status, 200);
    const soon = await Array.fromAsync(log.read({ after: 0 }));
    assert.ok(soon.some(({ type }) => type === "joined-session.joined"));
    await seen(peer, () => true);
    const written = JSON.parse(await readFile(join(atrium.home, "atrium.config.json"), "utf8"));
    assert.deepEqual(written.sightings, { codex: true, "claude-code": true });
    const left = gone(peer);
    await using chat = await atrium.connect();
    const { hash } = await chat.ask("config.get", {});
    const raw = JSON.stringify({ sightings: { "claude-code": false } });
    await chat.ask("config.patch", { raw, baseHash: hash });
    await left;
    const unknown = await patchSettings(atrium, { sightings: { emacs: true } });
    assert.equal(unknown.status, 400);
    const entries = await Array.fromAsync(log.read({ after: 0 }));
    const changes = entries.filter(({ type }) => type === "settings.changed");
    assert.equal(changes.length, 3);
    assert.match(JSON.stringify(changes[1]), /sightings.*"by"|"by".*sightings/);
    assert.match(JSON.stringify(entries), /"why":"unwatched"/);
  },
);

test(
  "[SIGHT-9] [SECRET-8] what the server keeps secret is masked, and a key by its looks",
  { skip: onLinux },
  async () => {
    await using home = openSightedHome();
    const session = await home.open("s-1", join(home.project, "..", "shop"));
    await using atrium = await openTestAtrium({ ...WATCHED, env: home.env });
    await using peer = await enterWorld(atrium);
    session.prompted("Work");
    const command = `curl -H "X-Own: ${atrium.token}" -u ann:hunter2 /`;
    const input = { command };
    session.writes({
      type: "assistant",
      gitBranch: `fix-${atrium.token}`,
      message: { model: atrium.token, content: [{ type: "tool_use", name: "Bash", input }] },
    });
    const { joined } = await seen(peer, (agent) => agent.joined.doing !== undefined);
    assert.equal(joined.doing, 'Bash: curl -H "X-Own: [key]" -u ann:[key] /');
    assert.equal(joined.branch, "fix-[key]");
    assert.equal(joined.model, "[key]");
    const told = JSON.stringify(peer.told("snapshot"));
    assert.ok(!told.includes(atrium.token));
  },
);

test(
  "[SIGHT-10] after a restart only sessions that still run are in the office",
  { skip: onLinux },
  async () => {
    await using home = openSightedHome();
    const ended = await home.open("s-ended");
    const stays = await home.open("s-stays", join(home.project, ".."));
    const folder = await mkdtemp(join(tmpdir(), "atrium-"));
    const options = { env: home.env };
    const before = await startServer(folder, options);
    await patchSettings(before, { sightings: { "claude-code": true } });
    ended.prompted("Work");
    stays.prompted("Work");
    {
      await using peer = await enterWorld(before);
      await peer.first(
        (message) => joinedIn(message).filter(({ status }) => status === "working").length === 2,
      );
    }
    await before.end("SIGKILL");
    await ended.kill();
    stays.says("idle");
    const server = await startServer(folder, options);
    {
      await using peer = await enterWorld(server);
      const { payload } = await peer.first(({ type }) => type === "snapshot");
      const here = joinedIn({ type: "snapshot", payload } as WorldMessage);
      assert.deepEqual(
        here.map(({ status, joined }) => [status, joined.folder]),
        [["idle", join(home.project, "..")]],
      );
    }
    await server.end();
    await rm(folder, { recursive: true, force: true });
  },
);
