import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { AcpStep } from "../../../../../test/kit/acp-agent.ts";
import { isAlive } from "../../../../../test/kit/processes.ts";
import { descendantsOf } from "../../confinement/process-tree.ts";
import type { AcpSettings } from "./acp-settings.ts";
import { failureIn, openStage } from "./testing/acp-stage.ts";

async function reasonOf(
  more: Partial<AcpSettings>,
  abilities: readonly string[] = [],
  steps: readonly AcpStep[] = [],
): Promise<string> {
  await using stage = openStage(abilities, more);
  const { kind, reason } = failureIn(await stage.play(steps));
  assert.equal(kind, "unavailable");
  return reason;
}

const shell = (script: string): Partial<AcpSettings> => ({ command: ["sh", "-c", script] });

test("[ACP-15] an agent that hangs at its start is told of, with what it printed", async () => {
  assert.match(
    await reasonOf({ ...shell("sleep 1000"), startTimeoutMs: 200 }),
    /^"sh" was not ready after 0.2 s\. .* Does its command start it as an ACP agent\?$/,
  );
  assert.match(
    await reasonOf({ ...shell("echo Welcome to Tides; exec sleep 1000"), startTimeoutMs: 1_000 }),
    /It printed "Welcome to Tides"\./,
  );
});

test("[ACP-15] an agent that prints garbage is ended without waiting for it", async () => {
  const garbage = shell("exec yes '\u001B[2J the sea is wide'");
  const reason = await reasonOf(garbage);
  assert.match(reason, /^"sh" does not speak ACP\. It printed "␛\[2J the sea is wide/);
  assert.ok(reason.length < 400, reason);
});

test("[ACP-15] what an agent prints besides its messages does it no harm", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-acp-"));
  const script = join(folder.path, "agent.sh");
  await using plain = openStage();
  const agent = new URL("../../../../../test/kit/acp-agent.ts", import.meta.url).pathname;
  writeFileSync(script, `echo Update available; echo; exec "${process.execPath}" "${agent}"\n`);
  await using stage = openStage([], { command: ["sh", script] });
  assert.equal(await stage.say({ say: "high" }), await plain.say({ say: "high" }));
});

test("[ACP-15] an agent that dies at its start, speaks an old protocol or may not be run is told of", async () => {
  assert.match(
    await reasonOf(shell("echo no tide >&2; exit 3")),
    /exit code 3:\nno tide\nRun its command/,
  );
  assert.match(
    await reasonOf({}, ["old"]),
    /speaks version 0 of ACP, and Atrium speaks version 1\. Update "/,
  );
  assert.match(await reasonOf({ command: ["/etc/passwd"] }), /may not be run\. .*chmod \+x/);
});

test("[ACP-15] a login that is missing is told of, with how this program is logged in", async () => {
  const refuse = [{ refuse: "Authentication required", code: -32_000 }] as const;
  assert.match(await reasonOf({}, [], refuse), /logged in first\. Start it in a terminal once/);
  assert.match(
    await reasonOf({ program: "copilot" }, [], refuse),
    /Run `copilot login` in a terminal\. \(Authentication required\)$/,
  );
});

test("[ACP-16] with an agent everything ends that it has started, also what ignores being asked", async () => {
  const stage = openStage(["child"]);
  const pid = Number(await stage.say({ tell: "pid" }));
  const all = descendantsOf(pid);
  assert.ok(all.length > 1);
  await stage[Symbol.asyncDispose]();
  assert.deepEqual(all.filter(isAlive), []);
});
