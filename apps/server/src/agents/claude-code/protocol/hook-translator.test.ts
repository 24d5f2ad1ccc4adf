import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProcessEvent } from "./claude-process.ts";
import { HookTranslator } from "./hook-translator.ts";

const PROMPT = { prompt_id: "p1" };
const BASH = { ...PROMPT, tool_name: "Bash", tool_input: { command: "ls" } };
const stays = new AbortController().signal;

interface Scene {
  readonly heard: ProcessEvent[];
  readonly hook: (event: string, body: object, left?: AbortSignal) => Promise<object | undefined>;
  readonly translator: HookTranslator;
}

async function open(): Promise<Scene> {
  const heard: ProcessEvent[] = [];
  const translator = new HookTranslator((one) => heard.push(one));
  const hook: Scene["hook"] = (event, body, left = stays) =>
    translator.take(event, { ...body }, left);
  translator.begin(false);
  await hook("UserPromptSubmit", PROMPT);
  return { heard, hook, translator };
}

const display = (message_id: string, delta: string): object => ({ ...PROMPT, message_id, delta });

test("[CLAUDE-11] what is displayed is what is said, and the end completes it", async () => {
  const { heard, hook } = await open();
  await hook("MessageDisplay", display("m1", "One.\n"));
  await hook("MessageDisplay", display("m2", "Two"));
  await hook("MessageDisplay", { ...display("m9", "of another turn"), prompt_id: "p0" });
  await hook("Stop", { ...PROMPT, last_assistant_message: "Two, and more." });
  assert.deepEqual(heard, [
    { type: "text", delta: "One.\n" },
    { type: "text", delta: "\n\nTwo" },
    { type: "text", delta: ", and more." },
    { type: "ended", ending: { how: "completed", stopReason: "stop" } },
  ]);
});

test("[CLAUDE-11] where nothing is displayed piece by piece, the end has it all", async () => {
  const { heard, hook } = await open();
  await hook("Stop", { ...PROMPT, last_assistant_message: "All of it." });
  assert.deepEqual(heard[0], { type: "text", delta: "All of it." });
});

test("[CLAUDE-6] a permission request is held until it is answered", async () => {
  const { heard, hook, translator } = await open();
  await hook("PreToolUse", { ...BASH, tool_use_id: "t1" });
  const allowed = hook("PermissionRequest", BASH);
  const [, wanted] = heard;
  assert.ok(wanted?.type === "permission.wanted" && wanted.tool === "Bash");
  translator.permit(wanted.id, { behavior: "allow" });
  assert.deepEqual(await allowed, {
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
  });
  await hook("PostToolUse", { ...BASH, tool_use_id: "t1", tool_response: { stdout: "a\n" } });
  assert.deepEqual(heard.slice(2), [
    { type: "tool.returned", id: "t1", text: "a", isError: false },
  ]);
});

test("[CLAUDE-6] a call that is refused has returned, though no hook says so", async () => {
  const { heard, hook, translator } = await open();
  await hook("PreToolUse", { ...BASH, tool_use_id: "t1" });
  const denied = hook("PermissionRequest", BASH);
  translator.permit("permission_1", { behavior: "deny", message: "No." });
  assert.match(JSON.stringify(await denied), /"behavior":"deny","message":"No\."/);
  assert.deepEqual(heard.at(-1), { type: "tool.returned", id: "t1", text: "No.", isError: true });
});

test("[CLAUDE-6] a request the terminal answered first is withdrawn when its tool has run, or the turn is over", async () => {
  const { heard, hook } = await open();
  const first = hook("PermissionRequest", BASH);
  const second = hook("PermissionRequest", { ...BASH, tool_input: { command: "pwd" } });
  const settled = (): string[] =>
    heard.flatMap((one) => (one.type === "permission.settled" ? [one.id] : []));
  await hook("PostToolUse", { ...BASH, tool_use_id: "t1", tool_response: "a" });
  assert.deepEqual(settled(), ["permission_1"]);
  assert.equal(await first, undefined);
  await hook("Stop", PROMPT);
  assert.deepEqual(settled(), ["permission_1", "permission_2"]);
  assert.equal(await second, undefined);
});

test("[CLAUDE-6] a request whose asker has left is withdrawn", async () => {
  const { heard, hook } = await open();
  const left = new AbortController();
  const asked = hook("PermissionRequest", BASH, left.signal);
  left.abort();
  assert.equal(await asked, undefined);
  assert.deepEqual(heard.at(-1), { type: "permission.settled", id: "permission_1" });
});

test("[CLAUDE-11] a failure ends the turn with its kind", async () => {
  const { heard, hook } = await open();
  await hook("StopFailure", { ...PROMPT, error: "rate_limit", last_assistant_message: "Later." });
  const [last] = heard.slice(-1);
  assert.ok(last?.type === "ended" && last.ending.how === "failed");
  assert.equal(last.ending.kind, "rate_limit");
  assert.match(last.ending.reason, /Later\./);
});

const ADDED = (hookEventName: string, text: string): object => ({
  hookSpecificOutput: {
    hookEventName,
    additionalContext: `The person you work for has added this to what you are at:\n\n${text}`,
  },
});

test("[CLAUDE-18] what is added goes with the next result of a tool of its own, once", async () => {
  const { heard, hook, translator } = await open();
  assert.ok(translator.add("the moon"));
  assert.equal(await hook("PreToolUse", { ...BASH, tool_use_id: "t1" }), undefined);
  const result = { ...BASH, tool_use_id: "t1", tool_response: "a" };
  assert.equal(await hook("PostToolUse", { ...result, agent_id: "a1" }), undefined);
  assert.deepEqual(await hook("PostToolUse", result), ADDED("PostToolUse", "the moon"));
  assert.deepEqual(heard.at(-1), { type: "heard", text: "the moon" });
  assert.equal(await hook("PostToolUse", result), undefined);
});

test("[CLAUDE-18] without a tool the turn goes on with it, and what comes after the end is for a new message", async () => {
  const { heard, hook, translator } = await open();
  assert.ok(translator.add("the moon"));
  const end = { ...PROMPT, last_assistant_message: "High." };
  assert.deepEqual(await hook("Stop", end), ADDED("Stop", "the moon"));
  assert.deepEqual(heard, [
    { type: "text", delta: "High." },
    { type: "heard", text: "the moon" },
  ]);
  assert.equal(await hook("Stop", { ...PROMPT, last_assistant_message: "New." }), undefined);
  assert.deepEqual(heard.slice(2), [
    { type: "text", delta: "\n\nNew." },
    { type: "ended", ending: { how: "completed", stopReason: "stop" } },
  ]);
  assert.equal(translator.add("the sun"), false);
  translator.begin(false, "the sun");
  await hook("UserPromptSubmit", { prompt_id: "p2" });
  assert.deepEqual(heard.at(-1), { type: "heard", text: "the sun" });
  await hook("Stop", { prompt_id: "p2", last_assistant_message: "Bright." });
  assert.deepEqual(heard.at(-2), { type: "text", delta: "\n\nBright." });
});
