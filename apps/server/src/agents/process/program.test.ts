import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { acpPrompt } from "../../../../../test/kit/acp-agent.ts";
import { markedProcesses } from "../../confinement/process-tree.ts";
import { openFolders } from "../../confinement/testing/confinement-stage.ts";
import {
  openSandbox,
  openWithoutSandbox,
  skipWithoutSandbox,
} from "../../confinement/testing/sandbox.ts";
import { systemTimers } from "../../platform/timers.ts";
import { createAcpRuntime } from "../acp/acp.ts";
import { createCommandRuntime } from "../command/command.ts";
import { createTestHost } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../testing/turns.ts";
import type { PermissionRequest } from "../turn/agent-runtime.ts";

const root = join(import.meta.dirname, "../../../../..");
const env = { PATH: process.env["PATH"] ?? "", HOME: "/root", SECRET_KEY: "k".repeat(20) };
const skip = skipWithoutSandbox();

test("[AGENT-25] a command works in its workspace and nowhere else", { skip }, async () => {
  await using folders = await openFolders();
  const { folder, store, other, home } = folders;
  const script = `
    pwd; cat; echo; echo made > made.txt
    cat "${other}/secret" "${home}/token" 2> /dev/null || echo kept out
    echo x 2> /dev/null > "${other}/new" || echo kept out
    echo "$ATRIUM_WORKTREE $HOME $SECRET_KEY"
    read -r turn <&3; echo "$turn" | grep -c '"type":"turn"'
    setsid sleep 1000 > /dev/null 2>&1 &`;
  const settings = { command: ["sh", "-c", script], cwd: "/", env };
  const confinement = openSandbox([home]);
  const runtime = createCommandRuntime("script", settings, { timers: systemTimers, confinement });
  const turn = turnOf("Hello?", { workspace: { folder, store } });
  const events = await eventsOf(runtime, turn, createTestHost({ speed: 1 }));
  assert.deepEqual(
    events.at(-1),
    { type: "completed", stopReason: "stop" },
    JSON.stringify(events),
  );
  const expected = [
    folder,
    "Hello?",
    "kept out",
    "kept out",
    `${folder} /tmp/home ${env.SECRET_KEY}`,
    "1",
  ];
  assert.deepEqual(textIn(events).trim().split(/\n+/), expected);
  assert.equal(await readFile(join(folder, "made.txt"), "utf8"), "made\n");
  assert.deepEqual(await readdir(other), ["secret"]);
  assert.deepEqual(markedProcesses(`ATRIUM_WORKTREE=${folder}`), []);
});

test("[AGENT-25] an ACP agent works in its workspace and nowhere else", { skip }, async () => {
  await using folders = await openFolders();
  const { folder, store, other, home } = folders;
  const settings = {
    command: [process.execPath, join(root, "test/kit/acp-agent.ts"), "load"],
    cwd: other,
    env,
    sandbox: { readable: [root] },
  };
  const confinement = openSandbox([home]);
  const runtime = createAcpRuntime("acp", settings, {
    timers: systemTimers,
    confinement,
    newSecret: randomUUID,
  });
  try {
    const workspace = { folder, store };
    const path = join(folder, "notes.txt");
    const steps = [{ write: path, text: "written" }, { read: join(other, "secret") }] as const;
    const turn = turnOf(acpPrompt(...steps, { tell: "env" }), { workspace });
    const text = textIn(await eventsOf(runtime, turn, createTestHost({ speed: 1 })));
    assert.match(text, /refused: .*outside/);
    assert.match(text, /ATRIUM_WORKTREE/);
    assert.equal(await readFile(path, "utf8"), "written");
    // What it wrote by itself is in its workspace, too: it keeps its sessions where it works.
    assert.ok((await readdir(folder)).length > 2, (await readdir(folder)).join());
    assert.deepEqual(await readdir(other), ["secret"]);
    assert.notDeepEqual(markedProcesses(`ATRIUM_WORKTREE=${folder}`), []);
  } finally {
    await runtime.close?.();
  }
  assert.deepEqual(markedProcesses(`ATRIUM_WORKTREE=${folder}`), []);
});

test("[AGENT-25] without a sandbox a person is asked before a program works on files", async () => {
  await using folders = await openFolders();
  const { folder, store, home } = folders;
  const confinement = openWithoutSandbox([home]);
  const asked: PermissionRequest[] = [];
  const settings = { command: ["sh", "-c", "echo hello from $PWD"], cwd: "/", env };
  const runtime = createCommandRuntime("script", settings, { timers: systemTimers, confinement });
  const turn = turnOf("Hello?", { workspace: { folder, store } });
  const answers = ["denied", "allowed"] as const;
  for (const answer of answers) {
    const host = createTestHost({
      speed: 1,
      requestPermission: (request) => {
        asked.push(request);
        return Promise.resolve(answer);
      },
    });
    const events = await eventsOf(runtime, turn, host);
    if (answer === "allowed") assert.equal(textIn(events), `hello from ${folder}\n`);
    else assert.match(JSON.stringify(events.at(-1)), /Nobody allowed \\"sh\\" to run without/);
  }
  assert.equal(asked.length, 2);
  assert.deepEqual(asked[0]?.input, { command: settings.command });
  assert.match(asked[0]?.warning ?? "", /without a sandbox/);
});
