import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openTestAtrium } from "../../kit/atrium.ts";
import { startServer, withHome } from "../../kit/server-process.ts";
import { textsOf } from "../../kit/transcript-texts.ts";

const named = (displayName: string) => ({ client: { displayName } });

test("[GW-49] a poll is said in its conversation, voted on, changed, and its result said there", async () => {
  await using atrium = await openTestAtrium();
  await using ann = await atrium.connect(named("Ann"));
  await using bob = await atrium.connect(named("Bob"));
  const asked = {
    to: "main",
    question: "Lunch?",
    options: ["Pizza", "Sushi", "Soup"],
    maxSelections: 2,
    idempotencyKey: "p1",
  };
  const opened = await ann.ask("poll", asked);
  assert.deepEqual(await ann.ask("poll", asked), opened);
  const { pollId } = opened;
  assert.deepEqual([opened.runId, opened.channel], ["p1", "webchat"]);
  assert.deepEqual(await textsOf(ann), [
    `Poll: Lunch?\n1. Pizza\n2. Sushi\n3. Soup\nChoose up to 2. Poll id: ${pollId}`,
  ]);
  await ann.ask("poll.vote", { pollId, options: ["pizza", 3] });
  await bob.ask("poll.vote", { pollId, options: ["Soup"] });
  const { poll } = await ann.ask("poll.vote", { pollId, options: ["2"] });
  assert.deepEqual(
    poll.options.map(({ votes, names }: { votes: number; names: string[] }) => [votes, names]),
    [
      [0, []],
      [1, ["Ann"]],
      [1, ["Bob"]],
    ],
  );
  for (const [options, why] of [
    [["Pasta"], "there is no option Pasta"],
    [[4], "there is no option 4"],
    [[1, 2, 3], "3 chosen, 2 allowed"],
  ] as const) {
    const { error } = await bob.request("poll.vote", { pollId, options });
    assert.match(error?.message ?? "", new RegExp(RegExp.escape(why)));
  }
  const closed = await ann.ask("poll.close", { pollId });
  assert.deepEqual([closed.poll.status, closed.poll.closedBy], ["closed", "Ann"]);
  const late = await bob.request("poll.vote", { pollId, options: [1] });
  assert.equal(late.error?.details.reason, "poll.closed");
  assert.deepEqual((await textsOf(bob)).slice(1), [
    "Poll closed: Lunch?\nPizza: 0\nSushi: 1 (Ann)\nSoup: 1 (Bob)\n2 votes",
  ]);
  const missing = await bob.request("poll.get", { pollId: "poll_none" });
  assert.equal(missing.error?.details.reason, "poll.missing");
});

test("[GW-49] a poll closes when its time is up, also when the server was away meanwhile", async () => {
  await withHome(async (home) => {
    const asked = { to: "main", question: "Now?", options: ["a", "b"], durationSeconds: 1 };
    let pollId = "";
    {
      await using server = await startServer(home);
      await using peer = await server.connect();
      ({ pollId } = await peer.ask("poll", { ...asked, idempotencyKey: "p1" }));
      await peer.ask("poll.vote", { pollId, options: ["a"], voter: "Eve" });
      await server.end("SIGKILL");
    }
    await using server = await startServer(home);
    await using peer = await server.connect();
    while (!(await textsOf(peer)).some((text) => text.startsWith("Poll closed"))) {
      await setTimeout(20);
    }
    const { poll } = await peer.ask("poll.get", { pollId });
    assert.deepEqual([poll.status, poll.voters, poll.options[0].names], ["closed", 1, ["Eve"]]);
    assert.equal((await textsOf(peer)).length, 2);
  });
});

test("[GW-49] a poll that cannot be held or said is refused and leaves nothing behind", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const asked = { to: "main", question: "?", options: ["a", "b"], idempotencyKey: "p" };
  for (const [extra, why] of [
    [{ options: ["a", "A"] }, "two options are the same"],
    [{ maxSelections: 3 }, "maxSelections is 3"],
    [{ durationSeconds: 5, durationHours: 1 }, "exclude each other"],
    [{ to: "nowhere" }, "session not found"],
    [{ threadId: "1" }, "threadId"],
    [{ options: ["a"] }, "at /options"],
  ] as const) {
    const { error } = await peer.request("poll", { ...asked, ...extra });
    assert.match(error?.message ?? "", new RegExp(RegExp.escape(why)));
  }
  assert.deepEqual(await textsOf(peer), []);
});

test("[GW-49] the peer's command line sends, polls and votes by message.action", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect(named("Ann"));
  const act = (action: string, params: object, idempotencyKey: string, extra: object = {}) =>
    peer.request("message.action", { channel: "office", action, params, idempotencyKey, ...extra });
  const sent = await act("send", { target: "everyone", message: "hi", dryRun: false }, "a1", {
    senderIsOwner: true,
    conversationReadOrigin: "direct-operator",
  });
  assert.deepEqual(
    [sent.payload.ok, sent.payload.channel, sent.payload.runId],
    [true, "office", "a1"],
  );
  const params = {
    to: "everyone",
    pollQuestion: "Tea?",
    pollOption: ["Yes", "No"],
    pollMulti: true,
    pollAnonymous: true,
    pollDurationHours: "2",
  };
  const { pollId } = (await act("poll", params, "a2")).payload;
  assert.equal((await act("poll", params, "a2")).payload.pollId, pollId);
  const voted = await act("poll-vote", { pollId, option: "no" }, "a3");
  const others = await act("poll-vote", { pollId, options: ["Yes", 2] }, "a4", {
    requesterSenderId: "bob@example.org",
  });
  assert.equal(voted.payload.poll.voters, 1);
  const { poll } = others.payload;
  assert.deepEqual([poll.voters, poll.options[0].votes, poll.options[1].votes], [2, 1, 2]);
  assert.deepEqual(poll.options[1].names, []);
  assert.ok(poll.closesAtMs > poll.openedAtMs);
  for (const [action, bad, why] of [
    ["send", { to: "x" }, "message is required"],
    ["send", { message: "x" }, "to is required"],
    ["poll", { to: "x", pollOption: ["a", "b"] }, "pollQuestion is required"],
    ["poll", { to: "x", pollQuestion: "?", pollOption: "a" }, "1 options"],
    ["poll", { ...params, pollDurationHours: "soon" }, "a poll cannot last NaN"],
    ["poll-vote", { pollId }, "option or options is required"],
    ["poll-vote", { pollId: "none", option: 1 }, "No poll has that id"],
    ["react", {}, "message action react not supported for channel office"],
  ] as const) {
    const { error } = await act(action, bad, `bad ${why}`);
    assert.equal(error?.code, "INVALID_REQUEST");
    assert.match(error.message, new RegExp(RegExp.escape(why)));
  }
  const reader = await atrium.connect({ scopes: ["operator.read"] });
  const forbidden = await reader.request("poll.vote", { pollId, options: [1] });
  assert.equal(forbidden.error?.code, "FORBIDDEN");
  assert.equal((await reader.ask("poll.get", { pollId })).poll.voters, 2);
  await reader[Symbol.asyncDispose]();
});
