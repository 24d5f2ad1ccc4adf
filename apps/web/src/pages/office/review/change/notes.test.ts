import assert from "node:assert/strict";
import { test } from "node:test";
import { suggestedComment } from "./comments-to-send.ts";
import type { ReviewComment } from "./review-http.ts";
import { createReviewNotes, NO_NOTES, type DraftComment } from "./review-notes.ts";
import { suggestionIn, withSuggestion } from "./suggestion.ts";
import { stateOf, threadsOf } from "./threads.ts";

const DRAFT: DraftComment = {
  id: "d1",
  version: 1,
  path: "__proto__",
  side: "new",
  line: 3,
  endLine: 4,
  text: "Why?",
};

function storage(first: string | null = null) {
  let kept = first;
  return { getItem: () => kept, setItem: (_: string, text: string) => void (kept = text) };
}

test("[WEB-48] what was noted about a result is there after a reload, and gone once it was sent", () => {
  const kept = storage();
  const store = createReviewNotes(kept, "a1");
  const notes = {
    comments: [DRAFT],
    viewed: new Map([["__proto__", 1]]),
    met: new Set(["It builds"]),
    instructions: "Shorter",
    judged: 1,
  };
  store.setState(notes);
  createReviewNotes(kept, "a2").setState({ instructions: "Other" });
  assert.deepEqual(createReviewNotes(kept, "a1").getState(), notes);
  store.setState(NO_NOTES);
  assert.deepEqual(createReviewNotes(kept, "a1").getState(), NO_NOTES);
  assert.equal(createReviewNotes(kept, "a2").getState().instructions, "Other");
});

test("[WEB-48] whatever else is kept under the name is as if it were not there", () => {
  const strange = [
    '{"a":1}',
    "[[1]]",
    "not json",
    '[["a1",{"comments":[{"id":1}],"viewed":[["x"]],"met":7}]]',
  ];
  for (const text of strange) {
    assert.deepEqual(createReviewNotes(storage(text), "a1").getState(), NO_NOTES);
  }
});

test("[WEB-51] a suggestion is a block that holds the lines it takes the place of, whatever they contain", () => {
  const code = ["```js", "a();", "```"];
  const text = withSuggestion("Like this:", code);
  assert.deepEqual(suggestionIn(text), code);
  assert.deepEqual(suggestionIn("```suggestion\n```"), []);
  assert.equal(suggestionIn("```ts\na\n```"), undefined);
  assert.deepEqual(suggestionIn(withSuggestion("", ["one␍"])), ["one"]);
});

const comment = (more: Partial<ReviewComment>): ReviewComment => ({
  comment_id: "c1",
  path: "a.ts",
  side: "new",
  line: 2,
  end_line: 2,
  text: "Why?",
  code: ["x"],
  version: 1,
  by: "Ada",
  at: 0,
  place: {
    path: "b.ts",
    line: 7,
    end_line: 8,
    state: "moved",
  },
  ...more,
});

test("[WEB-54] a comment stands where its lines are now; drafts of another version and what is outdated do not", () => {
  const gone = comment({ comment_id: "c2", place: { ...comment({}).place, state: "outdated" } });
  const of = { version: 2, against: "base" } as const;
  const threads = threadsOf([comment({}), gone], [DRAFT, { ...DRAFT, version: 2 }], of);
  assert.deepEqual([...threads.keys()], ["b.ts", "__proto__"]);
  assert.deepEqual(
    [...threads.values()]
      .flat()
      .map(({ side, line, comments, drafts }) => [side, line, comments.length, drafts.length]),
    [
      ["new", 8, 1, 0],
      ["new", 4, 0, 1],
    ],
  );
});

test("[WEB-48] what was before is commented on only where it is what the work started from", () => {
  const drafts = [{ ...DRAFT, side: "old" as const }];
  assert.equal(threadsOf([], drafts, { version: 1, against: "base" }).size, 1);
  assert.equal(threadsOf([], drafts, { version: 1, against: 2 }).size, 0);
});

test("[WEB-54] in the next version each comment is addressed, untouched or outdated", () => {
  const place = comment({}).place;
  assert.equal(stateOf(comment({ version: 2 }), 2), "new");
  assert.equal(stateOf(comment({}), 2), "untouched");
  assert.equal(stateOf(comment({ answer: "Done." }), 2), "addressed");
  assert.equal(stateOf(comment({ place: { ...place, state: "changed" } }), 2), "addressed");
  assert.equal(stateOf(comment({ place: { ...place, state: "outdated" } }), 2), "outdated");
  assert.equal(stateOf(comment({ resolved_by: "Ada" }), 2), "resolved");
});

test("[WEB-51] what was suggested before is applied where its lines are now, if they are what they were", () => {
  const text = "Rather:\n```suggestion\ny\n```";
  const { place } = comment({});
  assert.deepEqual(suggestedComment(comment({ text })), {
    path: "b.ts",
    side: "new",
    line: 7,
    end_line: 8,
    text,
  });
  assert.equal(suggestedComment(comment({})), undefined);
  assert.equal(suggestedComment(comment({ text, side: "old" })), undefined);
  for (const state of ["changed", "outdated"] as const) {
    assert.equal(suggestedComment(comment({ text, place: { ...place, state } })), undefined);
  }
});
