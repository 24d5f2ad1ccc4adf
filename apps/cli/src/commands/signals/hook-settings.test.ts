import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { addHooks, hasHooks, removeHooks } from "./hook-settings.ts";

const PROGRAM = { events: ["PreToolUse", "Stop"], options: { timeout: 3 } };
const COMMAND = "/usr/bin/node /opt/atrium/main.ts signals hook --from codex";

test("[CLI-42] hooks are added beside what is there, once, and taken out without the rest", () => {
  const theirs = {
    model: "m",
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "lint" }] }] },
    z: 1,
  };
  const before = `${JSON.stringify(theirs, null, "\t")}\n`;
  const after = addHooks(before, PROGRAM, COMMAND) ?? "";
  assert.match(after, /^\t"model"/m, "indented as it was");
  const { hooks, ...rest } = JSON.parse(after);
  assert.deepEqual(rest, { model: "m", z: 1 });
  const ours = { hooks: [{ type: "command", command: COMMAND, timeout: 3 }] };
  assert.deepEqual(hooks, { PreToolUse: [...theirs.hooks.PreToolUse, ours], Stop: [ours] });
  assert.equal(addHooks(after, PROGRAM, COMMAND), after);
  assert.ok(hasHooks(after) && !hasHooks(before));
  assert.equal(removeHooks(after), before);
  const moved = addHooks(after, PROGRAM, COMMAND.replace("/opt", "/srv")) ?? "";
  assert.equal(moved.split(" signals hook --from ").length, 3, "an earlier place is replaced");
  const homed = addHooks(after, PROGRAM, COMMAND.replace("hook", "hook --home '/a b'")) ?? "";
  assert.ok(!homed.includes("signals hook --from "), "so is one of an earlier version");
  assert.equal(removeHooks(homed), before);
  const script = addHooks(homed, PROGRAM, "exec sh '/a b/signals/hook.sh' codex") ?? "";
  assert.ok(!script.includes("--from"), "and is replaced by the script");
  assert.equal(removeHooks(script), before);
});

test("[CLI-42] what is not a JSON object is left alone, and nothing in one is lost", () => {
  for (const text of ["// mine\n{}", "[]", "7", "{"]) {
    assert.equal(addHooks(text, PROGRAM, COMMAND), undefined);
    assert.equal(removeHooks(text), undefined);
  }
  assert.ok(hasHooks(addHooks(undefined, PROGRAM, COMMAND)));
  const settings = fc.dictionary(
    fc.constantFrom("hooks", "__proto__", "a", "Stop"),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(settings, (given) => {
      const text = JSON.stringify(given, null, 2);
      const added = addHooks(text, PROGRAM, COMMAND);
      assert.ok(added !== undefined && hasHooks(added));
      const { hooks: _added, ...rest } = JSON.parse(added);
      const { hooks: _given, ...others } = JSON.parse(text);
      assert.deepEqual(rest, others);
    }),
    { numRuns: 500 },
  );
});
