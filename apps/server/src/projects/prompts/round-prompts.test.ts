import assert from "node:assert/strict";
import { test } from "node:test";
import type { ArtifactComment } from "@atrium/core";
import { skipWithout } from "../../../../../scripts/system-programs.ts";
import { git, write } from "../../workspaces/testing/user-repository.ts";
import { artifactOf, openPromptShop, projectOf, taskOf } from "./testing/prompt-shop.ts";

const skip = skipWithout("git");

test(
  "[DIR-16] another round has the wishes, each comment with its code, and the version they are about",
  { skip },
  async () => {
    await using shop = await openPromptShop({ "a.ts": "one\ntwo\n" });
    const base = git(shop.folder, "rev-parse", "HEAD");
    write(shop.folder, { "a.ts": "one\nthree\n" });
    git(shop.folder, "commit", "--quiet", "--all", "--message", "Second");
    const commit = git(shop.folder, "rev-parse", "HEAD");
    const comment = {
      commentId: "cmt_a_1",
      path: "a.ts",
      side: "new",
      line: 2,
      endLine: 3,
      text: "Two was better:\n```suggestion\ntwo\n```\nTask 1 of 1: x",
      code: ["three", "Task 1 of 1: y"],
      version: 1,
      by: { id: "ann", name: "Ann", via: "world" },
      answer: null,
      resolvedBy: null,
    } as unknown as ArtifactComment;
    const settled = { ...comment, commentId: "cmt_a_2", resolvedBy: comment.by };
    const artifact = artifactOf({
      versions: [{ version: 1, runId: "run_1", at: 5, change: { base, commit } }],
      comments: [comment, settled],
    });
    const of = projectOf({ artifacts: [artifact] });
    const { text } = await shop.task(of, taskOf({ attempts: 2 }), "run_1");
    const expected = [
      "Changes were requested:",
      "",
      "build-it.patch:",
      "> Make it blue.",
      "",
      "Comments on lines, each with its id and the code it is about:",
      "",
      "cmt_a_1, by Ann, on a.ts, lines 2 to 3 of version 1:",
      "> | three",
      "> | Task 1 of 1: y",
      ">",
      "> Two was better:",
      "> ```suggestion",
      "> two",
      "> ```",
      "> Task 1 of 1: x",
      "",
      "What was said when version 1 was handed over:",
      "> Said by run_1.",
      "> ",
      "> Task 1 of 1: nothing",
      "",
      "What version 1 changed:",
      "> 1 file changed, +1 −1 lines:",
      "> changed a.ts (+1 −1)",
      "",
      "Start from what is there",
    ].join("\n");
    assert.ok(text.includes(expected), text);
    assert.equal(text.includes("cmt_a_2"), false);
    const only = artifactOf({ instructions: "", comments: [comment] });
    const remarks = await shop.task(
      projectOf({ artifacts: [only] }),
      taskOf({ attempts: 2 }),
      null,
    );
    assert.match(
      remarks.text,
      /^Changes were requested:\n\nSee the comments\.\n\nComments on lines/m,
    );
  },
);

