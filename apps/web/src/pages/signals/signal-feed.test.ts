import assert from "node:assert/strict";
import { test } from "node:test";
import { TestSource } from "../../shell/testing/test-source.ts";
import { openSignalFeed } from "./signal-feed.ts";
import { addressOf, earlierPath, firstEarlier, readFilter, streamPath } from "./signal-filter.ts";

const note = (message: string): string =>
  JSON.stringify({ id: message, type: "note", timestamp: 1, source: "t", payload: { message } });

test("[PAGE-11] while it is paused signals wait and are counted; going on shows them", () => {
  const source = new TestSource();
  const due: (() => void)[] = [];
  const feed = openSignalFeed(() => "/stream", undefined, {
    open: () => source.asEventSource,
    later: (run) => void due.push(run),
    readEarlier: async () => null,
  });
  const pass = (): void => due.splice(0).forEach((run) => run());
  source.tell(note("one"), "1.0");
  source.tell(note("two"));
  assert.equal(due.length, 1, "gathered, not told one by one");
  pass();
  assert.deepEqual(
    feed.store.getState().rows.map(({ position }) => position),
    ["1.0", undefined],
  );
  feed.setPaused(true);
  source.tell(note("three"));
  pass();
  assert.equal(feed.store.getState().rows.length, 2);
  assert.equal(feed.store.getState().waiting, 1);
  feed.setPaused(false);
  assert.equal(feed.store.getState().rows.length, 3);
  assert.equal(feed.store.getState().waiting, 0);
  feed.close();
  assert.equal(source.isClosed, true);
});

test("[PAGE-12] a filter stands in the address, and the log is looked back on only so far", () => {
  const filter = readFilter("?type=tool_*&agent=%20scout%20&source=&other=1");
  assert.deepEqual(filter, { type: "tool_*", agent: "scout" });
  assert.equal(addressOf(filter), "/signals?type=tool_*&agent=scout");
  assert.equal(addressOf({}), "/signals");
  assert.equal(streamPath(filter, 10), "/api/signals/stream?type=tool_*&agent=scout&after=0");
  assert.equal(streamPath({}, 12_000), "/api/signals/stream?after=10000");
  assert.equal(streamPath({}, 12_000, "11999.1"), "/api/signals/stream?after=11999.1");
});

test("[PAGE-12] what is older comes before what is there, page after page, until there is nothing older", async () => {
  const source = new TestSource();
  const due: (() => void)[] = [];
  const asked: string[] = [];
  const pages = [["4.0", "4.1"], ["2.0"]];
  let isBroken = true;
  const feed = openSignalFeed(() => "/stream", firstEarlier(2_004), {
    open: () => source.asEventSource,
    later: (run) => void due.push(run),
    async readEarlier(before) {
      asked.push(before);
      if (isBroken) return null;
      const page = pages.shift() ?? [];
      const signals = page.map((position) => ({ position, signal: JSON.parse(note(position)) }));
      return { signals, ...(pages.length > 0 && { next: page[0] ?? "" }) };
    },
  });
  source.tell(note("5.0"), "5.0");
  for (const run of due.splice(0)) run();
  assert.equal(await feed.readEarlier(), false);
  isBroken = false;
  assert.deepEqual(await Promise.all([feed.readEarlier(), feed.readEarlier()]), [true, true]);
  await feed.readEarlier();
  await feed.readEarlier();
  const { rows, earlier } = feed.store.getState();
  assert.deepEqual(
    rows.map(({ position }) => position),
    ["2.0", "4.0", "4.1", "5.0"],
  );
  assert.equal(new Set(rows.map(({ key }) => key)).size, 4);
  assert.deepEqual([asked, earlier], [["5.0", "5.0", "4.0"], undefined]);
  assert.equal(firstEarlier(2_000), undefined);
  assert.equal(earlierPath({ type: "x" }, "4.1"), "/api/signals?type=x&before=4.1&limit=500");
});

test("[PAGE-12] rows that were let go are older, and come back from there", () => {
  const source = new TestSource();
  const due: (() => void)[] = [];
  const feed = openSignalFeed(() => "/stream", undefined, {
    open: () => source.asEventSource,
    later: (run) => void due.push(run),
    readEarlier: async () => null,
  });
  for (let seq = 1; seq <= 5_003; seq++) {
    source.tell(note(String(seq)), `${seq}.0`);
    if (seq === 1) for (const run of due.splice(0)) run();
  }
  for (const run of due.splice(0)) run();
  const { rows, earlier } = feed.store.getState();
  assert.deepEqual([rows.length, rows[0]?.position, earlier], [5_000, "4.0", "4.0"]);
});
