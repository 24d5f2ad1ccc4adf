import assert from "node:assert/strict";
import { test } from "node:test";
import { createEventParser } from "./event-stream-source.ts";

test("[WEB-4] a stream is read as the browser reads one, however it is cut", () => {
  const text =
    ': hello\n\ndata: a\nid: 1\n\nevent: reset\r\ndata: {"x": 1}\r\n\r\ndata: b\ndata:c\n\ndata: cut';
  for (let size = 1; size <= text.length; size++) {
    const heard: unknown[] = [];
    const parse = createEventParser((...event) => void heard.push(event));
    for (let at = 0; at < text.length; at += size) parse(text.slice(at, at + size));
    assert.deepEqual(
      heard,
      [
        ["message", "a", "1"],
        ["reset", '{"x": 1}', "1"],
        ["message", "b\nc", "1"],
      ],
      `in pieces of ${size}`,
    );
  }
});
