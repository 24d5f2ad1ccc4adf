/** Where the people at the screens are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { enterWorld, type WorldMessage, plannedProject } from "../../kit/world-peer.ts";

test("[WORLD-11] each viewer has a place of its own, and who leaves is gone", async () => {
  await using atrium = await openTestAtrium();
  await using watcher = await enterWorld(atrium);
  const shows =
    (count: number) =>
    ({ type, payload }: WorldMessage): boolean =>
      type === "snapshot" && (payload.viewers ?? []).length === count;
  const placesIn = ({ payload }: WorldMessage): readonly (readonly number[])[] =>
    (payload.viewers ?? []).map(({ pos }: { pos: number[] }) => pos);
  await using one = await enterWorld(atrium);
  await using two = await enterWorld(atrium);
  await one.ask("player_pos", { pos: [1.5, 7, 2.25] });
  await two.ask("player_pos", { pos: [1.5, 0, 2.25] });
  const [first = [], second = []] = placesIn(await watcher.first(shows(2)));
  assert.deepEqual(first, [1.5, 0, 2.25]);
  const [x = 0, , z = 0] = second;
  const apart = Math.hypot(x - 1.5, z - 2.25);
  assert.ok(apart >= 0.5 && apart < 2, `${apart} m`);
  // The same again is no news.
  const before = watcher.told("snapshot").length;
  await two.ask("player_pos", { pos: [1.5, 0, 2.25] });
  await two.ask("player_pos", { pos: [1.5, 0, 2.25] });
  const alone = watcher.next(shows(1));
  one.socket.close();
  assert.deepEqual(placesIn(await alone), [second]);
  assert.equal(watcher.told("snapshot").length, before + 1);
});

test("[WORLD-11] an agent that needs someone comes to the nearest viewer", async () => {
  await using atrium = await openTestAtrium();
  await using far = await enterWorld(atrium);
  await using near = await enterWorld(atrium);
  const { tasks } = await plannedProject(near, "A page [[ask: Which? | This | That]]");
  const places = [
    [4, 0, 3],
    [-4, 0, -3],
  ] as const;
  await far.ask("player_pos", { pos: places[0] });
  await near.ask("player_pos", { pos: places[1] });
  await near.ask("assign_task", { task_id: tasks[0], agent_id: "agent_eng_1" });
  const { payload } = await near.first((told) => told.payload.goal?.kind === "seek_decision");
  const [from, to] = [payload.path[0], payload.path.at(-1)];
  const away = (place: readonly number[], other: readonly number[]): number =>
    Math.hypot((place[0] ?? 0) - (other[0] ?? 0), (place[2] ?? 0) - (other[2] ?? 0));
  const [nearest = [0, 0, 0]] = places.toSorted((a, b) => away(a, from) - away(b, from));
  assert.ok(away(nearest, to) < 2.5, JSON.stringify(payload.path));
});

test("[WORLD-11] where the player is seen is in the next snapshot and nowhere else", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using other = await enterWorld(atrium);
  const seq = other.told("snapshot").at(-1)?.payload.seq;
  const seen = other.nextOf("snapshot");
  await peer.ask("player_pos", { pos: [1.5, 0, 2.25], facing: [1, 0, 0] });
  const { payload } = await seen;
  assert.deepEqual(payload.player, { pos: [1.5, 0, 2.25], facing: [1, 0, 0] });
  assert.equal(payload.seq, seq);
});
