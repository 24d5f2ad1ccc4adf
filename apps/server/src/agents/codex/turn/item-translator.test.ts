import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { TurnEvent } from "../../turn/agent-runtime.ts";
import { createReportedTools } from "../../turn/reported-tools.ts";
import { createItemTranslator } from "./item-translator.ts";
import { TokenCount } from "./token-count.ts";

interface Recorded {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Recorded from Codex 0.166.0 with a fake model; the long delta of one message was cut. */
const RECORDED = readFileSync(new URL("../testing/recorded-turns.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);

function translator() {
  const tools = createReportedTools();
  return createItemTranslator({ tools, toolName: (server, tool) => `${server}.${tool}` });
}

test("[CODEX-1] what was recorded from the real program becomes words, calls and results", () => {
  const translate = translator();
  const events = RECORDED.flatMap(({ method, params }) => translate(method, params));
  const [first, ...rest] = events;
  assert.deepEqual(first, { type: "text", delta: "ECHO: hello" });
  const kinds = rest.map((event) =>
    event.type === "tool.called" ? `${event.type} ${event.name}` : event.type,
  );
  assert.deepEqual(kinds, [
    "tool.called shell",
    "tool.returned",
    "text",
    "text",
    "tool.called shell",
    "tool.returned",
    "tool.called apply_patch",
    "tool.returned",
  ]);
  const texts = events.flatMap((event) => (event.type === "text" ? [event.delta] : []));
  // The rest of a message whose pieces did not say all of it is said at its end.
  assert.match(texts.join(""), /^ECHO: hello\n\nDONE: Chunk ID: 383d58\nWall time: .*\nok\n$/s);
  assert.deepEqual(resultsIn(events), [
    ["ok\n[exit code 0]", false],
    ["This was not allowed, so it was not done.", true],
    ["Wrote /home/dev/project/q.txt", false],
  ]);
  const patched = events.find(
    (event) => event.type === "tool.called" && event.name === "apply_patch",
  );
  assert.deepEqual(patched?.type === "tool.called" && patched.input, {
    path: "/home/dev/project/q.txt",
    kind: "add",
    diff: "hello\n",
  });
});

function resultsIn(events: readonly TurnEvent[]): unknown[] {
  return events.flatMap((event) =>
    event.type === "tool.returned" ? [[event.text, event.isError]] : [],
  );
}

test("[CODEX-7] the recorded totals are counted for each turn", () => {
  const reports = RECORDED.filter(({ method }) => method === "thread/tokenUsage/updated");
  const each = reports.map(({ params }) => new TokenCount().read(params));
  // The second is of another turn of the same thread, whose total is 200 and 40.
  assert.deepEqual(each, [
    { inputTokens: 100, outputTokens: 20 },
    { inputTokens: 100, outputTokens: 20 },
  ]);
});

test("[CODEX-1] each kind of tool is called by a name and answered with its result", () => {
  const about = { id: "i1", status: "completed" };
  const content = [{ type: "text", text: "noon" }, { type: "image" }];
  const items = [
    [
      { type: "mcpToolCall", server: "s", tool: "t", arguments: { q: 1 }, result: { content } },
      "s.t",
      "noon\n(image)",
      false,
    ],
    [{ type: "mcpToolCall", server: "s", tool: "t", error: { message: "no" } }, "s.t", "no", true],
    [{ type: "webSearch", query: "tide" }, "web_search", "", false],
    [{ type: "imageView", path: "/a.png" }, "view_image", "", false],
    [{ type: "collabAgentToolCall", tool: "spawnAgent", prompt: "go" }, "spawnAgent", "", false],
    [
      { type: "commandExecution", command: "x", aggregatedOutput: "out", exitCode: 3 },
      "shell",
      "out\n[exit code 3]",
      true,
    ],
    [{ type: "commandExecution", command: "x", status: "failed" }, "shell", "", true],
    [
      { type: "fileChange", changes: [], status: "failed" },
      "apply_patch",
      "The change could not be made.",
      true,
    ],
  ] as const;
  for (const [item, name, text, isError] of items) {
    const translate = translator();
    const events = translate("item/completed", { item: { ...about, ...item } });
    assert.deepEqual(
      events.map((event) => event.type),
      ["tool.called", "tool.returned"],
    );
    assert.equal(events[0]?.type === "tool.called" && events[0].name, name);
    assert.deepEqual(resultsIn(events), [[text, isError]]);
    assert.deepEqual(translate("item/completed", { item: { ...about, ...item } }), []);
  }
});

test("[CODEX-1] a message that ends otherwise than it began is not said twice", () => {
  const translate = translator();
  translate("item/agentMessage/delta", { itemId: "m", delta: "Half" });
  const item = { type: "agentMessage", id: "m", text: "Other" };
  assert.deepEqual(translate("item/completed", { item }), []);
});

test("[CODEX-15] a plan is said where it stands in the answer, once", () => {
  const translate = translator();
  const delta = (method: string, itemId: string, text: string): readonly TurnEvent[] =>
    translate(method, { itemId, delta: text });
  const ended = (type: string, id: string, text: string): readonly TurnEvent[] =>
    translate("item/completed", { item: { type, id, text } });
  const events = [
    ...delta("item/agentMessage/delta", "msg_1", "See:\n"),
    ...delta("item/plan/delta", "plan_1", "# Tides\n"),
    ...delta("item/agentMessage/delta", "msg_1", "Right?"),
    ...ended("plan", "plan_1", "# Tides\n"),
    ...ended("agentMessage", "msg_1", "See:\nRight?"),
    // One that did not come in pieces.
    ...ended("plan", "plan_2", "# Springs\n"),
  ];
  const texts = events.map((event) => (event.type === "text" ? event.delta : event.type));
  assert.equal(texts.join(""), "See:\n\n\n# Tides\n\n\nRight?\n\n# Springs\n");
});
