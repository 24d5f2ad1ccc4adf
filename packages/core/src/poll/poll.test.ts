import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse } from "../engine/refusal.ts";
import { OFFICE_CHAT, officeChat } from "../office/chat.ts";
import type { Answerer } from "../people/answerer.ts";
import { createOfficeChatLines } from "../projections/office-chat-lines.ts";
import { createPolls, tallyOf } from "../projections/polls.ts";
import { given } from "../testing/index.ts";
import { poll, type PollEvent, type PollSubject } from "./poll.ts";

const ann: Answerer = { id: "device-a", name: "Ann", via: "gateway" };
const bob: Answerer = { id: "device-b", name: "Bob", via: "gateway" };
const subject: PollSubject = {
  question: "Lunch?",
  options: ["Pizza", "Sushi", "Soup"],
  maxSelections: 2,
  isAnonymous: false,
  channel: "webchat",
  to: "agent:main:main",
  closesAt: null,
};
const opened: PollEvent = { type: "poll.opened", id: "p1", subject };
const voted = (by: Answerer, ...choices: number[]): PollEvent => ({
  type: "poll.voted",
  choices,
  by,
});

test("[GW-49] a vote may be changed until the poll closes", () => {
  assert.deepEqual(given(poll).when({ type: "open", id: "p1", subject }), accept([opened]));
  const open = given(poll, opened, voted(ann, 0));
  assert.deepEqual(open.when({ type: "vote", choices: [1], by: ann }), accept([voted(ann, 1)]));
  assert.deepEqual(open.when({ type: "vote", choices: [0, 0], by: ann }), accept([]));
  assert.deepEqual(
    open.when({ type: "close", by: bob }),
    accept([{ type: "poll.closed", by: bob }]),
  );
  const closed = given(poll, opened, { type: "poll.closed", by: bob });
  const late = refuse("poll.closed", "closed by Bob (gateway)");
  assert.deepEqual(closed.when({ type: "vote", choices: [1], by: ann }), late);
  assert.deepEqual(closed.when({ type: "close", by: ann }), late);
  const over = given(poll, opened, { type: "poll.closed", by: null });
  assert.deepEqual(
    over.when({ type: "vote", choices: [1], by: ann }),
    refuse("poll.closed", "its time was up"),
  );
});

test("[GW-49] a vote that does not fit is refused", () => {
  const open = given(poll, opened);
  for (const [choices, why] of [
    [[], "nothing was chosen"],
    [[3], "there is no option 4"],
    [[-1], "there is no option 0"],
    [[0.5], "there is no option 1.5"],
    [[0, 1, 2], "3 chosen, 2 allowed"],
  ] as const) {
    assert.deepEqual(open.when({ type: "vote", choices, by: ann }), refuse("poll.misvoted", why));
  }
  assert.deepEqual(
    given(poll).when({ type: "vote", choices: [0], by: ann }),
    refuse("poll.missing"),
  );
});

test("[GW-49] a poll that makes no sense is not opened, and none twice", () => {
  for (const flawed of [
    { ...subject, question: " " },
    { ...subject, options: ["one"] },
    { ...subject, options: Array.from({ length: 13 }, (_, n) => `${n}`) },
    { ...subject, options: ["a", " A "] },
    { ...subject, options: ["a", " "] },
    { ...subject, maxSelections: 4 },
    { ...subject, maxSelections: 0 },
  ]) {
    const refused = given(poll).when({ type: "open", id: "p1", subject: flawed });
    assert.equal(refused.ok ? undefined : refused.code, "poll.malformed");
  }
  assert.deepEqual(
    given(poll, opened).when({ type: "open", id: "p1", subject }),
    refuse("poll.taken", "p1"),
  );
});

test("[GW-49] the tally counts each voter's latest vote, and names no one in an anonymous poll", () => {
  const polls = createPolls();
  const apply = (id: string, { type, ...data }: PollEvent): void =>
    polls.apply({ seq: 1, stream: `poll/${id}`, type, at: 5, data });
  for (const [id, isAnonymous] of [
    ["p1", false],
    ["p2", true],
  ] as const) {
    apply(id, { type: "poll.opened", id, subject: { ...subject, isAnonymous } });
    apply(id, voted(ann, 0, 2));
    apply(id, voted(bob, 0));
    apply(id, voted(ann, 1));
  }
  const row = polls.get("p1");
  assert.ok(row);
  assert.deepEqual(tallyOf(row), {
    voters: 2,
    options: [
      { label: "Pizza", votes: 1, names: ["Bob"] },
      { label: "Sushi", votes: 1, names: ["Ann"] },
      { label: "Soup", votes: 0, names: [] },
    ],
  });
  const secret = polls.get("p2");
  assert.ok(secret);
  assert.deepEqual(
    tallyOf(secret).options.map(({ votes, names }) => [votes, names]),
    [
      [1, []],
      [1, []],
      [0, []],
    ],
  );
  apply("p1", { type: "poll.closed", by: null });
  assert.deepEqual(polls.get("p1")?.closed, { at: 5, by: null });
  const loaded = createPolls();
  loaded.load(JSON.parse(JSON.stringify(polls.save())));
  assert.deepEqual(loaded.listOpen(), polls.listOpen());
  assert.deepEqual(loaded.listClosed(), polls.listClosed());
});

test("the latest lines said in the office are kept, in order", () => {
  const say = { type: "say", messageId: "m1", from: "Ann", to: "everyone", text: "hello" } as const;
  const said = given(officeChat).when(say);
  assert.deepEqual(said, accept([{ ...say, type: "office.said" }]));
  const lines = createOfficeChatLines();
  for (let n = 0; n < 205; n++) {
    const data = { messageId: `m${n}`, from: "Ann", to: "everyone", text: `${n}` };
    lines.apply({ seq: n, stream: `office/${OFFICE_CHAT}`, type: "office.said", at: n, data });
  }
  assert.equal(lines.list().length, 200);
  assert.deepEqual([lines.list()[0]?.text, lines.list().at(-1)?.text], ["5", "204"]);
  const loaded = createOfficeChatLines();
  loaded.load(JSON.parse(JSON.stringify(lines.save())));
  assert.deepEqual(loaded.list(), lines.list());
});
