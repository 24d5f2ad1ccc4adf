import assert from "node:assert/strict";
import { test } from "node:test";
import { refuse, type WorkspaceCheck } from "@atrium/core";
import { skipWithout } from "../../../../../../scripts/system-programs.ts";
import type { Endpoint } from "../../../http/api.ts";
import { createAnchorComments } from "../../../workshop/comments/anchor-comments.ts";
import { createPlaceComments } from "../../../workshop/comments/place-comments.ts";
import {
  ARTIFACT_ID,
  DOCUMENT_ID,
  madeComment,
  openReviewedChange,
  type ReviewedChange,
} from "../../../workshop/testing/reviewed-change.ts";
import { value } from "../../../workspaces/testing/bench-top.ts";
import { createChangeEndpoints } from "./change-endpoints.ts";
import { createReviewEndpoints } from "./review-endpoints.ts";

const skip = skipWithout("git");

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests say what they expect of it
  readonly json: any;
}

async function get(
  endpoint: Endpoint,
  query: Readonly<Record<string, string>> = {},
  { id = ARTIFACT_ID, tag = "" } = {},
): Promise<Answer> {
  const incoming = { headers: tag === "" ? {} : { "if-none-match": tag } };
  const request = { path: { id }, query, incoming };
  const response = await endpoint(request as unknown as Parameters<Endpoint>[0]);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const json: unknown = isJson ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}

function review(
  { findChange, use, workspace }: ReviewedChange,
  checks: readonly WorkspaceCheck[] = [],
) {
  return createReviewEndpoints({
    findChange,
    findHandover: { ofBuild: async (id) => refuse("build.missing", id) },
    placeComments: createPlaceComments(use),
    workspaces: {
      get: () => ({ ...workspace, checks }),
      ofCheck: (id) => checks.find(({ checkId }) => checkId === id),
    },
    blobs: { get: async (digest) => Buffer.from(`output of ${digest}`) },
    liveOutputOf: (id) => (id === "live" ? "so far" : undefined),
  });
}

test(
  "[FILES-10] [FILES-11] a change is read file by file, against its base and against another version",
  { skip },
  async () => {
    await using reviewed = await openReviewedChange(
      { "a.txt": "one\ntwo\n", "old.txt": "1\n2\n3\n4\n5\n", "package-lock.json": "{}\n" },
      {
        files: { "a.txt": "one\n2\n", "package-lock.json": "{ }\n", "check.sh": "true\n" },
        flagged: ["check.sh"],
      },
      {
        files: { "a.txt": "one\n2\nthree\n", "x.bin": "\0\u0001", "many.txt": "x\n".repeat(6_000) },
        renamed: { "old.txt": "new.txt" },
        flagged: ["check.sh"],
      },
    );
    const { changes, diff, file } = createChangeEndpoints(reviewed);

    const { json: newest, headers } = await get(changes);
    assert.deepEqual([newest.artifact, newest.version, newest.against], [ARTIFACT_ID, 2, "base"]);
    const brief = (files: readonly Record<string, unknown>[]) =>
      files.map(({ path, from, how, added, removed, is_binary, is_large, flag }) =>
        [path, from, how, added, removed, is_binary, is_large, flag].join(" "),
      );
    assert.deepEqual(brief(newest.files), [
      "a.txt  changed 2 1 false false ",
      "check.sh  added 1 0 false false check",
      "many.txt  added 6000 0 false true ",
      "new.txt old.txt renamed 0 0 false false ",
      "package-lock.json  changed 1 1 false false lock",
      "x.bin  added   true false ",
    ]);
    assert.deepEqual([newest.has_more, newest.omitted, newest.flagged], [false, [], ["check.sh"]]);
    const { json: between } = await get(changes, { against: "1" });
    assert.deepEqual(
      between.files.map(({ path }: { path: string }) => path),
      ["a.txt", "many.txt", "new.txt", "x.bin"],
    );
    const { json: first } = await get(changes, { version: "1" });
    assert.equal(first.files.length, 3);

    const known = await get(changes, {}, { tag: headers.get("etag") ?? "" });
    assert.deepEqual([known.status, known.text], [304, ""]);
    assert.equal(
      (await get(changes, { version: "1" }, { tag: headers.get("etag") ?? "" })).status,
      200,
    );

    assert.match((await get(diff, { path: "a.txt" })).json.patch, /\n-two\n\+2\n\+three\n$/);
    assert.match((await get(diff, { path: "a.txt", against: "1" })).json.patch, / 2\n\+three\n$/);
    const { json: large } = await get(diff, { path: "many.txt" });
    assert.equal(large.is_large, true);
    assert.match((await get(diff, { path: "many.txt", whole: "1" })).json.patch, /^\+x$/m);

    assert.equal((await get(file, { path: "a.txt" })).text, "one\n2\nthree\n");
    assert.equal((await get(file, { path: "a.txt", side: "old" })).text, "one\ntwo\n");
    const before = { path: "a.txt", side: "old", against: "1" };
    assert.equal((await get(file, before)).text, "one\n2\n");
    const binary = await get(file, { path: "x.bin" });
    assert.match(binary.headers.get("content-disposition") ?? "", /^attachment/);
    assert.match(binary.headers.get("content-security-policy") ?? "", /sandbox/);
  },
);

