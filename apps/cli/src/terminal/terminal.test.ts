import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { openTerminal } from "./terminal.ts";

/** As much of a stream as is looked at. */
function stream(isTTY: boolean): NodeJS.WriteStream & NodeJS.ReadStream {
  return Object.assign(new PassThrough(), { isTTY, columns: 100 }) as never;
}

test("[CLI-5] colors are for terminals, each stream by itself, and not with NO_COLOR", () => {
  const paintedBy = (outIsTty: boolean, errIsTty: boolean, env: Record<string, string>) => {
    const terminal = openTerminal(stream(false), stream(outIsTty), stream(errIsTty), env);
    return [terminal.paint, terminal.errPaint].map(({ bad }) => bad("x") !== "x");
  };
  assert.deepEqual(paintedBy(true, true, {}), [true, true]);
  assert.deepEqual(paintedBy(false, true, {}), [false, true]);
  assert.deepEqual(paintedBy(true, false, {}), [true, false]);
  assert.deepEqual(paintedBy(true, true, { NO_COLOR: "1" }), [false, false]);
  assert.deepEqual(paintedBy(true, true, { NO_COLOR: "" }), [true, true]);
  assert.deepEqual(paintedBy(true, true, { TERM: "dumb" }), [false, false]);
});
