import assert from "node:assert/strict";
import { test } from "node:test";
import { LiveOutput } from "./live-output.ts";
import { toolLine } from "./tool-line.ts";

test("[CLI-27] output of two commands is shown line by line, and the rest when they end", () => {
  const lines: string[] = [];
  const output = new LiveOutput((line) => lines.push(line));
  output.add("a", "one ");
  output.add("b", "other\nan");
  output.add("a", "line\r\n\u001b[31mred\u0007\u001b]0;title");
  output.end("a");
  output.end("b");
  output.end("b");
  assert.deepEqual(lines, ["other", "one line", "[31mred]0;title", "an"]);
});

test("[CLI-27] a line without an end is shown in parts", () => {
  const lines: string[] = [];
  const output = new LiveOutput((line) => lines.push(line));
  for (let n = 0; n < 50; n += 1) output.add("__proto__", "x".repeat(100));
  output.end("__proto__");
  assert.equal(lines.join("").length, 5_000);
  assert.ok(lines.length > 1 && lines.every((line) => line.length <= 2_200));
});

test("[CLI-27] a tool call is one plain line, whatever its input is", () => {
  const cases = [
    ["run", '{"command":"npm test\\n\\u001b[2J"}', "run npm test [2J"],
    ["todo", '{"items":[]}', "todo"],
    ["read", '{"path":["a"],"name":"b"}', "read b"],
    ["x\u001b[2J", '{"__proto__":{"path":"a"}}', "x[2J"],
    ["write", '{"content":"cut he', 'write {"content":"cut he'],
    ["list", "", "list"],
  ] as const;
  for (const [tool, input, line] of cases) assert.equal(toolLine(tool, input), line);
  assert.ok(toolLine("run", JSON.stringify({ command: "x".repeat(1_000_000) })).length < 200);
});
