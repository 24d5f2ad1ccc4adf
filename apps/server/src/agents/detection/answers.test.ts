/** How long an answer holds, who shares it, and how many programs run at once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openMachine, programIn, touch } from "./testing/machine.ts";

const COUNTED = `echo "$*" >> "$HOME/asked"
if [ "$*" = --version ]; then echo 2.1.325; else echo '{"loggedIn":true}'; fi`;
const MINUTE_MS = 60_000;

test("[DETECT-8] an answer holds until the program is another file, it is too old, or a refresh", async () => {
  await using machine = await openMachine();
  const path = await machine.install("claude", COUNTED);
  let now = 0;
  await using detector = machine.open({ now: () => now });
  const asked = async (isFresh = false): Promise<readonly string[]> => {
    const before = (await machine.lines("asked")).length;
    await detector.detect(isFresh);
    return (await machine.lines("asked")).slice(before);
  };
  const both = ["--version", "auth status"];
  assert.deepEqual(await asked(), both);
  assert.deepEqual(await asked(), []);
  assert.deepEqual(await asked(true), both);
  // People log in while they look, so the login is asked again before the version is.
  now += MINUTE_MS;
  assert.deepEqual(await asked(), ["auth status"]);
  now += 60 * MINUTE_MS;
  assert.deepEqual(await asked(), both);
  await touch(path);
  assert.deepEqual(await asked(), both);
  await machine.install("claude", `${COUNTED}\n# renewed`);
  assert.deepEqual(await asked(), both);
});

test("[DETECT-8] what was broken is asked again after a minute", async () => {
  await using machine = await openMachine();
  await machine.install("claude", `[ -e "$HOME/well" ] || exit 1\n${COUNTED}`);
  let now = 0;
  await using detector = machine.open({ now: () => now });
  const state = async () => programIn(await detector.detect(false), "claude").state;
  assert.equal(await state(), "broken");
  await machine.keep("well", "");
  assert.equal(await state(), "broken");
  now += MINUTE_MS;
  assert.equal(await state(), "ready");
});

test("[DETECT-8] those who ask at the same time share one answer", async () => {
  await using machine = await openMachine();
  await machine.install("claude", COUNTED);
  await using detector = machine.open();
  const detections = await Promise.all(
    [false, true, false, true].map((isFresh) => detector.detect(isFresh)),
  );
  for (const detection of detections) assert.equal(programIn(detection, "claude").state, "ready");
  assert.deepEqual(await machine.lines("asked"), ["--version", "auth status"]);
});

test("[DETECT-8] at most four programs run at once", async () => {
  await using machine = await openMachine();
  for (const name of ["claude", "codex", "opencode", "gemini", "qwen", "copilot", "cline"]) {
    const wait = `echo + >> "$HOME/runs"; sleep 0.2; echo - >> "$HOME/runs"`;
    await machine.install(name, `${wait}; echo 9.9.9`);
  }
  await using detector = machine.open();
  await detector.detect(false);
  let [running, most] = [0, 0];
  for (const line of await machine.lines("runs")) {
    running += line === "+" ? 1 : -1;
    most = Math.max(most, running);
  }
  assert.ok(most <= 4, `${most} at once`);
  assert.equal(running, 0);
});