test(
  "[FILES-10] a version that resolves a conflict is compared with the conflict, and no other version is",
  { skip },
  async () => {
    const marked = "one\n<<<<<<< line\n2\n=======\nzwei\n>>>>>>> change\n";
    await using reviewed = await openReviewedChange(
      { "a.txt": "one\n", "b.txt": "b\n" },
      { files: { "a.txt": marked, "b.txt": "bb\n" } },
      { files: { "a.txt": "one\n2\nzwei\n" }, resolvesConflict: true },
    );
    const { changes, diff, file } = createChangeEndpoints(reviewed);
    const { json: newest } = await get(changes, { against: "conflict" });
    assert.deepEqual([newest.version, newest.against], [2, "conflict"]);
    assert.equal(newest.resolves_conflict, true);
    assert.deepEqual(
      newest.files.map(({ path }: { path: string }) => path),
      ["a.txt"],
    );
    const { json: compared } = await get(diff, { against: "conflict", path: "a.txt" });
    assert.match(compared.patch, /^-<{7} line$/m);
    const before = await get(file, { against: "conflict", path: "a.txt", side: "old" });
    assert.equal(before.text, marked);
    const first = await get(changes, { version: "1", against: "conflict" });
    assert.equal(first.status, 400);
    assert.match(first.text, /version 1 resolves no conflict/);
    assert.equal((await get(changes, { version: "1" })).json.resolves_conflict, undefined);
  },
);

test(
  "[FILES-12] what is asked wrongly is refused by name: artifact, version, path, side",
  { skip },
  async () => {
    await using reviewed = await openReviewedChange(
      { "a.txt": "1\n" },
      { files: { "b.txt": "2\n" } },
    );
    const { changes, diff, file } = createChangeEndpoints(reviewed);
    const { comments, checks, output } = review(reviewed);
    const hostile = [
      "__proto__",
      "../../etc/passwd",
      "\0",
      "x".repeat(1_000_000),
      "a b\r\n",
      "%00",
    ];
    for (const id of ["", "art_none", ...hostile]) {
      for (const endpoint of [changes, comments, checks, output]) {
        const answer = await get(endpoint, {}, { id });
        assert.equal(answer.status, 404, id.slice(0, 20));
        assert.ok(answer.text.length < 1_000);
      }
    }
    const cases: readonly (readonly [Endpoint, Record<string, string>, number, RegExp])[] = [
      [changes, { version: "7" }, 404, /has no version 7/],
      [changes, { version: "-1" }, 400, /version must be a version: a whole number/],
      [changes, { version: "constructor" }, 400, /version must be/],
      [changes, { against: "2" }, 404, /has no version 2/],
      [changes, { against: "HEAD" }, 400, /against must be base, conflict or the number/],
      [diff, {}, 400, /name the file/],
      [diff, { path: "a.txt" }, 404, /does not differ between the two/],
      [file, {}, 400, /name the file/],
      [file, { path: "a.txt", side: "left" }, 400, /side must be old or new/],
      [file, { path: "b.txt", side: "old" }, 404, /b\.txt/],
      ...hostile.map((path) => [file, { path }, 404, /No file/] as const),
      ...hostile.map((path) => [diff, { path }, 404, /does not differ/] as const),
    ];
    for (const [endpoint, query, status, says] of cases) {
      const answer = await get(endpoint, query);
      assert.equal(answer.status, status, JSON.stringify(query).slice(0, 80));
      assert.match(answer.json.error.message, says);
      assert.ok(answer.text.length < 1_000);
    }
    const document = await get(changes, {}, { id: DOCUMENT_ID });
    assert.deepEqual([document.status, document.json.error.code], [409, "artifact.document"]);
  },
);

