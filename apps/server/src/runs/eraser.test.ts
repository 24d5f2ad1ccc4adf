import assert from "node:assert/strict";
import { test } from "node:test";
import { createErasures } from "@atrium/core";
import { openMemoryLog, type Log } from "@atrium/log";
import { createEraser, type EraserDeps } from "./eraser.ts";

const STREAM = "conversation/agent:main:gone";
const LEASE = "lease/director";
const NOTHING = (): void => undefined;

async function grant(log: Log): Promise<number> {
  const data = { node: "a", life: "a1", takenFrom: null };
  const granted = await log.append(LEASE, "any", [{ type: "lease.granted", at: 1, data }]);
  assert.ok(granted.ok);
  return granted.position.seq;
}

/** A log with a conversation that is to be erased, and what is done for that. */
async function openStage(log: Log, changes: Partial<EraserDeps> = {}) {
  const version = await grant(log);
  const said = { messageId: "m", text: "the secret", label: null };
  await log.append(STREAM, 0, [
    { type: "message.injected", at: 2, data: said },
    { type: "conversation.deleted", at: 3, data: { erase: "wanted" } },
  ]);
  const erasures = createErasures();
  for await (const entry of log.read()) erasures.apply(entry);
  const steps: string[] = [];
  const eraser = createEraser({
    log,
    guard: () => ({ stream: LEASE, version }),
    erasures,
    projections: { refold: async () => void steps.push("refold") },
    blobs: { remove: async () => undefined },
    forgetWork: async () => undefined,
    forget: () => void steps.push("forget"),
    note: NOTHING,
    report: assert.ifError,
    ...changes,
  });
  return { eraser, steps };
}

async function isErased(log: Log): Promise<boolean> {
  const texts = await Array.fromAsync(log.read(), ({ data }) => JSON.stringify(data));
  return !texts.some((text) => text.includes("the secret"));
}

test("[NODE-3] whoever may erase does so, and everyone lets go of what they had", async () => {
  await using log = openMemoryLog();
  const { eraser, steps } = await openStage(log);
  await eraser.run();
  assert.equal(await isErased(log), true);
  assert.deepEqual(steps, ["forget", "refold", "refold"]);
  const [deleted] = await Array.fromAsync(log.read({ stream: STREAM, backwards: true, limit: 1 }));
  assert.deepEqual(deleted?.data, { erase: "done" });
});

test("[NODE-3] a director that is stopped inside an erasure and wakes after another took over erases nothing", async () => {
  await using log = openMemoryLog();
  const forgetWork = async (): Promise<void> => void (await grant(log));
  const { eraser, steps } = await openStage(log, { forgetWork });
  const before = await Array.fromAsync(log.read({ stream: STREAM }));
  await eraser.recover();
  assert.deepEqual(await Array.fromAsync(log.read({ stream: STREAM })), before);
  assert.deepEqual(steps, []);
});

test("[NODE-3] one that is stopped between the words and the mark leaves the mark to the next", async () => {
  await using log = openMemoryLog();
  const { eraser } = await openStage(log, {
    projections: { refold: async () => void (await grant(log)) },
  });
  await eraser.run();
  assert.equal(await isErased(log), true);
  const [deleted] = await Array.fromAsync(log.read({ stream: STREAM, backwards: true, limit: 1 }));
  assert.deepEqual(deleted?.data, { erase: "wanted" });
});
