import assert from "node:assert/strict";
import { test } from "node:test";
import { createReportedTools } from "../../turn/reported-tools.ts";
import { createUpdateReader } from "./session-updates.ts";

test("[DIR-8] an ACP agent's plan tells what is at hand and how much is done", () => {
  const { read } = createUpdateReader(createReportedTools());
  const entry = (content: string, status: "pending" | "in_progress" | "completed") =>
    ({ content, status, priority: "medium" }) as const;
  const entries = [entry("Look", "completed"), entry("Build it", "in_progress")];
  assert.deepEqual(read({ sessionUpdate: "plan", entries }), [
    { type: "progress", text: "Build it", percent: 50 },
  ]);
  assert.deepEqual(read({ sessionUpdate: "plan", entries: [] }), []);
});

test("[ACP-11] a call is told when it is known what it would do, and keeps its first name", () => {
  const { read } = createUpdateReader(createReportedTools());
  const call = { toolCallId: "c1", title: "bash", status: "pending" } as const;
  assert.deepEqual(read({ sessionUpdate: "tool_call", ...call, rawInput: { cwd: "/work" } }), []);
  assert.deepEqual(
    read({
      sessionUpdate: "tool_call_update",
      toolCallId: "c1",
      title: "touch a",
      rawInput: { command: "touch a" },
      status: "in_progress",
    }),
    [{ type: "tool.called", id: "c1", name: "bash", input: { command: "touch a" } }],
  );
  const done = { toolCallId: "c2", title: "now", status: "completed", rawOutput: "noon" } as const;
  assert.deepEqual(read({ sessionUpdate: "tool_call_update", ...done }), [
    { type: "tool.called", id: "c2", name: "now", input: {} },
    { type: "tool.returned", id: "c2", text: "noon", isError: false },
  ]);
});

test("[ACP-11] a denied call is answered for as soon as the agent goes on without a word about it", () => {
  const reader = createUpdateReader(createReportedTools());
  const call = { toolCallId: "c1", title: "rm -r ." };
  assert.deepEqual(reader.asked(call), [
    { type: "tool.called", id: "c1", name: "rm -r .", input: {} },
  ]);
  reader.denied("c1");
  const content = { type: "text", text: "Then not." } as const;
  const answered = [
    {
      type: "tool.returned",
      id: "c1",
      text: "This was not allowed, and it was not done.",
      isError: true,
    },
  ];
  assert.deepEqual(reader.read({ sessionUpdate: "agent_message_chunk", content }), [
    ...answered,
    { type: "text", delta: "Then not." },
  ]);
  const late = { ...call, status: "failed", rawOutput: "rejected" } as const;
  assert.deepEqual(reader.read({ sessionUpdate: "tool_call_update", ...late }), []);
});

test("[ACP-11] what the agent says of a denied call is its answer", () => {
  const reader = createUpdateReader(createReportedTools());
  const call = { toolCallId: "c1", name: "shell", rawInput: { command: "rm" } };
  reader.asked(call);
  reader.denied("c1");
  const failed = { ...call, status: "failed", rawOutput: "The user said no." } as const;
  assert.deepEqual(reader.read({ sessionUpdate: "tool_call_update", ...failed }), [
    { type: "tool.returned", id: "c1", text: "The user said no.", isError: true },
  ]);
});

test("[ACP-12] the result of a call shows what it changed in files, without the lines that stay", () => {
  const { read } = createUpdateReader(createReportedTools());
  const diff = { type: "diff", path: "/w/a.txt" } as const;
  const textOf = (id: string, oldText: string | null, newText: string): unknown => {
    const content = [{ ...diff, oldText, newText }];
    const call = { toolCallId: id, status: "completed", content } as const;
    return read({ sessionUpdate: "tool_call_update", ...call })
      .flatMap((event) => (event.type === "tool.returned" ? [event.text] : []))
      .join();
  };
  assert.equal(textOf("1", null, "one\ntwo\n"), "Wrote /w/a.txt\n+ one\n+ two");
  assert.equal(textOf("2", "one\ntwo\nthree\n", "one\n2\nthree\n"), "Changed /w/a.txt\n- two\n+ 2");
  assert.equal(textOf("3", "a\na\n", "a\na\na\n"), "Changed /w/a.txt\n+ a");
  assert.equal(textOf("4", "a\nb\n", "a\n"), "Changed /w/a.txt\n- b");
});
