import assert from "node:assert/strict";
import { test } from "node:test";
import { TestSource } from "../../shell/testing/test-source.ts";
import { openReconnectingStream } from "./reconnecting-stream.ts";

function stage() {
  const opened: { readonly path: string; readonly source: TestSource }[] = [];
  const due: (() => void)[] = [];
  const heard: unknown[] = [];
  const close = openReconnectingStream(
    (id) => `/stream?after=${id ?? "0"}`,
    {
      open: (path) => {
        const source = new TestSource();
        opened.push({ path, source });
        return source.asEventSource;
      },
      later: (run) => void due.push(run),
    },
    {
      onMessage: (data, id) => heard.push([data, id]),
      onConnection: (isHeard) => heard.push(isHeard),
      onReset: () => heard.push("reset"),
    },
  );
  return { opened, due, heard, close };
}

test("[PAGE-1] what the browser gives up is opened again from where it was", () => {
  const { opened, due, heard } = stage();
  const [first] = opened;
  first?.source.tell("a", "4.0");
  first?.source.fail(2);
  assert.deepEqual(heard, [["a", "4.0"], false]);
  for (const run of due.splice(0)) run();
  assert.deepEqual(
    opened.map(({ path }) => path),
    ["/stream?after=0", "/stream?after=4.0"],
  );
});

test("[PAGE-1] while the browser tries by itself nothing else is opened, nor after the end", () => {
  const { opened, due, close } = stage();
  opened[0]?.source.fail(0);
  assert.equal(due.length, 0);
  opened[0]?.source.fail(2);
  close();
  for (const run of due.splice(0)) run();
  assert.equal(opened.length, 1);
  assert.equal(opened[0]?.source.isClosed, true);
});

test("[PAGE-1] what passes has no place of its own", () => {
  const { opened, heard } = stage();
  opened[0]?.source.tell("kept", "4.0");
  opened[0]?.source.tell("passing", "4.0");
  assert.deepEqual(heard, [
    ["kept", "4.0"],
    ["passing", undefined],
  ]);
});

test("[BUILD-17] who is told that its position is of another log begins anew", () => {
  const { opened, due, heard } = stage();
  opened[0]?.source.tell("a", "4");
  opened[0]?.source.dispatchEvent(new Event("reset"));
  opened[0]?.source.fail(2);
  for (const run of due.splice(0)) run();
  assert.deepEqual(heard, [["a", "4"], "reset", false]);
  assert.equal(opened[1]?.path, "/stream?after=0");
});
