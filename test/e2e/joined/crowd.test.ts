/** More sessions than desks. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openCrowd } from "../../kit/joined-crowd.ts";
import { startServer } from "../../kit/server-process.ts";
import { enterWorld, type WorldMessage } from "../../kit/world-peer.ts";

interface Seen {
  readonly agent_id: string;
  readonly name: string;
  readonly pos: readonly [number, number, number];
  readonly state: string;
  readonly status: string;
  readonly poi_id?: string;
  readonly joined?: { readonly folder?: string; readonly model?: string; readonly owner?: string };
}

const agentsIn = ({ type, payload }: WorldMessage): readonly Seen[] =>
  type === "snapshot" ? (payload.agents as readonly Seen[]) : [];
const joinedIn = (message: WorldMessage): readonly Seen[] =>
  agentsIn(message).filter(({ joined }) => joined !== undefined);

/** Nobody is on the way any more. */
const isSettled = (message: WorldMessage): boolean =>
  joinedIn(message).length === 20 &&
  agentsIn(message).every(({ state }) => state !== "WalkingToPOI");

function checkCrowd(message: WorldMessage): void {
  const agents = agentsIn(message);
  const places = agents.map(({ pos }) => `${pos[0].toFixed(2)} ${pos[2].toFixed(2)}`);
  assert.equal(new Set(places).size, agents.length, places.join("\n"));
  const desks = agents.flatMap(({ poi_id }) => (poi_id?.startsWith("poi_desk_") ? [poi_id] : []));
  assert.equal(new Set(desks).size, desks.length);
  for (const { name, joined } of joinedIn(message)) {
    assert.doesNotMatch(name, /[\p{Cc}\p{Bidi_Control}]/u);
    assert.ok(name.length <= 120, String(name.length));
    assert.ok((joined?.model ?? "").length <= 200);
    assert.ok((joined?.owner ?? "").length <= 200);
  }
  const working = joinedIn(message).filter(({ status }) => status === "working");
  assert.equal(working.length, 7);
}

test("[SIGHT-15] twenty sessions have a place each, also after a restart", async () => {
  const home = await mkdtemp(join(tmpdir(), "atrium-"));
  const before = await startServer(home);
  await openCrowd({ url: before.url, home });
  {
    await using peer = await enterWorld(before);
    const message = await peer.first(isSettled);
    checkCrowd(message);
    const names = joinedIn(message).map(({ name }) => name);
    assert.ok(names.includes("Claude Code · __proto__"), names.join("\n"));
    assert.ok(names.includes("Claude Code · [31mredevil"));
  }
  await before.end("SIGKILL");
  const server = await startServer(home);
  {
    await using peer = await enterWorld(server);
    checkCrowd(await peer.first(isSettled));
  }
  await server.end();
  await rm(home, { recursive: true, force: true });
});
