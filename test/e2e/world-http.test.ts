/** The world over plain HTTP: then and now, the timeline, the plan, and what was made. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../kit/atrium.ts";
import { assertWorldMessage, enterWorld, type WorldMessage } from "../kit/world-peer.ts";

const get = (atrium: TestAtrium, path: string, headers: object = {}): Promise<Response> =>
  fetch(new URL(path, atrium.url), {
    headers: { authorization: `Bearer ${atrium.token}`, ...headers },
  });
// Whatever is answered; tests look into it without a schema on purpose.
// oxlint-disable-next-line typescript/no-explicit-any -- see above
const json = async (atrium: TestAtrium, path: string): Promise<any> =>
  (await get(atrium, path)).json();

test("[WORLD-40] [WORLD-41] [WORLD-44] how it was, what happened and how it is agree with what was told live", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await peer.ask("submit_request", { text: "A page" });
  const accepted = await peer.event("request_accepted");
  await peer.event("kickoff_finished");
  const told = peer.told("event").filter(({ payload }) => payload.seq !== undefined);

  const then = await json(atrium, `/api/world/at?seq=${accepted.payload.seq}`);
  assert.deepEqual([then.seq, then.at], [accepted.payload.seq, accepted.ts]);
  assert.equal(then.projects[0].status, "accepted");
  assert.equal(then.tasks.length, 0);
  const { at, walks, ...payload } = then;
  assert.ok(Array.isArray(walks));
  assert.ok(at > 0);
  assertWorldMessage({ type: "snapshot", id: "snap_1", ts: 1, v: 1, payload });
  assert.deepEqual(await json(atrium, `/api/world/at?seq=${accepted.payload.seq}`), then);
  assert.equal((await json(atrium, "/api/world/at?seq=1")).projects.length, 0);
  for (const wrong of ["seq=x", "time=now", "ahead=-1"]) {
    assert.equal((await get(atrium, `/api/world/at?${wrong}`)).status, 400, wrong);
  }

  const after = told[0]!.payload.seq - 1;
  const page = await json(atrium, `/api/world/events?after=${after}&limit=3`);
  assert.deepEqual([page.messages, page.has_more], [told.slice(0, 3), true]);
  const rest = await json(atrium, `/api/world/events?after=${page.next}`);
  const all = [...page.messages, ...rest.messages];
  assert.deepEqual(all.slice(0, told.length), told);
  for (const message of all) assertWorldMessage(message);
  const back = await json(atrium, `/api/world/events?before=${told[2]!.payload.seq}&limit=2`);
  assert.deepEqual(
    back.messages.map(({ id }: WorldMessage) => id),
    told.slice(0, 2).map(({ id }) => id),
  );
  const goals = await json(atrium, `/api/world/events?after=${after}&goals=1&chat=1`);
  assert.ok(goals.messages.some(({ type }: WorldMessage) => type === "agent_goal"));

  const now = await json(atrium, "/api/office");
  assert.equal(now.projects[0].status, "planned");
  assert.equal(now.agents.length, 6);
});

test("[WORLD-42] the plan of the office is there, for whoever has the token", async () => {
  await using atrium = await openTestAtrium();
  const scene = await json(atrium, "/api/world/scene");
  assert.equal(scene.scene_id, "cozy_office_v0");
  assert.ok(scene.pois.length > 8 && scene.navigation.blocked.length > 0);
  for (const path of ["/api/world/scene", "/api/world/at", "/api/office", "/api/artifacts/art_1"]) {
    assert.equal((await fetch(new URL(path, atrium.url))).status, 401, path);
  }
});

test("[WORLD-43] what was made is served as it is, locked up, once per version", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await peer.ask("submit_request", { text: "A page" });
  const { payload } = await peer.event("kickoff_finished");
  await peer.ask("auto_assign", { project_id: payload.project_id });
  const made = await peer.event("artifact_created");
  const { artifact_id } = made.payload;
  const about = await json(atrium, `/api/artifacts/${artifact_id}`);
  assert.equal(about.versions.length, 1);
  const response = await get(atrium, `/api/artifacts/${artifact_id}/1`);
  const text = await response.text();
  assert.equal(Buffer.byteLength(text), about.versions[0].bytes);
  const { headers } = response;
  assert.equal(headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.match(headers.get("content-security-policy") ?? "", /sandbox/);
  const etag = headers.get("etag") ?? "";
  assert.equal(etag, `"${about.versions[0].digest}"`);
  const again = await get(atrium, `/api/artifacts/${artifact_id}/latest`, {
    "if-none-match": etag,
  });
  assert.equal(again.status, 304);
  assert.equal((await get(atrium, `/api/artifacts/${artifact_id}/2`)).status, 404);
  assert.equal((await get(atrium, "/api/artifacts/art_none")).status, 404);
});
