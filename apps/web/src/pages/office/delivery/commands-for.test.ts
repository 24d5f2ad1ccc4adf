import assert from "node:assert/strict";
import { test } from "node:test";
import { commandsFor } from "./commands-for.ts";

const given = (how: string, ref: string) =>
  commandsFor({ how, ref, commit: "c0ffee", by: "ann", at: 0 });

test("[WEB-67] what was delivered comes with what to type or download, and no name can be more than one word of it", () => {
  assert.deepEqual(given("branch", "atrium/tides"), {
    look: "git log -p HEAD..atrium/tides",
    take: "git merge atrium/tides",
  });
  assert.deepEqual(given("folder", "/home/ann/my tides; rm -rf /"), {
    look: "cd '/home/ann/my tides; rm -rf /'",
  });
  assert.deepEqual(given("folder", "/it's"), { look: `cd '/it'\\''s'` });
  assert.deepEqual(given("patch", "/api/projects/p/project.patch"), {
    take: "git am project.patch",
    address: "/api/projects/p/project.patch",
  });
  assert.deepEqual(given("pull-request", "https://example.test/pull/1"), {
    address: "https://example.test/pull/1",
  });
  assert.deepEqual(given("pull-request", "javascript:alert(1)"), {});
  assert.deepEqual(given("by carrier pigeon", "x"), {});
});
