import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { createTestTime } from "@atrium/core/testing";
import { MAX_KEPT_BYTES } from "../platform/long-text.ts";
import { OutputPace } from "./output-pace.ts";

test("[CONFINE-4] what is kept is read at once, the rest at 20 MB a second", () => {
  const time = createTestTime(0);
  const pipes = [new PassThrough(), new PassThrough()];
  const pace = new OutputPace(pipes, time.timers);
  const chunk = 65_536;
  let read = 0;
  const readUntilPaused = (): void => {
    for (; !pipes.every((pipe) => pipe.isPaused()); read += chunk) pace.count(chunk);
  };
  readUntilPaused();
  assert.equal(read, MAX_KEPT_BYTES);
  for (let n = 0; n < 20; n++) {
    time.advance(50);
    assert.ok(pipes.every((pipe) => !pipe.isPaused()));
    readUntilPaused();
  }
  assert.equal(read - MAX_KEPT_BYTES, 20 * 1024 * 1024);
});
