import assert from "node:assert/strict";
import { test } from "node:test";
import { TestSource } from "../../shell/testing/test-source.ts";
import { openSignalFeed } from "./signal-feed.ts";
import { addressOf, readFilter, streamPath } from "./signal-filter.ts";

const note = (message: string): string =>
  JSON.stringify({ id: message, type: "note", timestamp: 1, source: "t", payload: { message } });

test("[WEB-130] while it is paused signals wait and are counted; going on shows them", () => {
  const source = new TestSource();
  const due: (() => void)[] = [];
  const feed = openSignalFeed(() => "/stream", {
    open: () => source.asEventSource,
    later: (run) => void due.push(run),
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

test("[WEB-129] a filter stands in the address, and the log is looked back on only so far", () => {
  const filter = readFilter("?type=tool_*&agent=%20scout%20&source=&other=1");
  assert.deepEqual(filter, { type: "tool_*", agent: "scout" });
  assert.equal(addressOf(filter), "/signals?type=tool_*&agent=scout");
  assert.equal(addressOf({}), "/signals");
  assert.equal(streamPath(filter, 10), "/api/signals/stream?type=tool_*&agent=scout&after=0");
  assert.equal(streamPath({}, 12_000), "/api/signals/stream?after=10000");
  assert.equal(streamPath({}, 12_000, "11999.1"), "/api/signals/stream?after=11999.1");
});
