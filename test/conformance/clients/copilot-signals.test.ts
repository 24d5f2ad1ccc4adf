/** The real Copilot CLI with the hooks of `atrium signals install copilot`. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startServer } from "../../kit/server-process.ts";
import { SignalEvents } from "../../kit/signals.ts";
import { copilot } from "../kit/copilot-program.ts";
import { openJoinedStage, submit } from "../kit/joined-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";

const needed = findAgentProgram("copilot-1.0.102");
const { skip } = needed;

test(
  "[CLI-61] Copilot CLI tells by hooks in its settings what it does, and asks nobody but its user",
  { skip },
  async () => {
    await using stage = await openJoinedStage(copilot(needed.path()));
    const settings = stage.settings(".copilot/settings.json", '{\n   "theme":   "dark" }\n');
    const installed = await stage.cli("signals", "install", "copilot");
    assert.equal(installed.code, 0, installed.stderr);
    await using server = await startServer(stage.home);
    await using events = await SignalEvents.open(server, "?after=0&source=adapter:copilot");
    const seen = () => events.events.map((event) => event.data);
    {
      await using terminal = stage.start();
      await terminal.shows(/Do you trust the files/);
      terminal.type("\r");
      await terminal.shows(/Manual Approval/);
      await submit(terminal, "Run: touch seen.txt");
      await events.until(() => seen().some(({ payload }) => payload["to"] === "waiting"));
      await terminal.shows(/Do you want to run/);
      terminal.type("\r");
      await events.until(() => seen().some(({ type }) => type === "completion"));
      assert.ok(existsSync(join(stage.project, "seen.txt")));
      await submit(terminal, "/exit");
      await events.until(() => seen().some(({ payload }) => payload["reason"] === "user_exit"));
    }
    const types = seen().map(({ type }) => type);
    for (const type of ["task_dispatch", "tool_call", "tool_result", "completion"]) {
      assert.ok(types.includes(type), `${type} of ${types.join()}`);
    }
    const result = seen().find(({ type }) => type === "tool_result");
    assert.equal(result?.payload["success"], true);
    assert.equal(new Set(seen().map(({ correlationId }) => correlationId)).size, 1);
    const file = join(stage.userHome, ".copilot/settings.json");
    assert.match(readFileSync(file, "utf8"), /hook\.sh/);
    const removed = await stage.cli("signals", "install", "copilot", "--remove");
    assert.equal(removed.code, 0, removed.stderr);
    assert.ok(settings.isAsBefore());
  },
);
