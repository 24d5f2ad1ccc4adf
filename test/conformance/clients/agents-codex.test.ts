/** The Codex runtime against the real Codex, offline. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  createTestHost,
  type TestHostOptions,
} from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import type {
  AgentRuntime,
  PermissionRequest,
  Turn,
  TurnEvent,
} from "../../../apps/server/src/agents/turn/agent-runtime.ts";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { gone } from "../../kit/processes.ts";
import {
  KEY,
  openCodexStage,
  USAGE,
  type CodexRequest,
  type CodexStage,
  type CodexStageOptions,
} from "../kit/codex-stage.ts";
import { findCodex } from "../kit/peer.ts";

const codex = findCodex();
const { skip } = codex;
const open = (options: Partial<CodexStageOptions> = {}): Promise<CodexStage> =>
  openCodexStage({ command: codex.path(), ...options });

function speak(...chunks: readonly string[]): Behavior {
  return { type: "answer", chunks, usage: USAGE };
}

function call(name: string, input: unknown, namespace?: string): Behavior {
  const place = namespace === undefined ? {} : { namespace };
  return { type: "answer", toolCalls: [{ name, input, ...place }], usage: USAGE };
}

/** Runs the command, then says what came of it. */
function runs(cmd: string): (asked: CodexRequest) => Behavior {
  return ({ returned }) =>
    returned.length === 0 ? call("exec_command", { cmd }) : speak("Done: ", ...returned);
}

interface Scene extends TestHostOptions {
  readonly turn?: Partial<Turn>;
}

function play(runtime: AgentRuntime, prompt: string, scene: Scene = {}): Promise<TurnEvent[]> {
  const { turn = {}, ...options } = scene;
  return eventsOf(runtime, turnOf(prompt, turn), createTestHost({ speed: 1, ...options }));
}

/** What the model was last told, as far as it is not Codex's own. */
function lastInput({ model }: CodexStage): string {
  return JSON.stringify(model.requests.at(-1)?.body.input);
}

test("[CODEX-1] an answer comes in pieces, with the thoughts before it", { skip }, async () => {
  await using stage = await open({
    answer: ({ said }) => ({
      type: "answer",
      reasoning: ["Low or ", "high?"],
      chunks: ["You said: ", said],
      chunkDelayMs: 20,
      usage: { inputTokens: 100, outputTokens: 20, cachedTokens: 60 },
    }),
  });
  const events = await play(stage.runtime, "Low tide?");
  assert.equal(textIn(events), "You said: Low tide?");
  assert.ok(events.filter(({ type }) => type === "text").length > 1);
  const thoughts = events.map((event) => (event.type === "thinking" ? event.delta : ""));
  assert.equal(thoughts.join(""), "Low or high?");
  const usage = events.findLast((event) => event.type === "usage")?.usage;
  assert.deepEqual(usage, { inputTokens: 100, outputTokens: 20, cachedInputTokens: 60 });
  assert.match(lastInput(stage), /You are Eng 1\./);
  assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
});

