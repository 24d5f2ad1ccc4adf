import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutComments } from "@atrium/wire";
import { addGeminiHooks, removeGeminiHooks } from "./gemini-hooks.ts";

const SCRIPT = "/home/ann/.atrium/it's/report.sh";
const WRITTEN = `{
    // how it looks
    "ui": { "theme": "dark" }, /* mine */
    "hooks": {
        "BeforeTool": [ { "matcher": "write_file", "hooks": [] } ] // audited
    }
}
`;

test("[JOIN-31] Gemini's hooks come beside the user's, and comments stay", () => {
  const added = addGeminiHooks(WRITTEN, SCRIPT) ?? "";
  const { ui, hooks } = JSON.parse(withoutComments(added));
  assert.deepEqual(ui, { theme: "dark" });
  assert.deepEqual(hooks.BeforeTool[0], { matcher: "write_file", hooks: [] });
  const quoted = String.raw`'/home/ann/.atrium/it'\''s/report.sh'`;
  assert.deepEqual(hooks.BeforeTool[1].hooks, [
    {
      type: "command",
      name: "atrium",
      command: `[ -f ${quoted} ] || exit 0; exec sh ${quoted} BeforeTool gemini`,
      timeout: 5_000,
    },
  ]);
  assert.deepEqual(Object.keys(hooks).toSorted(), [
    "AfterAgent",
    "AfterTool",
    "BeforeAgent",
    "BeforeTool",
    "Notification",
    "SessionEnd",
    "SessionStart",
  ]);
  for (const comment of ["// how it looks", "/* mine */", "// audited"]) {
    assert.ok(added.includes(comment), comment);
  }
  assert.equal(removeGeminiHooks(added), WRITTEN);
});

test("[JOIN-31] what the user changed since stays, without our hooks", () => {
  const added = addGeminiHooks('{"ui": {}}', SCRIPT) ?? "";
  const changed = added.replace('"ui": {}', '"ui": {"theme": "light"}');
  assert.equal(removeGeminiHooks(changed), '{"ui": {"theme": "light"}}');
  assert.equal(removeGeminiHooks(addGeminiHooks(null, SCRIPT) ?? ""), "{}\n");
});

test("[JOIN-31] settings that cannot be read are left alone", () => {
  for (const text of ["{", "[]", '{"hooks": 1}', '{"hooks": {"BeforeTool": {}}}']) {
    assert.equal(addGeminiHooks(text, SCRIPT), undefined, text);
    assert.equal(removeGeminiHooks(text), undefined, text);
  }
});
