import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestTime } from "@atrium/core/testing";
import * as fc from "fast-check";
import { LiveOutput } from "./live-output.ts";
import { TerminalText } from "./terminal-text.ts";

const SECRET = "a-token-that-nobody-may-read";
const ESC = "\u001B";

function openOutput(secret = SECRET) {
  const time = createTestTime(0);
  const told: string[] = [];
  const live = new LiveOutput({
    timers: time.timers,
    secrets: () => [secret],
    publish: (text) => void told.push(text),
  });
  return { live, told, time };
}

test("[TOOL-14] output is told a few times a second, in order, and to its end", () => {
  const { live, told, time } = openOutput();
  live.add("one ");
  live.add("two ");
  assert.deepEqual(told, []);
  time.advance(100);
  live.add("three");
  live.end();
  assert.deepEqual(told, ["one two ", "three"]);
  assert.equal(time.pending, 0);
});

test("[TOOL-14] a secret is masked, in whatever pieces it comes", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 60 }), { maxLength: 12 }), fc.boolean(), (cuts, waits) => {
      const { live, told, time } = openOutput();
      const text = `before ${SECRET} between ${ESC}[1m${SECRET}${ESC}[0m after\n`;
      let from = 0;
      for (const to of [...cuts.toSorted((a, b) => a - b), text.length]) {
        live.add(text.slice(from, to));
        from = Math.max(from, to);
        if (waits) time.advance(100);
      }
      live.end();
      // A letter or two may be out before it is known what they begin.
      const out = "a?-?t?\\[key\\]";
      assert.match(told.join(""), new RegExp(`^before ${out} between ${out} after\n$`));
    }),
  );
});

test("[TOOL-14] a flood is cut to what can be read, and says how much is missing", () => {
  const { live, told, time } = openOutput();
  const chunk = "y\n".repeat(32_768);
  for (let n = 0; n < 1_600; n++) live.add(chunk);
  time.advance(100);
  assert.equal(told.length, 1);
  const left = 1_600 * chunk.length - 16_384;
  assert.ok(told[0]?.endsWith(`y\n\n… ${left} characters left out …\n`));
  assert.ok((told[0]?.length ?? 0) < 16_500);
});

test("[TOOL-14] what a gap cuts in two is not shown, neither its beginning nor its end", () => {
  const long = Array.from({ length: 40 }, (_, n) => `a${n}`).join("-");
  for (const secret of [SECRET, long]) {
    for (const cut of [1, 8, secret.length - 1]) {
      const { live, told, time } = openOutput(secret);
      live.add(`${"x".repeat(16_384 - cut)}${secret.slice(0, cut)}`);
      live.add("left out");
      time.advance(100);
      live.add(`${secret.slice(-cut)}${".".repeat(200)}${secret} the end`);
      live.end();
      const shown = told.join("");
      assert.match(shown, /xa?\n… 8 characters left out …\n\.+\[key\] the end$/);
      if (cut > 3) assert.ok(!shown.includes(secret.slice(0, cut)));
    }
  }
});

test("[TOOL-14] what would move, color, hide or turn round is taken out, in whatever pieces it comes", () => {
  const text = [
    `${ESC}[31mred${ESC}[0m`,
    `${ESC}]0;a title\u0007${ESC}]8;;https://a.test${ESC}\\link${ESC}]8;;${ESC}\\`,
    `${ESC}[2J${ESC}[1;1H${ESC}(B${ESC}c${ESC}7${ESC}Pdevice${ESC}\\`,
    "10%\r20%\r\nback\b\u202Eturned\u0000\u009B1m😀",
  ].join(" ");
  const expected = "red link  10%\n20%\nbackturned1m😀";
  fc.assert(
    fc.property(fc.array(fc.nat({ max: text.length }), { maxLength: 20 }), (cuts) => {
      const terminal = new TerminalText();
      let [from, shown] = [0, ""];
      for (const to of [...cuts.toSorted((a, b) => a - b), text.length]) {
        shown += terminal.add(text.slice(from, to));
        from = to;
      }
      assert.equal(shown + terminal.end(), expected);
    }),
    { numRuns: 500 },
  );
});

test("[TOOL-14] a sequence that never ends hides no more than a little", () => {
  const terminal = new TerminalText();
  let shown = terminal.add(`${ESC}]0;`);
  for (let n = 0; n < 10; n++) shown += terminal.add("x".repeat(1_000));
  assert.ok(shown.length > 4_000);
  assert.ok(!shown.includes(ESC));
});
