/** What the hooks of real programs reported, each in a terminal of its own, in one turn with a command. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { messageAnswer, momentOf, verdictAnswer } from "./hook-answer.ts";
import { readHookReport, type HookReport, type HookSetting } from "./hook-report.ts";

const setting: HookSetting = {
  owner: "ann",
  branch: null,
  pid: null,
  requestId: "r1",
  programName: null,
  askingHere: new Set(),
};

function reportsOf(program: string, given: Partial<HookSetting> = {}): readonly HookReport[] {
  const file = join(import.meta.dirname, "testing/recordings", `${program}.jsonl`);
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => readHookReport(JSON.parse(line), { ...setting, ...given }))
    .filter((report) => report !== undefined);
}

const told = (reports: readonly HookReport[]): unknown =>
  reports.map(({ event, activity, tool }) => [event, activity, ...(tool ? [tool.name] : [])]);

function assertOneSession(reports: readonly HookReport[], program: string): void {
  assert.deepEqual([...new Set(reports.map((each) => each.program.id))], [program]);
  assert.equal(new Set(reports.map(({ id }) => id)).size, 1);
  assert.deepEqual([...new Set(reports.map(({ folder }) => folder))], ["/home/dev/project"]);
}

test("[JOIN-30] Qwen Code: it goes on with an empty prompt, and says when it waits for input", () => {
  const reports = reportsOf("qwen");
  assertOneSession(reports, "qwen");
  assert.equal(reports[0]?.model, "test-model");
  assert.deepEqual(told(reports), [
    ["SessionStart", null],
    ["UserPromptSubmit", "working"],
    ["PermissionRequest", "waiting", "run_shell_command"],
    ["Notification", null],
    ["PreToolUse", "working", "run_shell_command"],
    ["PostToolUse", "working", "run_shell_command"],
    ["PromptContinued", "working"],
    ["Stop", "idle"],
    ["Notification", "idle"],
    ["SessionEnd", null],
  ]);
});

test("[JOIN-30] Copilot CLI: its permissions have a shape of their own, and its notice says that it asks", () => {
  const reports = reportsOf("copilot");
  assertOneSession(reports, "copilot");
  assert.deepEqual(told(reports), [
    ["SessionStart", null],
    ["UserPromptSubmit", "working"],
    ["PreToolUse", "working", "Bash"],
    ["PermissionRequest", null, "bash"],
    ["Notification", "waiting"],
    ["PostToolUse", "working", "Bash"],
    ["Stop", "idle"],
    ["SessionEnd", null],
  ]);
  // With its user's word a hook is held, and then someone is asked.
  const asking = reportsOf("copilot", { askingHere: new Set(["codex", "copilot"]) });
  const request = asking.find(({ event }) => event === "PermissionRequest");
  assert.deepEqual([request?.activity, request?.canAsk], ["waiting", true]);
});

test("[JOIN-30] Gemini CLI: its own events are the same moments, and it is never asked here", () => {
  const reports = reportsOf("gemini", {
    programName: "gemini",
    askingHere: new Set(["gemini"]),
  });
  assertOneSession(reports, "gemini");
  assert.deepEqual(told(reports), [
    ["SessionStart", null],
    ["UserPromptSubmit", "working"],
    ["PreToolUse", "working", "run_shell_command"],
    ["Notification", "waiting"],
    ["PostToolUse", "working", "run_shell_command"],
    ["Stop", "idle"],
    ["SessionEnd", null],
  ]);
  assert.ok(reports.every(({ canAsk }) => !canAsk));
});

test("[JOIN-30] each program is given words in the shape that it reads", () => {
  const answers = (program: string, programName: string | null = null): unknown =>
    reportsOf(program, { programName }).flatMap((report) => {
      const moment = momentOf(report.program, report.event);
      return moment === undefined ? [] : [messageAnswer(report, moment, "Hi")];
    });
  const context = (hookEventName: string): unknown => ({
    hookSpecificOutput: { hookEventName, additionalContext: "Hi" },
  });
  const reason = { decision: "block", reason: "Hi" };
  assert.deepEqual(answers("qwen"), [context("UserPromptSubmit"), context("PostToolUse"), reason]);
  const plain = { additionalContext: "Hi" };
  assert.deepEqual(answers("copilot"), [plain, plain, reason]);
  assert.deepEqual(answers("gemini", "gemini"), [
    context("BeforeAgent"),
    context("AfterTool"),
    reason,
  ]);
});

test("[JOIN-30] a verdict is given in the shape that the program reads", () => {
  const [copilot] = reportsOf("copilot");
  const [qwen] = reportsOf("qwen");
  assert.ok(copilot && qwen);
  const allow = { behavior: "allow" } as const;
  assert.deepEqual(verdictAnswer(copilot.program, allow), allow);
  assert.deepEqual(verdictAnswer(qwen.program, allow), {
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: allow },
  });
});
