import assert from "node:assert/strict";
import { test } from "node:test";
import { Screens } from "./screens.ts";
import { terminalText } from "./terminal-text.ts";
import { callKey, commandIn, printOn, type Terminal } from "./terminals.ts";

const KEY = callKey("run_1", "call_1");
const NONE: ReadonlyMap<string, Terminal> = new Map();
const printed = (delta: string, isAnew = false, isOver = false) => ({ delta, isAnew, isOver });

test("[WEB-41] output grows as it comes, keeps its end, and begins anew when it is told from the beginning", () => {
  const once = printOn(printOn(NONE, KEY, printed("one\n", true)), KEY, printed("two\n"));
  assert.deepEqual(once.get(KEY), { text: "one\ntwo\n", isCut: false, isOver: false });
  const again = printOn(once, KEY, printed("tail\n", true, true));
  assert.deepEqual(again.get(KEY), { text: "tail\n", isCut: false, isOver: true });
  const long = printOn(once, KEY, printed("x".repeat(1_000_000)));
  assert.equal(long.get(KEY)?.text.length, 64_000);
  assert.equal(printOn(long, KEY, printed("y")).get(KEY)?.isCut, true);
});

test("[WEB-41] however many commands run, a bounded number is kept, and the newest are among them", () => {
  let terminals = NONE;
  for (let at = 0; at < 500; at++) {
    terminals = printOn(terminals, callKey("run", String(at)), printed("x", true));
  }
  assert.ok(terminals.size <= 40);
  assert.ok(terminals.has(callKey("run", "499")));
});

test("[WEB-41] escape sequences do nothing, a line written over shows its end, and hidden signs are named", () => {
  assert.equal(terminalText("\u001B[1;31mred\u001B[0m \u001B]0;title\u0007text"), "red text");
  assert.equal(terminalText("10 %\r50 %\r100 %\r\ndone\r\n"), "100 %\ndone\n");
  assert.equal(terminalText("a\u0000\u0008\u007Fb\u001B"), "ab");
  assert.equal(terminalText("safe\u202Eetirw"), "safe‹U+202E›etirw");
  assert.equal(terminalText("\u001B]8;;https://evil.test\u001B\\link"), "link");
});

test("a command is what a tool's input names as one", () => {
  assert.equal(commandIn('{"command":"npm test"}'), "npm test");
  assert.equal(commandIn('{"command":["git","log"]}'), "git log");
  for (const input of ["{}", "null", '"command"', "not JSON", '{"command":7}']) {
    assert.equal(commandIn(input), undefined);
  }
});

test("[WEB-42] a monitor shows the command that runs, and words again once the agent writes", () => {
  const screens = new Screens();
  const shown = () => screens.shown().get("agent_a");
  const call = { task_id: "t", agent_id: "agent_a", project_id: "p", tool: "run" };
  const input = '{"command":"npm test"}';
  screens.write("agent_a", printed("I run the tests.", true));
  screens.call({ ...call, name: "tool_called", run_id: "run_1", call_id: "call_1", input });
  assert.deepEqual(shown(), { kind: "command", title: "npm test", text: "" });
  screens.print("agent_a", KEY, printed("ok 1\n", true));
  screens.print("agent_a", KEY, printed("\u001B[32mok 2\n"));
  assert.deepEqual(shown(), { kind: "command", title: "npm test", text: "ok 1\nok 2\n" });
  screens.write("agent_a", printed("All is well."));
  assert.deepEqual(shown(), { kind: "words", title: "", text: "All is well." });
});