test(
  "[DIR-16] another round has the checks that failed, with the end of what they put out",
  { skip },
  async () => {
    const checks = [
      { checkId: "chk_1", name: "test", command: "npm test", end: { output: { digest: "out" } } },
      {
        checkId: "chk_2",
        name: "lint",
        command: "npm run lint",
        end: { output: { digest: "gone" } },
      },
    ];
    await using shop = await openPromptShop({ "a.ts": "" }, { newest: null, checks });
    const results = [
      { checkId: "chk_1", name: "test", verdict: "failed", exitCode: 1 },
      { checkId: "chk_2", name: "lint", verdict: "error", exitCode: null },
      { checkId: "chk_3", name: "types", verdict: "passed", exitCode: 0 },
    ];
    const failed = { version: 1, state: "failed", names: [], results };
    const artifact = artifactOf({ status: "created", instructions: null, checks: failed });
    const of = projectOf({ artifacts: [artifact] });
    const { text } = await shop.task(of, taskOf({ attempts: 2 }), "run_1");
    assert.match(
      text,
      /^test \(npm test\) ended with exit code 1:\n> … \d+ characters left out\n/m,
    );
    assert.match(
      text,
      /\n> 1 test failed\n> \[31mTask 1\n\nlint \(npm run lint\) ended with error:\n\n/,
    );
    assert.doesNotMatch(text, /types|Changes were requested|interrupted/);
    assert.ok(text.length < 12_000);
  },
);

test(
  "[DIR-16] another round has both sides of every conflict, and whose they are",
  { skip },
  async () => {
    await using shop = await openPromptShop({ "a.ts": "" });
    await shop.work({
      "a.ts": "before\n<<<<<<< line\ntheirs\n=======\nours\n>>>>>>> change\nafter\n",
    });
    const conflict = {
      version: 1,
      with: "c2",
      paths: [
        { path: "a.ts", kind: "contents" },
        { path: "gone\nTask 1", kind: "modify/delete" },
      ],
    };
    const landing = { state: "conflicted", landed: null, conflict, reverted: null };
    const landed = {
      state: "landed",
      landed: { commit: "c2", before: "c1", at: 9 },
      conflict: null,
    };
    const other = taskOf({ taskId: "t2", title: "Paint it", assignee: "agent_eng_2" });
    const of = projectOf({
      tasks: [taskOf({}), other],
      artifacts: [
        artifactOf({ status: "approved", landing }),
        artifactOf({ artifactId: "art_2", taskId: "t2", status: "approved", landing: landed }),
      ],
    });
    const { text } = await shop.task(of, taskOf({ attempts: 2 }), "run_1");
    const expected = [
      "What landed since:",
      "- Task 2, Paint it, by Eng 2",
      "",
      "Paths in conflict:",
      "- a.ts (contents)",
      "- gone Task 1 (modify/delete)",
      "",
      "In a.ts:",
      "> <<<<<<< line",
      "> theirs",
      "> =======",
      "> ours",
      "> >>>>>>> change",
      "",
    ].join("\n");
    assert.ok(text.includes(expected), text);
    assert.doesNotMatch(text, /^> (?:before|after)$/m);
  },
);

test(
  "[DIR-16] of what has no conflict markers, another round says who did what and how to read each version",
  { skip },
  async () => {
    await using shop = await openPromptShop({ "a.ts": "" });
    const [base, line, change] = ["1".repeat(40), "2".repeat(40), "3".repeat(40)];
    const paths = [
      { path: "logo.png", kind: "binary", sides: { base, line, change } },
      { path: "new.png", kind: "binary", sides: { base: null, line, change } },
      { path: "old.ts\n- b.ts", kind: "delete", sides: { base, line: null, change } },
      { path: "kept.ts", kind: "delete", sides: { base, line, change: null } },
      { path: "a.ts", kind: "rename", sides: { base, line: null, change: null } },
      { path: "b.ts", kind: "rename", sides: { base: null, line, change: null } },
      { path: "c.ts", kind: "rename", sides: { base: null, line: null, change } },
      { path: "text.ts", kind: "content", sides: { base, line, change } },
      { path: "earlier.ts", kind: "delete" },
    ];
    const conflict = { version: 1, with: "c2", paths };
    const landing = { state: "conflicted", landed: null, conflict, reverted: null };
    const of = projectOf({ artifacts: [artifactOf({ status: "approved", landing })] });
    const { text } = await shop.task(of, taskOf({ attempts: 2 }), "run_1");
    const at = (side: string, id: string): string => `${side}: \`git cat-file blob ${id}\``;
    const [before, landed, mine] = [
      at("before both", base),
      at("what landed", line),
      at("this change", change),
    ];
    const expected = [
      "No markers can show these; each version is printed by its command, in your folder:",
      `- logo.png: both changed it, and your folder has what landed (${before}; ${landed}; ${mine})`,
      `- new.png: both added it, and your folder has what landed (${landed}; ${mine})`,
      `- old.ts - b.ts: what landed deleted it, and this change changed it (${before}; ${mine})`,
      `- kept.ts: this change deleted it, and what landed changed it (${before}; ${landed})`,
      `- a.ts: both gave it another name (${before})`,
      `- b.ts: only what landed has it (${landed})`,
      `- c.ts: only this change has it (${mine})`,
      "",
      "Your folder has the project",
    ].join("\n");
    assert.ok(text.includes(expected), text);
  },
);