test("[CODEX-1] an image reaches the model", { skip }, async () => {
  await using stage = await open();
  const data =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const attachments = [{ name: "dot.png", mediaType: "image/png", data }];
  const events = await play(stage.runtime, "What is it?", { turn: { attachments } });
  assert.equal(events.at(-1)?.type, "completed", JSON.stringify(events));
  assert.match(lastInput(stage), /"input_image","image_url":"data:image\/png;base64,/);
});

test("[CODEX-3] a command that a person allows is run, and its result told", { skip }, async () => {
  await using stage = await open({ answer: runs("echo high > tide.txt; cat tide.txt") });
  const asked: PermissionRequest[] = [];
  const events = await play(stage.runtime, "Note it", {
    requestPermission: (request) => (asked.push(request), Promise.resolve("allowed")),
  });
  assert.equal(readFileSync(join(stage.work, "tide.txt"), "utf8"), "high\n");
  assert.equal(asked.length, 1, JSON.stringify(events));
  assert.equal(asked[0]?.cwd, stage.work);
  assert.match(JSON.stringify(asked[0]?.input), /echo high > tide\.txt; cat tide\.txt/);
  const tools = JSON.stringify(events.filter(({ type }) => type.startsWith("tool.")));
  assert.match(tools, /"name":"shell".*"text":"high\\n\[exit code 0\]","isError":false/);
  assert.match(textIn(events), /^Done: /);
});

test("[CODEX-1] what a command puts out is seen while it runs", { skip }, async () => {
  await using stage = await open({ answer: runs("echo high; sleep 0.5; echo low; sleep 0.5") });
  const events = await play(stage.runtime, "Watch", {
    requestPermission: () => Promise.resolve("allowed"),
  });
  const outputs = events.map((event) => (event.type === "tool.output" ? event.text : ""));
  // Codex may miss what comes before it begins to watch; the result has all of it.
  assert.match(outputs.join(""), /low\n$/, JSON.stringify(events));
  const returned = events.find((event) => event.type === "tool.returned");
  assert.equal(returned?.text, "high\nlow\n[exit code 0]");
});

test(
  "[CODEX-3] a command that a person forbids is not run, and the turn goes on",
  { skip },
  async () => {
    await using stage = await open({
      // What it is told in between is the last that a person said.
      answer: ({ said, returned }) =>
        said.includes("denied") || returned.length > 0
          ? speak("Very well.")
          : call("exec_command", { cmd: "echo high > tide.txt" }),
    });
    const note = { permission: "denied", note: "write it in tides.md" } as const;
    const events = await play(stage.runtime, "Note it", {
      requestPermission: () => Promise.resolve(note),
    });
    assert.equal(existsSync(join(stage.work, "tide.txt")), false);
    const returned = events.find((event) => event.type === "tool.returned");
    assert.ok(returned?.isError === true, JSON.stringify(events));
    assert.equal(events.at(-1)?.type, "completed", JSON.stringify(events));
    // Whether in this turn of Codex's or in one more, it has been told why.
    assert.match(lastInput(stage), /A person denied this and said: write it in tides\.md/);
  },
);

test(
  "[CODEX-3] a patch is shown with its diff, and made once that is allowed",
  { skip },
  async () => {
    const patch = "*** Begin Patch\n*** Update File: tide.txt\n@@\n-low\n+high\n*** End Patch\n";
    await using stage = await open({ answer: runs(`apply_patch <<'EOF'\n${patch}EOF\n`) });
    const file = join(stage.work, "tide.txt");
    writeFileSync(file, "low\n");
    const asked: PermissionRequest[] = [];
    const events = await play(stage.runtime, "Note it", {
      requestPermission: (request) => {
        assert.equal(readFileSync(file, "utf8"), "low\n");
        asked.push(request);
        return Promise.resolve("allowed");
      },
    });
    assert.equal(readFileSync(file, "utf8"), "high\n", JSON.stringify(events));
    assert.equal(asked[0]?.tool, "apply_patch", JSON.stringify(asked));
    assert.deepEqual(asked[0]?.input, { path: file, kind: "update" });
    assert.match(asked[0]?.writes?.[0]?.text ?? "", /^-low\n\+high$/m);
    const called = events.find((event) => event.type === "tool.called");
    assert.match(JSON.stringify(called), /"name":"apply_patch".*-low\\n\+high/);
  },
);

test(
  "[CODEX-5] what people add while it works reaches the model in the same turn",
  { skip },
  async () => {
    const steered = Promise.withResolvers<void>();
    await using stage = await open({
      answer: ({ returned, body }) => {
        const isTold = JSON.stringify(body.input).includes("also the moon");
        if (isTold) return speak("And the moon.");
        return returned.length === 0 ? call("exec_command", { cmd: "sleep 0.1" }) : speak("Tides.");
      },
    });
    const inner = createTestHost({ speed: 1 });
    let tell: () => void = () => undefined;
    const host = {
      ...inner,
      onSteering: (listener: () => void) => {
        tell = listener;
        return () => undefined;
      },
      async requestPermission() {
        inner.steering.push("also the moon");
        tell();
        steered.resolve();
        await steered.promise;
        return "allowed" as const;
      },
    };
    const events = await eventsOf(stage.runtime, turnOf("Tides?"), host);
    assert.match(textIn(events), /And the moon\.$/, JSON.stringify(events));
    assert.deepEqual(inner.steering, []);
  },
);

test(
  "[CODEX-4] an abort ends the command under way, and the thread goes on",
  { skip },
  async () => {
    await using stage = await open({
      answer: ({ said, returned }) =>
        said.includes("forever") && returned.length === 0
          ? call("exec_command", { cmd: "echo begun > begun.txt; sleep 986" })
          : speak("I am back."),
    });
    const host = createTestHost({
      speed: 1,
      requestPermission: () => Promise.resolve("allowed"),
    });
    const turn = eventsOf(stage.runtime, turnOf("Run forever, heron"), host);
    await written(join(stage.work, "begun.txt"));
    const sleeping = (): number[] =>
      stage.processes().filter((pid) => commandOf(pid).startsWith("sleep"));
    while (sleeping().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const commands = sleeping();
    host.abort();
    assert.deepEqual((await turn).at(-1), { type: "completed", stopReason: "aborted" });
    await gone(commands);
    assert.equal(textIn(await play(stage.runtime, "And now?")), "I am back.");
    assert.match(lastInput(stage), /heron/);
  },
);

test(
  "[CODEX-8] [CODEX-2] a Codex that is killed fails its turn, nothing of it is left, and the next turn resumes its thread",
  { skip },
  async () => {
    await using stage = await open({
      answer: ({ said, returned }) =>
        said.includes("forever") && returned.length === 0
          ? call("exec_command", { cmd: "echo begun > begun.txt; sleep 985" })
          : speak("I am back."),
    });
    await play(stage.runtime, "The word is heron.");
    const allowed = createTestHost({
      speed: 1,
      requestPermission: () => Promise.resolve("allowed"),
    });
    const turn = eventsOf(stage.runtime, turnOf("forever"), allowed);
    await written(join(stage.work, "begun.txt"));
    const before = stage.processes();
    const server = before.find((pid) => /codex\0app-server/.test(commandLineOf(pid)));
    assert.ok(server !== undefined);
    process.kill(server, "SIGKILL");
    const last = (await turn).at(-1);
    assert.ok(last?.type === "failed" && last.kind === "unavailable", JSON.stringify(last));
    assert.match(last.reason, /was ended by SIGKILL/);
    await gone(before);
    assert.equal(textIn(await play(stage.runtime, "And now?")), "I am back.");
    assert.match(lastInput(stage), /The word is heron/);
  },
);

test(
  "[CODEX-2] after a restart of the server the thread is found and resumed",
  { skip },
  async () => {
    await using stage = await open();
    await play(stage.runtime, "The word is heron.");
    const before = stage.processes();
    await stage.runtime.close?.();
    await gone(before);
    const history = [{ role: "user" as const, text: "The word is told again." }];
    const events = await play(stage.another(), "Which word?", { turn: { history } });
    assert.equal(events.at(-1)?.type, "completed", JSON.stringify(events));
    assert.match(lastInput(stage), /You said: The word is heron/);
    assert.doesNotMatch(lastInput(stage), /told again/);
  },
);

test(
  "[CODEX-6] the model that a conversation wishes for is asked, then the usual one again",
  { skip },
  async () => {
    await using stage = await open();
    for (const model of ["other-model", undefined]) {
      await play(stage.runtime, "Hello", {
        turn: { wishes: model === undefined ? {} : { model } },
      });
    }
    const models = stage.model.requests.map(({ body }) => body.model);
    assert.deepEqual(models, ["other-model", "test-model"]);
  },
);

test(
  "[CODEX-4] a conversation that is too long and a server in trouble are told apart",
  { skip },
  async () => {
    for (const [status, code, kind] of [
      [400, "context_length_exceeded", "context_length"],
      [500, "server_error", "unavailable"],
      [401, "invalid_api_key", "unavailable"],
      [429, "rate_limit_exceeded", "rate_limit"],
    ] as const) {
      await using stage = await open({
        answer: () => ({ type: "status", status, message: "no tide", code }),
      });
      const last = (await play(stage.runtime, "Hello")).at(-1);
      assert.ok(last?.type === "failed", JSON.stringify(last));
      assert.equal(last.kind, kind, last.reason);
    }
  },
);

test("[CODEX-9] a Codex without a login says what to do", { skip }, async () => {
  await using stage = await open({ config: "" });
  const last = (await play(stage.runtime, "Hello")).at(-1);
  assert.ok(last?.type === "failed", JSON.stringify(last));
  assert.match(last.reason, /not logged in. Run "codex login"/);
});

test(
  "[AGENT-11] the key and the token of our tools are in nothing it tells, and in none of its files",
  { skip },
  async () => {
    await using stage = await open({ answer: runs("env | grep -E 'FAKE_KEY|SYNTHESIS'; true") });
    const lookup = { name: "lookup", description: "Looks it up.", input: { type: "object" } };
    const events = await play(stage.runtime, "Look around", {
      tools: [lookup],
      requestPermission: () => Promise.resolve("allowed"),
    });
    assert.ok(!JSON.stringify(events).includes(KEY), JSON.stringify(events));
    const files = readdirSync(stage.codexHome, { recursive: true, withFileTypes: true });
    for (const file of files.filter((one) => one.isFile())) {
      const text = readFileSync(join(file.parentPath, file.name), "utf8");
      assert.ok(!text.includes("SYNTHESIS_BRIDGE_TOKEN"), file.name);
    }
    assert.equal(
      readFileSync(join(stage.codexHome, "config.toml"), "utf8").includes("trust"),
      false,
    );
  },
);

test(
  "[CODEX-10] in a workspace its commands stay there, and the folder's settings are not read",
  { skip: skip || skipWithoutSandbox() },
  async () => {
    await using base = await open();
    const home = join(base.folder, "atrium-home");
    const folder = join(home, "workspaces/w1");
    const store = join(home, "stores/s1");
    for (const path of [join(folder, ".codex"), store, join(home, "workspaces/w2")]) {
      mkdirSync(path, { recursive: true });
    }
    writeFileSync(join(home, "token"), "server-token");
    writeFileSync(join(home, "workspaces/w2/other.txt"), "not yours");
    writeFileSync(join(store, "HEAD"), "ref: refs/heads/line");
    writeFileSync(join(folder, ".git"), `gitdir: ${store}`);
    const notified = join(base.folder, "notified");
    const settings = `model = "evil"\nnotify = ["touch", ${JSON.stringify(notified)}]\n`;
    writeFileSync(join(folder, ".codex/config.toml"), settings);
    const cmd = `cat ${home}/token ${home}/workspaces/w2/other.txt; cat ${store}/HEAD; echo x > ${home}/out; echo x > ${store}/HEAD; echo x > .git; echo y > inside.txt; pwd`;
    await using stage = await open({
      answer: runs(cmd),
      secretFolders: [home],
      settings: { sandboxMode: "danger-full-access" },
    });
    const events = await play(stage.runtime, "Go", {
      turn: { workspace: { folder, store } },
      requestPermission: () => Promise.resolve("allowed"),
    });
    const returned = events.find((event) => event.type === "tool.returned")?.text ?? "";
    assert.match(returned, /ref: refs\/heads\/line/, JSON.stringify(events));
    assert.doesNotMatch(returned, /server-token|not yours/);
    assert.ok(returned.includes(folder), returned);
    assert.equal(readFileSync(join(folder, "inside.txt"), "utf8"), "y\n");
    assert.equal(readFileSync(join(store, "HEAD"), "utf8"), "ref: refs/heads/line");
    assert.deepEqual(readdirSync(home).toSorted(), ["stores", "token", "workspaces"]);
    assert.equal(stage.model.requests[0]?.body.model, "test-model");
    assert.equal(existsSync(notified), false);
  },
);

async function written(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function commandOf(pid: number): string {
  return commandLineOf(pid).split("\0")[0]?.split("/").at(-1) ?? "";
}
