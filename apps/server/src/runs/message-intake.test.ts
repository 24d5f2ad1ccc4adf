import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createBlobs } from "../platform/blobs.ts";
import { openStage, says } from "./testing/stage.ts";

const file = (name: string, text: string) => ({
  name,
  mediaType: "text/plain",
  bytes: Buffer.from(text),
});

test("[RUN-11] files reach the turn", async () => {
  await using stage = await openStage(async function* ({ attachments }) {
    const read = attachments.map(({ name, data }) => `${name}=${atob(data)}`);
    yield* says(read.join(" "));
  });
  await stage.send("r1", "look", { files: [file("a.txt", "alpha"), file("b.txt", "beta")] });
  assert.equal((await stage.ended("r1")).text, "a.txt=alpha b.txt=beta");
});

test("[GW-25] a message with files that comes in the middle of a turn has its own, so that they are read", async () => {
  const going = Promise.withResolvers<void>();
  await using stage = await openStage(async function* ({ prompt, attachments }, host) {
    if (prompt === "work") {
      await going.promise;
      return yield* says(`heard ${host.takeSteering().join()}`);
    }
    yield* says(`${prompt} ${attachments.map(({ name }) => name).join()}`);
  });
  await stage.send("r1", "work");
  await stage.happened("run.started", "r1");
  await stage.send("r2", "look", { mode: "steer", files: [file("a.txt", "alpha")] });
  await stage.send("r3", "hurry", { mode: "steer" });
  // What was sent is offered a moment later; only then may the turn go on.
  await new Promise((resolve) => setImmediate(resolve));
  going.resolve();
  assert.equal((await stage.ended("r1")).text, "heard hurry");
  assert.equal((await stage.ended("r2")).text, "look a.txt");
});

test("[RUN-11] too many files or one too big are refused, and nothing is taken", async () => {
  await using stage = await openStage(() => says("never"));
  for (const files of [
    [file("big.txt", "x".repeat(101))],
    ["1", "2", "3"].map((n) => file(n, n)),
  ]) {
    const refused = await stage.send("r1", "look", { files });
    assert.ok(!refused.ok);
    assert.equal(refused.code, "attachment.refused");
  }
  assert.equal(stage.log.head, 0);
});

test("[RUN-10] whoever waits learns how it ended, or how it stands when it waits no longer", async () => {
  const going = Promise.withResolvers<void>();
  await using stage = await openStage(async function* () {
    await going.promise;
    yield* says("done");
  });
  await stage.send("r1", "go");
  const waited = await stage.reports.wait("r1", AbortSignal.timeout(1));
  assert.ok(waited !== undefined && waited.ended === undefined);
  const ended = [stage.ended("r1"), stage.ended("r1")];
  going.resolve();
  for (const each of await Promise.all(ended)) assert.equal(each.text, "done");
  assert.equal(await stage.reports.get("nobody"), undefined);
});

test("[RUN-10] collected messages are answered by the run that collected them", async () => {
  const going = Promise.withResolvers<void>();
  await using stage = await openStage(async function* ({ prompt }) {
    if (prompt === "first") await going.promise;
    yield* says(`re: ${prompt}`);
  });
  await stage.send("r1", "first");
  await stage.happened("run.started", "r1");
  await stage.send("r2", "b", { mode: "collect" });
  await stage.send("r3", "c", { mode: "collect" });
  going.resolve();
  assert.equal((await stage.ended("r3")).text, "re: b\n\nc");
  assert.equal((await stage.ended("r2")).text, "re: b\n\nc");
});

test("[RUN-10] a run of long ago is found in the log", async () => {
  await using stage = await openStage(({ prompt }) => says(prompt));
  await stage.send("old", "then");
  await stage.ended("old");
  for (let n = 0; n < 5_001; n += 500) {
    const ids = Array.from({ length: Math.min(500, 5_001 - n) }, (_, each) => `r${n + each}`);
    await Promise.all(ids.map((id) => stage.send(id, "now", { key: `k-${id}` })));
    for (const id of ids) await stage.ended(id);
  }
  assert.equal(stage.runs.get("old"), undefined);
  assert.equal((await stage.ended("old")).text, "then");
});

test("[RUN-11] what was put away is there again, once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "blobs-"));
  try {
    const bytes = Buffer.from("some bytes");
    const [first, second] = await Promise.all([
      createBlobs(folder).put(bytes),
      createBlobs(folder).put(bytes),
    ]);
    assert.equal(first, second);
    assert.deepEqual(await createBlobs(folder).get(first), bytes);
    const kept = await readdir(folder, { recursive: true });
    assert.equal(kept.length, 2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
