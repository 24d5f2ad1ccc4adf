/** The world over plain HTTP: then and now, the timeline, the plan, and what was made. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { assertWorldMessage, enterWorld, type WorldMessage } from "../../kit/world-peer.ts";

const get = (atrium: TestAtrium, path: string, headers: object = {}): Promise<Response> =>
  fetch(new URL(path, atrium.url), {
    headers: { authorization: `Bearer ${atrium.token}`, ...headers },
  });
// Whatever is answered; tests look into it without a schema on purpose.
// oxlint-disable-next-line typescript/no-explicit-any -- see above
const json = async (atrium: TestAtrium, path: string): Promise<any> =>
  (await get(atrium, path)).json();

test("[WORLD-20] [WORLD-21] how it was, what happened and how it is agree with what was told live", async () => {
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

test("[WORLD-20] the plan of the office is there, for whoever has the token", async () => {
  await using atrium = await openTestAtrium();
  const scene = await json(atrium, "/api/world/scene");
  assert.equal(scene.scene_id, "cozy_office_v0");
  assert.ok(scene.pois.length > 8 && scene.navigation.blocked.length > 0);
  // A cell is a place: from the corner of the grid, in steps of its size.
  const { origin, cell_size, cols, rows } = scene.navigation;
  assert.deepEqual(
    [origin[0] + cols * cell_size, origin[1] + rows * cell_size],
    [scene.size.width / 2, scene.size.depth / 2],
  );
  for (const path of ["/api/world/scene", "/api/world/at", "/api/office", "/api/artifacts/art_1"]) {
    assert.equal((await fetch(new URL(path, atrium.url))).status, 401, path);
  }
});

test("[WORLD-22] what was made is served as it is, locked up, once per version", async () => {
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

test("[WORLD-22] what a browser might run is a download of bytes without a type", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const script = "<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>";
  const files = [
    { name: "page.html", mediaType: "text/html", content: script },
    { name: "picture.svg", mediaType: "image/svg+xml", content: script },
    { name: "code.js", mediaType: "text/javascript", content: "1" },
  ];
  const tools = files.map((file) => `[[tool: deliver_artifact ${JSON.stringify(file)}]]`);
  await peer.ask("submit_request", { text: `A page ${tools.join(" ")}` });
  const { project_id } = (await peer.event("kickoff_finished")).payload;
  await peer.ask("auto_assign", { project_id });
  for (const { name, content } of files) {
    const { artifact_id } = (await peer.first(({ payload }) => payload.title === name)).payload;
    const { headers, body } = await get(atrium, `/api/artifacts/${artifact_id}/latest`);
    assert.equal(await new Response(body).text(), content);
    assert.equal(headers.get("content-type"), "application/octet-stream", name);
    assert.match(headers.get("content-disposition") ?? "", /^attachment;/, name);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("content-security-policy"), "default-src 'none'; sandbox");
  }
});

test("[WORLD-21] tools used for a task are told to those who ask, and can be read again", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using other = await enterWorld(atrium);
  await other.subscribe({ calls: true });
  const odd = JSON.stringify({ q: `<b>\u202Etide\u0007</b> ${"x".repeat(5_000)}` });
  await peer.ask("submit_request", { text: `A page [[tool: now {}]] [[tool: no_such ${odd}]]` });
  const { project_id } = (await peer.event("kickoff_finished")).payload;
  await peer.ask("auto_assign", { project_id });
  const isFailed = ({ payload }: WorldMessage): boolean =>
    payload.name === "tool_returned" && payload.tool === "no_such";
  const failed = await other.first(isFailed);
  const { task_id, agent_id } = failed.payload;
  assert.match(agent_id, /^agent_/);
  assert.equal(failed.payload.is_error, true);
  const told = other.told("event").filter(({ payload }) => payload.task_id === task_id);
  assert.deepEqual(
    told.map(({ payload }) => [payload.name, payload.tool, payload.project_id]),
    ["now", "no_such"].flatMap((tool) => [
      ["tool_called", tool, project_id],
      ["tool_returned", tool, project_id],
    ]),
  );
  const [, came, asked] = told.map(({ payload }) => payload);
  assert.match(came.text, /"utc"/);
  assert.match(asked.input, /^\{"q":"<b>tide/);
  assert.deepEqual([asked.input.length < 4_001, asked.is_cut], [true, true]);
  const read = await json(atrium, `/api/world/tasks/${task_id}/calls`);
  assert.deepEqual(read.messages, told);
  for (const message of read.messages) assertWorldMessage(message);
  assert.equal((await get(atrium, "/api/world/tasks/task_none_1/calls")).status, 404);
  assert.ok(peer.told("event").every(({ payload }) => !payload.name.startsWith("tool_")));
  const without = await json(atrium, "/api/world/events?after=0&limit=1000");
  assert.ok(
    without.messages.every(({ payload }: WorldMessage) => !payload.name.startsWith("tool_")),
  );
  const all = await json(atrium, "/api/world/events?after=0&limit=1000&calls=1");
  const again = all.messages.filter(({ payload }: WorldMessage) =>
    payload.name.startsWith("tool_"),
  );
  assert.deepEqual(again, told);
  assert.deepEqual(atrium.faults, []);
});
