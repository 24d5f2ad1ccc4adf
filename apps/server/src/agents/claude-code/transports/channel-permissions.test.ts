import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProcessEvent } from "../protocol/claude-process.ts";
import { createChannelPermissions } from "./channel-permissions.ts";

test("[CLAUDE-6] with a channel people are asked once: by the hook, or over the bridge where no hook tells", () => {
  let now = 0;
  const due: { readonly at: number; readonly run: () => void }[] = [];
  const channel = createChannelPermissions({
    now: () => now,
    after(ms, run) {
      due.push({ at: now + ms, run });
      return () => undefined;
    },
  });
  const pass = (ms: number): void => {
    now += ms;
    for (const { at, run } of due.splice(0).filter(({ at: when }) => when <= now)) {
      assert.ok(at <= now);
      run();
    }
  };
  const asked: string[] = [];
  const replied: string[] = [];
  const listener = (heard: ProcessEvent): void => {
    if (heard.type === "permission.wanted") asked.push(heard.id);
  };
  channel.listener = listener;
  channel.reply = (code, behavior) => void replied.push(`${code} ${behavior}`);
  const hook = (tool: string): void =>
    channel.onEvent({
      type: "permission.wanted",
      id: "hook",
      tool,
      input: {},
      description: undefined,
      cwd: undefined,
    });
  const request = (code: string, tool: string): void =>
    channel.onRequest({ code, tool, input: {}, rationale: "" });
  hook("Bash");
  request("aaaaa", "Bash");
  request("bbbbb", "Edit");
  hook("Edit");
  pass(2_000);
  assert.deepEqual(asked, [], "the hook has asked about both");
  request("ccccc", "Bash");
  pass(2_000);
  assert.deepEqual(asked, ["ccccc"], "no hook told of this one");
  assert.equal(channel.permit("aaaaa", "allow"), false);
  assert.equal(channel.permit("ccccc", "allow"), true);
  assert.equal(channel.permit("ccccc", "deny"), false, "answered once");
  channel.listener = undefined;
  request("ddddd", "Bash");
  pass(2_000);
  assert.deepEqual(replied, ["ccccc allow", "ddddd deny"]);
});
