/** Requests and builds that name what to work on, at every door that takes them. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { BuildApi } from "../../kit/builds.ts";
import { codeOf, enterWorld } from "../../kit/world-peer.ts";

const NOT_THERE = ["none", "own-proj_a", "__proto__", "constructor", "../shop", "shop\n", " shop"];

interface Office extends AsyncDisposable {
  readonly atrium: TestAtrium;
}

/** An office whose settings have one repository, `shop`. */
async function openOffice(): Promise<Office> {
  const home = await mkdtemp(join(tmpdir(), "atrium-"));
  const settings = { repositories: { shop: { path: "shop" } } };
  await writeFile(join(home, "atrium.config.json"), JSON.stringify(settings));
  const atrium = await openTestAtrium({ home, limits: { worldCommandBurst: 100 } });
  return {
    atrium,
    async [Symbol.asyncDispose]() {
      await atrium.close();
      await rm(home, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

test("[REPO-1] a request at the world names what to work on, and its project shows it", async () => {
  await using office = await openOffice();
  await using peer = await enterWorld(office.atrium);
  assert.equal(
    (await peer.command("submit_request", { text: "Sell", repository: "shop" })).type,
    "ack",
  );
  assert.equal((await peer.command("submit_request", { text: "Sing" })).type, "ack");
  const { projects } = await worldOf(office.atrium);
  assert.deepEqual(
    projects.map(({ repository }) => repository),
    ["shop", undefined],
  );
});

test("[REPO-2] a request that names what is not there is not found, and nothing is stored", async () => {
  await using office = await openOffice();
  await using peer = await enterWorld(office.atrium);
  const files = [{ name: "a.txt", media_type: "text/plain", data: "aGk=" }];
  for (const repository of NOT_THERE) {
    const request = { text: "Sell", repository, attachments: files };
    const answer = await peer.command("submit_request", request);
    assert.equal(codeOf(answer), "NOT_FOUND", repository);
    assert.match(answer.payload.message, /repository/i);
  }
  for (const repository of ["", "x".repeat(1_000_000), 7, null, ["shop"]]) {
    const answer = await peer.command("submit_request", { text: "Sell", repository });
    assert.equal(codeOf(answer), "VALIDATION_FAILED");
    assert.match(answer.payload.message, /repository/);
  }
  assert.deepEqual((await worldOf(office.atrium)).projects, []);
});

test("[REPO-1] a build names what to work on, over HTTP and at the gateway", async () => {
  await using office = await openOffice();
  const api = new BuildApi(office.atrium);
  const id = await api.start("Build a bot", { repository: "shop" });
  const other = await api.start("Build a bot");
  const peer = await office.atrium.connect();
  const started = await peer.request("build.start", { prompt: "Build a bot", repository: "shop" });
  const shown = await Promise.all(
    [id, other, started.payload.id].map(async (each) => (await api.get(`/${each}`)).body.build),
  );
  assert.deepEqual(
    shown.map(({ repository }) => repository),
    ["shop", undefined, "shop"],
  );
});

test("[REPO-2] a build of what is not there is not started, by either door", async () => {
  await using office = await openOffice();
  const api = new BuildApi(office.atrium);
  const peer = await office.atrium.connect();
  for (const repository of NOT_THERE) {
    const { status, body } = await api.post("", { prompt: "Build a bot", repository });
    assert.equal(status, 404, JSON.stringify(body));
    const answer = await peer.request("build.start", { prompt: "Build a bot", repository });
    assert.equal(answer.ok, false);
    assert.match(JSON.stringify(answer), /repository\.missing/);
  }
  assert.deepEqual((await api.get("")).body.builds, []);
});

async function worldOf({
  url,
  token,
}: TestAtrium): Promise<{ projects: { repository?: string }[] }> {
  const response = await fetch(`${url}api/world/at`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await response.json()) as { projects: { repository?: string }[] };
}
