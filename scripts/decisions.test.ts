import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decisionProblems, unexplainedDependencies } from "./decisions.ts";
import type { SourceFile } from "./source-files.ts";

describe("decisions", () => {
  test("numbers from 0001 without gaps, each with a status, are fine", () => {
    const files = [decision("0002-walls", "- **Status:** accepted"), decision("0001-one-log")];
    assert.deepEqual(decisionProblems(files), []);
  });

  test("a repeat, a gap, a missing status and a misnamed file are problems", () => {
    const files = [
      decision("0001-a"),
      decision("0001-b"),
      decision("0004-c", "Some day."),
      decision("notes"),
    ];
    assert.deepEqual(decisionProblems(files), [
      "docs/decisions/0001-b.md repeats a number",
      "docs/decisions/0004-c.md leaves a gap: 0002 is missing",
      `docs/decisions/0004-c.md has no "Status:" line`,
      "docs/decisions/notes.md is not named NNNN-title.md",
    ]);
  });

  test("a dependency is explained by its name or its scope in backticks, ours need none", () => {
    const server = {
      name: "@atrium/server",
      dependencies: { "@atrium/log": "1", "@nats-io/jetstream": "1", ws: "1", hono: "1" },
      optionalDependencies: { bufferutil: "1" },
    };
    const files = [decision("0001-a", "Sockets by `ws`, logs by `@nats-io/*`, not by hono.")];
    assert.deepEqual(unexplainedDependencies([server], files), [
      "@atrium/server depends on hono, which no decision in docs/decisions names",
      "@atrium/server depends on bufferutil, which no decision in docs/decisions names",
    ]);
  });
});

function decision(name: string, text = "Status: accepted"): SourceFile {
  return { path: `docs/decisions/${name}.md`, text: `# ${name}\n\n${text}\n` };
}
