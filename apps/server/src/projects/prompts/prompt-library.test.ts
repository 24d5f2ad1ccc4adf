import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse, type Outcome } from "@atrium/core";
import type { TreeFile } from "../../workspaces/port/workspaces.ts";
import { createPromptLibrary } from "./prompt-library.ts";

function openLibrary(content: string | Buffer | null, type: TreeFile["type"] = "file") {
  const notes: unknown[] = [];
  const library = createPromptLibrary({
    note: (what, context) => void notes.push([what, context["problem"] ?? context["unknown"]]),
  });
  const paths: string[] = [];
  const read = (path: string, maxBytes: number): Promise<Outcome<TreeFile>> => {
    paths.push(path);
    if (content === null) return Promise.resolve(refuse("file.missing", path));
    const bytes = Buffer.from(content);
    const fits = bytes.length <= maxBytes ? bytes : null;
    return Promise.resolve(accept({ type, id: "b1", bytes: bytes.length, content: fits }));
  };
  return { notes, paths, fill: (problem: string) => library.fill("replan", { problem }, read) };
}

test("[DIR-18] a repository's prompt is used instead of ours", async () => {
  const { fill, paths, notes } = openLibrary("Nope: {{problem}}\n");
  assert.equal(await fill("no JSON"), "Nope: no JSON");
  assert.deepEqual(paths, [".atrium/prompts/replan.md"]);
  assert.deepEqual(notes, []);
});

test("[DIR-18] without one, ours is used and nothing is said about it", async () => {
  const { fill, notes } = openLibrary(null);
  assert.match(await fill("no JSON"), /^This plan cannot be used:\nno JSON\n\nAnswer again/);
  assert.deepEqual(notes, []);
});

test("[DIR-18] one that is broken is not used, and the journal says once why", async () => {
  const cases: readonly [string | Buffer, TreeFile["type"], RegExp][] = [
    ["x".repeat(20_000), "file", /larger than 16384 bytes/],
    [Buffer.from([0xff, 0xfe, 0x00]), "file", /not text in UTF-8/],
    ["a\0{{problem}}", "file", /not text/],
    [" \n", "file", /empty/],
    ["Try again.", "file", /lacks \{\{problem\}\}/],
    ["../../secret", "link", /link/],
  ];
  for (const [content, type, why] of cases) {
    const { fill, notes } = openLibrary(content, type);
    assert.match(await fill("no JSON"), /^This plan cannot be used/);
    await fill("again");
    assert.equal(notes.length, 1, String(why));
    const [[what, problem]] = notes as [[string, string]];
    assert.equal(what, "a repository's prompt is not used");
    assert.match(problem, why);
  }
});

test("[DIR-18] places that nobody knows are named, and stay as they are", async () => {
  const { fill, notes } = openLibrary("{{problem}} {{tone}} {{__proto__}}");
  assert.equal(await fill("no JSON"), "no JSON {{tone}} {{__proto__}}");
  assert.deepEqual(notes, [
    ["a repository's prompt has unknown placeholders", ["tone", "__proto__"]],
  ]);
});

test("[DIR-18] a repository's prompt can add to ours", async () => {
  const { fill, notes } = openLibrary("{{default}}\n\nBe kind to {{problem}}.");
  const text = await fill("$& {{default}}");
  assert.match(text, /^This plan cannot be used:\n\$& \{\{default\}\}\n\nAnswer again/);
  assert.match(text, /\n\nBe kind to \$& \{\{default\}\}\.$/);
  const only = openLibrary("{{default}}\n\nAnswer in Latin.");
  assert.match(await only.fill("no JSON"), /^This plan[^]*Answer in Latin\.$/);
  assert.deepEqual([...notes, ...only.notes], []);
});

test("[DIR-18] one that grows without end when it is filled in is not used", async () => {
  const { fill, notes } = openLibrary("{{problem}} ".repeat(1_300));
  assert.match(await fill("x".repeat(8_000)), /^This plan cannot be used/);
  assert.match(JSON.stringify(notes), /too long when filled in/);
  const many = openLibrary("{{default}}".repeat(1_400));
  assert.ok((await many.fill("short")).length < 20_000);
  assert.match(JSON.stringify(many.notes), /unknown placeholders/);
});