test(
  "[FILES-13] comments have their places in the version that is asked for, and what was answered",
  { skip },
  async () => {
    await using reviewed = await openReviewedChange(
      { "a.txt": "one\ntwo\n" },
      { files: { "a.txt": "one\n2\n" } },
      { files: { "a.txt": "zero\none\n2\n" } },
    );
    const anchored = await createAnchorComments(reviewed.use)(
      value(reviewed.findChange(ARTIFACT_ID, 1)),
      [{ path: "a.txt", side: "new", line: 2, endLine: 2, text: "Why?" }],
    );
    const [draft] = value(anchored);
    assert.ok(draft !== undefined);
    reviewed.comment({ ...madeComment(draft, 1), answer: "Because." });
    const { comments } = review(reviewed);
    const { json, headers } = await get(comments);
    assert.deepEqual(json.comments, [
      {
        comment_id: "com_a.txt_2",
        path: "a.txt",
        side: "new",
        line: 2,
        end_line: 2,
        text: "Why?",
        code: ["2"],
        by: "Ada",
        at: json.comments[0].at,
        version: 1,
        place: { path: "a.txt", line: 3, end_line: 3, state: "moved" },
        answer: "Because.",
      },
    ]);
    const tag = headers.get("etag") ?? "";
    assert.equal((await get(comments, {}, { tag })).status, 304);
    reviewed.comment({ ...madeComment(draft, 1), answer: "Otherwise." });
    assert.equal((await get(comments, {}, { tag })).status, 200);
  },
);

test(
  "[FILES-15] checks of the files of a version are listed, and their output is read while and after they run",
  { skip },
  async () => {
    await using reviewed = await openReviewedChange(
      { "a.txt": "1\n" },
      { files: { "a.txt": "2\n" } },
    );
    const { tree: checkedTree } = value(reviewed.findChange(ARTIFACT_ID)).change;
    const about = { command: "npm test", isRequired: true, checkedTree };
    const end = {
      verdict: "failed",
      exitCode: 1,
      ms: 12,
      output: { digest: "abc", bytes: 9 },
    } as const;
    const rows: readonly WorkspaceCheck[] = [
      { ...about, checkId: "live", name: "lint", end: null },
      { ...about, checkId: "done", name: "test", end },
      { ...about, checkId: "other", name: "other", checkedTree: "another", end: null },
    ];
    const endpoints = review(reviewed, rows);
    const { json } = await get(endpoints.checks);
    const common = { command: "npm test", required: true };
    const running = { state: "running", exit_code: null, ms: null, output_bytes: 0 };
    const failed = { state: "failed", exit_code: 1, ms: 12, output_bytes: 9 };
    assert.deepEqual(json.checks, [
      { check_id: "live", name: "lint", ...common, ...running },
      { check_id: "done", name: "test", ...common, ...failed },
    ]);
    assert.equal((await get(endpoints.output, {}, { id: "live" })).text, "so far");
    const done = await get(endpoints.output, {}, { id: "done" });
    assert.equal(done.text, "output of abc");
    assert.match(done.headers.get("content-type") ?? "", /^text\/plain/);
    assert.equal((await get(endpoints.output, {}, { id: "other" })).text, "");
  },
);
