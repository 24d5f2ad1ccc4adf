import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isAlive } from "../../../../../test/kit/processes.ts";
import { openConfinement } from "../testing/open-confinement.ts";
import { describeRecordedTurns } from "../testing/recorded-turns.contract.ts";
import { textIn, turnOf } from "../testing/turns.ts";
import { describeAgentRuntime, type Situation } from "../turn/agent-runtime.contract.ts";
import type { PermissionRequest, Turn, TurnEvent } from "../turn/agent-runtime.ts";
import type { ClineSettings } from "./cline.ts";
import { clinePrompt, type ClineStep } from "./testing/cline-double.ts";
import { openStage } from "./testing/cline-stage.ts";

describeAgentRuntime(
  "cline",
  (situation) => {
    const stage = openStage();
    return Promise.resolve({
      runtime: stage.runtime,
      prompt: clinePrompt(...stepsFor(situation)),
      letGo: async () => assert.equal(textIn(await stage.play([{ say: "free" }])), "free"),
      promptFor: (answer) => clinePrompt(...stepsFor({ type: "answers", answer })),
      speed: 1,
      [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
    });
  },
  { tools: "own" },
);

function stepsFor(situation: Situation): readonly ClineStep[] {
  switch (situation.type) {
    case "answers":
      return situation.answer.split("").map((letter) => ({ say: letter }));
    case "uses a tool": {
      const call = { name: "lookup", input: { q: "tide" } };
      const { returns, answer } = situation;
      if (returns === "never") return [{ tool: call }];
      const output = returns.isError ? { error: returns.text } : returns.text;
      return [{ tool: { ...call, output } }, { say: answer }];
    }
    case "talks on":
      return [{ talkOn: true }];
    case "is silent":
      return [{ hang: true }];
  }
}

describeRecordedTurns(
  "cline",
  () => {
    const stage = openStage();
    const recording = join(import.meta.dirname, "testing/recording.jsonl");
    return {
      turn: (host) => stage.runtime.start(turnOf(clinePrompt({ recording })), host),
      [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
    };
  },
  [{ answer: "allowed", tools: [["run_commands", false]], text: /^DONE: / }],
);

function reasonIn(events: readonly TurnEvent[]): string {
  const last = events.at(-1);
  assert.ok(last?.type === "failed", JSON.stringify(last));
  return last.reason;
}

test("[CLINE-1] what the program wrote when it was recorded is told as it came", async () => {
  await using stage = openStage();
  const recording = join(import.meta.dirname, "testing/recording.jsonl");
  const events = await stage.play([{ recording }]);
  const [first, ...rest] = events;
  assert.deepEqual(first, { type: "usage", usage: { inputTokens: 100, outputTokens: 20 } });
  const id = "call_fake000005";
  assert.deepEqual(rest.slice(0, 2), [
    { type: "tool.called", id, name: "run_commands", input: { commands: ["echo hi"] } },
    { type: "tool.returned", id, text: "hi\n", isError: false },
  ]);
  assert.match(textIn(events), /^DONE: /);
  assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
});

test("[CLINE-1] each turn is told who it is and what was said", async () => {
  await using stage = openStage();
  const history = [{ role: "user" as const, text: "The word is heron." }];
  const told = textIn(await stage.play([{ tell: "prompt" }], {}, { history }));
  assert.match(
    told,
    /^You are Eng 1\.\n\nWhat was said before, .*User: The word is heron\.\n\nNow answer.*<</s,
  );
});

test("[CLINE-8] with ownSettings false it reads no MCP servers of its user", async () => {
  await using usual = openStage();
  assert.equal(textIn(await usual.play([{ tell: "servers" }])), "its user's");
  await using without = openStage({ ownSettings: false });
  assert.equal(textIn(await without.play([{ tell: "servers" }])), "/dev/null");
});

test("[CLINE-2] a person is asked before the turn, and without an allowance tools are denied", async () => {
  await using stage = openStage();
  const asked: PermissionRequest[] = [];
  const argsWith = async (permission: "allowed" | "denied" | "expired"): Promise<string> =>
    textIn(
      await stage.play([{ tell: "args" }], {
        requestPermission: async (request) => (asked.push(request), permission),
      }),
    );
  assert.match(await argsWith("allowed"), /"--auto-approve=true"/);
  assert.match(await argsWith("denied"), /"--auto-approve=false"/);
  assert.match(await argsWith("expired"), /"--auto-approve=false"/);
  assert.equal(asked.length, 3);
  assert.match(asked[0]?.warning ?? "", /asks nobody/);
  await using allowing = openStage({ approval: "allow" });
  assert.match(textIn(await allowing.play([{ tell: "args" }])), /"--auto-approve=true"/);
  await using denying = openStage({ approval: "deny" });
  assert.match(textIn(await denying.play([{ tell: "args" }])), /"--auto-approve=false"/);
});

test("[CLINE-7] in a workspace only the preset sandbox spares people the question, whatever the settings allow", async () => {
  const play = async (
    preset: "ask" | "edit" | "sandbox" | undefined,
    approval: NonNullable<ClineSettings["approval"]>,
  ): Promise<readonly [number, boolean]> => {
    const confinement = openConfinement(true);
    await using stage = openStage({ approval }, { confinement, permissionsOf: () => preset });
    let questions = 0;
    using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-cline-"));
    const events = await stage.play(
      [{ tell: "args" }],
      { requestPermission: async () => (questions++, "denied") },
      { workspace: { folder: folder.path, store: null } },
    );
    return [questions, textIn(events).includes('"--auto-approve=true"')];
  };
  for (const preset of ["ask", "edit"] as const) {
    assert.deepEqual(await play(preset, "ask"), [1, false]);
    assert.deepEqual(await play(preset, "allow"), [1, false]);
  }
  assert.deepEqual(await play("sandbox", "ask"), [0, true]);
  assert.deepEqual(await play("sandbox", "deny"), [0, false]);
  assert.deepEqual(await play(undefined, "ask"), [0, true]);
});

test("[CLINE-3] model and mode are arguments, and the prompt comes after them", async () => {
  await using stage = openStage({ model: "m1", mode: "plan" });
  const args = async (wishes: Turn["wishes"]): Promise<unknown> =>
    JSON.parse(textIn(await stage.play([{ tell: "args" }], {}, { wishes })));
  const usual = ["--json", "--auto-approve=false", "--plan"];
  assert.deepEqual(await args({}), [...usual, "--model=m1", "--"]);
  assert.deepEqual(await args({ model: "m2" }), [...usual, "--model=m2", "--"]);
});

test("[CLINE-6] a turn costs what the program says, else its tokens at the price, else it is unknown", async () => {
  const price = { inputPerMillion: 1, outputPerMillion: 1 };
  await using priced = openStage({ approval: "allow", model: "m1", price });
  await using unpriced = openStage({ approval: "allow" });
  const costs = async (cost: number): Promise<readonly unknown[]> => {
    const used: ClineStep = { usage: { tokens: [400_000, 100_000], cost } };
    const turns = [await priced.play([used]), await unpriced.play([used])];
    return turns.map((events) => events.findLast(({ type }) => type === "usage")).map(costIn);
  };
  assert.deepEqual(await costs(0.25), [0.25, 0.25]);
  assert.deepEqual(await costs(0), [0.5, undefined]);
});

function costIn(event: TurnEvent | undefined): number | undefined {
  return event?.type === "usage" ? event.usage.cost : undefined;
}

test("[CLINE-4] whatever goes wrong is a reason", async () => {
  await using stage = openStage({ maxOutputBytes: 100_000 });
  const dead = await stage.play([{ say: "half" }, { exit: 7, complain: "no tide" }]);
  assert.match(reasonIn(dead), /exit code 7:\nno tide\nRun it in a terminal/);
  assert.equal(textIn(dead), "half");
  const failing = '{"type":"run_result","finishReason":"error","text":"Wrong key"}\n';
  assert.match(reasonIn(await stage.play([{ lines: failing }])), /failed: Wrong key$/);
  const refusing = '{"type":"error","message":"No provider"}\n';
  assert.match(reasonIn(await stage.play([{ lines: refusing }])), /failed: No provider$/);
  const loud = Array.from({ length: 50 }, () => ({ say: "x".repeat(5_000) }));
  assert.match(
    reasonIn(await stage.play(loud.slice(0, 20).concat({ say: "y".repeat(9_000) }))),
    /more than 100000 bytes/,
  );
  assert.match(reasonIn(await stage.play(loud)), /too long for/);
  const garbage = { lines: 'Warning: {\n[]\n"x"\n{"type":"__proto__"}\n' };
  assert.equal(textIn(await stage.play([garbage, { say: "fine" }])), "fine");
  await using missing = openStage({ command: ["no-such-cline"] });
  assert.match(reasonIn(await missing.play([])), /no program "no-such-cline"/);
});

test("[CLINE-5] what it leaves behind ends with the last turn, wherever it is", async () => {
  await using stage = openStage();
  const pid = Number(textIn(await stage.play([{ leave: true }])));
  assert.ok(pid > 0);
  assert.equal(isAlive(pid), false);
});
