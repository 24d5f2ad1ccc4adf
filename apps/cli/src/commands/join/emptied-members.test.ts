import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutEmptied } from "./emptied-members.ts";

test("[JOIN-71] what joining added and leaving emptied goes, and all else stays as it is written", () => {
  const before = '{ "theme": "dark", "mine": {} } // mine\n';
  const after = before.replace(
    "}",
    '}, "plugins": {"list": {"atrium": true}, "order": ["atrium"]}',
  );
  for (const [now, wanted] of [
    [
      '{ "theme": "light", "mine": {}, "plugins": {"list": {}, "order": []} } // mine\n',
      '{ "theme": "light", "mine": {} } // mine\n',
    ],
    [
      '{ "theme": "light", "plugins": {"list": {"other": true}, "order": []} }\n',
      '{ "theme": "light", "plugins": {"list": {"other": true}} }\n',
    ],
    [
      '{ "mine": {}, "later": {}, "plugins": {"list": {"a": 1}, "order": [2]} }',
      '{ "mine": {}, "later": {}, "plugins": {"list": {"a": 1}, "order": [2]} }',
    ],
    ["plugins = {}\n", "plugins = {}\n"],
    ["[]", "[]"],
  ] as const) {
    assert.equal(withoutEmptied(now, before, after), wanted);
  }
  assert.equal(withoutEmptied('{"a": {}}', null, '{"a": {"b": 1}}'), "{}");
  assert.equal(withoutEmptied('{"constructor": {}}', "{}", "{}"), '{"constructor": {}}');
});
