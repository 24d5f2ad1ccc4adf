/** What is peculiar to the known programs, with agents that do what those did when they were recorded. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTestHost, type TestHostOptions } from "../testing/test-host.ts";
import { textIn } from "../testing/turns.ts";
import type { PermissionRequest, TurnEvent } from "../turn/agent-runtime.ts";
import { commandWith, programOf } from "./launch/programs.ts";
import { failureIn } from "./testing/acp-stage.ts";
import { openRecordedStage, type RecordedStage } from "./testing/recorded-stage.ts";

const lookup = { name: "look.up", description: "Looks it up", input: { type: "object" } };
const allowed: TestHostOptions = { requestPermission: async () => "allowed" };
const denied: TestHostOptions = { requestPermission: async () => "denied" };

function sent(stage: RecordedStage, method: string) {
  return stage.received().find((message) => message.method === method)?.params;
}

function toolsIn(events: readonly TurnEvent[]): readonly TurnEvent[] {
  return events.filter(({ type }) => type === "tool.called" || type === "tool.returned");
}

function usageIn(events: readonly TurnEvent[]): unknown {
  return events.findLast((event) => event.type === "usage")?.usage;
}

const STOPPED = { type: "completed", stopReason: "stop" };

test("[ACP-8] a program is known by its name in the settings, or by that of its file", () => {
  assert.equal(programOf(undefined, ["/opt/bin/gemini", "--acp"]), programOf("gemini", ["node"]));
  assert.equal(programOf(undefined, ["qwen.cmd"]), programOf("qwen", []));
  assert.equal(programOf(undefined, ["__proto__"]), programOf(undefined, ["agent"]));
  const gemini = programOf("gemini", []);
  assert.deepEqual(commandWith(["gemini", "--acp"], gemini), ["gemini", "--acp", "--skip-trust"]);
  const already = ["gemini", "--skip-trust", "--acp"];
  assert.deepEqual(commandWith(already, gemini), already);
});

test("[ACP-8] Gemini trusts the folder it is started for, and is not offered to read files through us", async () => {
  await using stage = openRecordedStage("gemini");
  assert.equal(textIn(await stage.play()), "ECHO: hello there");
  assert.deepEqual(stage.received()[0], { argv: ["--skip-trust"] });
  const { fs } = sent(stage, "initialize").clientCapabilities;
  assert.deepEqual(fs, { readTextFile: false, writeTextFile: true });
});

test("[ACP-8] Qwen is set to the mode in which people are asked, unless the settings name another", async () => {
  await using stage = openRecordedStage("qwen");
  await stage.play();
  assert.equal(sent(stage, "session/set_config_option").value, "default");
  await using other = openRecordedStage("qwen", { mode: "plan" });
  await other.play();
  const { configId, value } = sent(other, "session/set_config_option");
  assert.deepEqual([configId, value], ["mode", "plan"]);
});

test("[ACP-20] opencode is started so that it asks, with what its runtime hands it", async () => {
  const given = JSON.stringify({ model: "theirs/one" });
  const env = { PATH: process.env["PATH"] ?? "", OPENCODE_CONFIG_CONTENT: given };
  const script = 'printf %s "$OPENCODE_CONFIG_CONTENT" > started-with.json';
  await using stage = openRecordedStage("opencode", { env, command: ["/bin/sh", "-c", script] });
  assert.equal(failureIn(await stage.play()).kind, "unavailable");
  const config = JSON.parse(readFileSync(join(stage.folder, "started-with.json"), "utf8"));
  assert.deepEqual([config.model, config.permission.bash], ["theirs/one", "ask"]);
});

test("[ACP-26] Copilot is started with its model where it has a model server of its own", async () => {
  const env = { PATH: process.env["PATH"] ?? "", COPILOT_PROVIDER_BASE_URL: "http://x" };
  await using stage = openRecordedStage("copilot", { env, model: "other-model" });
  assert.deepEqual((await stage.play()).at(-1), STOPPED);
  assert.deepEqual(stage.received()[0], { argv: ["--model=other-model"] });
  await using hosted = openRecordedStage("copilot", { model: "other-model" });
  assert.match(failureIn(await hosted.play()).reason, /no model "other-model"/);
  assert.deepEqual(hosted.received()[0], { argv: [] });
});

test("[ACP-8] Copilot and Gemini get our tools over HTTP, the others start them", async () => {
  for (const program of ["copilot", "gemini"] as const) {
    await using stage = openRecordedStage(program);
    await stage.play({ tools: [lookup] });
    const [server] = sent(stage, "session/new").mcpServers;
    assert.deepEqual([server.type, server.name], ["http", "atrium"]);
    assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  }
  await using other = openRecordedStage("opencode");
  await other.play({ tools: [lookup] });
  assert.equal(sent(other, "session/new").mcpServers[0].command, process.execPath);
});

test("[ACP-11] a call that Gemini says nothing more of once it was denied is answered for", async () => {
  await using stage = openRecordedStage("gemini");
  await stage.play();
  const [called, returned] = toolsIn(await stage.play(allowed));
  assert.deepEqual([called?.type, returned?.type], ["tool.called", "tool.returned"]);
  const events = await stage.play(denied);
  assert.deepEqual(
    toolsIn(events).map((event) => (event.type === "tool.returned" ? event.isError : "called")),
    ["called", true],
  );
  assert.equal(textIn(events), "Then not.");
  assert.deepEqual(events.at(-1), STOPPED);
});

test("[ACP-3] what would be done is asked in the program's own words where it gives no input", async () => {
  await using stage = openRecordedStage("gemini");
  const asked: PermissionRequest[] = [];
  await stage.play();
  await stage.play({
    requestPermission: async (request) => (asked.push(request), "allowed"),
  });
  assert.deepEqual(asked, [
    {
      tool: "execute",
      input: "touch sh.txt && echo ok",
      details: `[current working directory ${stage.folder}] (make)`,
      cwd: stage.folder,
      // The title may be less than what would be done.
      mayAlways: false,
    },
  ]);
});

test("[ACP-11] calls are told with the input they are asked for with, by the name of their tool", async () => {
  for (const [program, name, input] of [
    [
      "qwen",
      "run_shell_command",
      { command: "touch sh.txt && echo ok", description: "make", is_background: false },
    ],
    ["opencode", "bash", { command: "touch sh.txt && echo ok", description: "make" }],
    ["copilot", "make", { command: "touch sh.txt && echo ok", description: "make" }],
  ] as const) {
    await using stage = openRecordedStage(program);
    await stage.play();
    const [called, returned, ...more] = toolsIn(await stage.play(allowed));
    assert.ok(called?.type === "tool.called" && returned?.type === "tool.returned", program);
    assert.equal(called.name, name);
    const { cwd: _cwd, ...told } = called.input as Record<string, unknown>;
    assert.deepEqual(told, input);
    assert.match(returned.text, /ok/);
    assert.deepEqual([returned.isError, more], [false, []]);
  }
});

test("[ACP-5] files are written for the program, and its call shows the change", async () => {
  await using stage = openRecordedStage("qwen");
  await stage.play();
  await stage.play(allowed);
  const events = await stage.play(denied);
  const path = join(stage.folder, "ed.txt");
  assert.equal(readFileSync(path, "utf8"), "hello\n");
  const texts = events.flatMap((event) => (event.type === "tool.returned" ? [event.text] : []));
  assert.deepEqual(texts, [
    'Tool "run_shell_command" was canceled by the user.',
    `Wrote ${path}\n+ hello`,
  ]);
});

test("[ACP-4] a turn that the program ends because it was denied something has ended in order", async () => {
  await using stage = openRecordedStage("codex-acp");
  await stage.play();
  await stage.play(allowed);
  const events = await stage.play(denied);
  assert.deepEqual(events.at(-1), STOPPED);
  assert.equal(toolsIn(events).length, 2);
  assert.ok(events.some(({ type }) => type === "progress"));
});

test("[ACP-13] usage is read wherever the program reports it, and is the turn's", async () => {
  const usages = async (program: "opencode" | "gemini" | "qwen" | "copilot" | "codex-acp") => {
    await using stage = openRecordedStage(program);
    const first = usageIn(await stage.play());
    const second = usageIn(await stage.play(allowed));
    return [first, second];
  };
  const usage = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });
  assert.deepEqual(await usages("gemini"), [usage(100, 20), usage(400, 80)]);
  assert.deepEqual(await usages("qwen"), [usage(100, 20), usage(100, 20)]);
  // Its cost of nothing is what it says where it has no price.
  assert.deepEqual(await usages("opencode"), [usage(100, 20), usage(200, 40)]);
  // Copilot counts the session: what it had before is taken off.
  assert.deepEqual(await usages("copilot"), [usage(100, 20), usage(200, 20)]);
  const [codex] = await usages("codex-acp");
  assert.equal((codex as { inputTokens: number }).inputTokens, 120);
});

test("[ACP-14] the model of the settings is used, and the conversation's in its place", async () => {
  await using stage = openRecordedStage("gemini", { model: "gemini-2.5-pro" });
  await stage.play();
  assert.equal(sent(stage, "session/set_model").modelId, "gemini-2.5-pro");
  await using other = openRecordedStage("opencode", { model: "OpenCode Zen/Big Pickle" });
  await other.play();
  const { configId, value } = sent(other, "session/set_config_option");
  assert.deepEqual([configId, value], ["model", "opencode/big-pickle"]);
});

test("[ACP-14] a model or mode that the program does not have is an error that names those it has", async () => {
  await using stage = openRecordedStage("gemini", { model: "gpt-9" });
  const { kind, reason } = failureIn(await stage.play());
  assert.equal(kind, "unavailable");
  assert.match(reason, /has no model "gpt-9"\. It has: Auto, gemini-3\.1-pro-preview, /);
  await using other = openRecordedStage("qwen", { mode: "reckless" });
  assert.match(failureIn(await other.play()).reason, /has no mode "reckless"\. It has: Plan, /);
});

test("[ACP-17] what people add in a turn reaches the program when it asks for it", async () => {
  await using stage = openRecordedStage("qwen");
  await stage.play();
  const host = createTestHost({ speed: 1, ...allowed });
  host.steering.push("also the moon");
  await stage.play({}, host);
  assert.deepEqual(host.taken, ["also the moon"]);
  const answers = stage.received().filter(({ result }) => result?.messages !== undefined);
  assert.deepEqual(answers[0].result, { messages: ["also the moon"], hasQueuedPrompt: false });
});
