/**
 * What a server has told, to be held against what it tells after it was started again: nothing of it may be gone or
 * different. What is under way may go on, so lists that only grow have to begin as they did.
 */
import assert from "node:assert/strict";
import { connectPeer } from "../raw-peer.ts";
import type { Place } from "./fuzzer.ts";

export interface Remembered {
  /** By what it is about. */
  readonly growing: ReadonlyMap<string, readonly unknown[]>;
  readonly fixed: ReadonlyMap<string, unknown>;
  readonly seq: number;
}

const MAX_MESSAGES = 1_000;

/** `at` is where in the log to look at the world; left out, its end. */
export async function remember(place: Place, at?: number): Promise<Remembered> {
  await using peer = await connectPeer(place.wsUrl, { auth: { token: place.token } });
  const growing = new Map<string, readonly unknown[]>();
  const fixed = new Map<string, unknown>();
  const { sessions } = await peer.ask("sessions.list", { limit: 10_000 });
  for (const { key } of sessions as { key: string }[]) {
    const asked = { sessionKey: key, limit: MAX_MESSAGES };
    const { messages } = await peer.ask("chat.history", asked);
    if (messages.length < MAX_MESSAGES) growing.set(`history of ${key}`, messages);
  }
  const { builds } = await peer.ask("build.list", { limit: 200 });
  for (const { id } of builds as { id: string }[]) {
    const { events } = await peer.ask("build.events", { id });
    growing.set(`build ${id}`, events);
  }
  const timeline = await readJson(place, "/api/world/events?after=0&limit=1000");
  const seq = at ?? (timeline as { seq: number }).seq;
  fixed.set("world", await readJson(place, `/api/world/at?seq=${seq}`));
  fixed.set("signals", await readJson(place, `/api/signals?before=${seq}.0&limit=1000`));
  // What peers are and may do does not change by itself.
  fixed.set("devices", (await peer.ask("device.pair.list", {})).paired);
  const { paired } = await peer.ask("node.pair.list", {});
  fixed.set("nodes", paired.map(({ nodeId }: { nodeId: string }) => nodeId).toSorted());
  growing.set("timeline", (timeline as { messages: unknown[] }).messages);
  return { growing, fixed, seq };
}

export function assertRemembers(after: Remembered, before: Remembered): void {
  for (const [what, list] of before.growing) {
    assert.deepEqual(after.growing.get(what)?.slice(0, list.length), list, what);
  }
  for (const [what, value] of before.fixed) assert.deepEqual(after.fixed.get(what), value, what);
}

async function readJson({ url, token }: Place, path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(new URL(path, url), { headers });
  assert.equal(response.status, 200, `${path} ${response.status}`);
  return response.json();
}
