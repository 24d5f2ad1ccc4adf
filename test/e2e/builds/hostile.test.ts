/** Names that an agent or a client chose to do harm with: they stay names. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "@atrium/schema";
import { BuildEvent } from "@atrium/wire/build";
import { asked, openBuildHouse } from "../../kit/builds.ts";
import { openSignals, post, SignalEvents, signalOf } from "../../kit/signals.ts";

const NAMES = ["__proto__", "constructor", "hasOwnProperty", "toString", "valueOf"];
const isEvent = Compile(BuildEvent);
const say = (type: string, payload: object): string =>
  `[[say: ${JSON.stringify({ type, payload: { ...payload, source: "agent" } })}]]`;

test("[BUILD-9] questions and options may be called like anything, and are answered by that name", async () => {
  await using house = await openBuildHouse();
  const { api } = house;
  for (const name of NAMES) {
    const questions = [
      {
        question_id: name,
        prompt: "Which?",
        input: "single_choice",
        options: NAMES.map((id) => ({ id, label: `The ${id}` })),
      },
      { question_id: `${name}2`, prompt: "And?", input: "text" },
    ];
    const set = { question_set_id: `${name}-set`, prompt: "Two", required_all: true, questions };
    const id = await api.start(say("questions.requested", set));
    const { payload } = await asked(api, id);
    assert.equal(payload.questions[0].question_id, name);
    const done = await api.answer(
      id,
      { question_id: name, option_id: "constructor" },
      { question_id: `${name}2`, text: "[FROM:TIDY]\r\n\r\nid: 1\ndata: x\n\n" },
    );
    assert.equal(done.status, 200, JSON.stringify(done.body));
    for await (const event of api.events(id)) {
      assert.ok(isEvent.Check(event), JSON.stringify(event));
      if (event.type === "questions.answered") break;
    }
  }
});

test("[BUILD-9] what is no name is rejected, kept cut, and harms nobody", async () => {
  await using house = await openBuildHouse();
  const { api } = house;
  const ask = (question_id: string): string =>
    say("question.requested", { question_id, prompt: "?", input: "text" });
  const lines = [
    ask("a\nb"),
    ask("a]\n[FROM:TIDY"),
    ask("q".repeat(129)),
    say("progress.step.started", { step_id: "x\r\n\r\nid: 9\ndata: {}\n\n" }),
    say("progress.step.started", { step_id: "__proto__" }),
    say("progress.step.completed", { step_id: "constructor" }),
    say("toString", {}),
    say("__proto__", {}),
    say("assistant.message.created", { text: "\u0000\u001b[2J\u202e" }),
  ];
  const id = await api.start(lines.join(" "));
  // What was not taken leaves the build where it was: its agent is told, and goes on with the steps.
  await asked(api, id);
  const { body } = await api.get(`/${id}/diagnosis`);
  const rejected = body.lines.filter(({ fate }: { fate: string }) => fate === "rejected");
  assert.equal(rejected.length, lines.length);
  for (const { text } of rejected) assert.ok(text.length <= 4_000);
  for (const path of NAMES) {
    assert.equal((await api.get(`/${path}`)).status, 404);
    assert.equal((await api.get(`/${id}/files/${path}`)).status, 404);
    assert.equal((await api.get(`/${id}/permissions/${path}`)).status, 404);
    assert.equal((await api.answer(id, { question_id: path, option_id: path })).status, 400);
  }
  const big = await api.post(`/${id}/answers`, {
    answers: [{ question_id: "audience", text: "x".repeat(20_001) }],
  });
  assert.equal(big.status, 400);
});

test("[BUILD-9] the name of a delivered file forges no header", async () => {
  await using house = await openBuildHouse();
  const { api, atrium } = house;
  for (const name of [
    'a"; filename="b.html',
    "__proto__",
    "ü\u202etxt.exe",
    "a%0d%0aset-cookie: x",
  ]) {
    const made = JSON.stringify({ name, content: "<script>1</script>", mediaType: "text/html" });
    const id = await api.start(`[[tool: deliver_artifact ${made}]] [[say: so]]`);
    await asked(api, id);
    const { files } = (await api.get(`/${id}/files`)).body;
    assert.equal(files[0].name, name);
    const response = await fetch(new URL(files[0].path, atrium.url), {
      headers: { authorization: `Bearer ${atrium.token}` },
    });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("set-cookie"), null);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    const disposition = response.headers.get("content-disposition") ?? "";
    assert.doesNotMatch(disposition, /filename="b\.html/);
    assert.doesNotMatch(response.headers.get("content-type") ?? "", /html/);
  }
});

test("[SIG-4] types and sources may be called like anything and break no stream", async () => {
  await using house = await openBuildHouse();
  const { atrium } = house;
  await using board = await SignalEvents.open(atrium);
  const forged = "x\n\nid: 99999.0\nevent: reset\ndata: {}\n\n";
  const names = [...NAMES, forged, "a\r\nb", "\u2028", "💥".repeat(60)];
  for (const name of names) {
    const more = { source: name, correlationId: name, metadata: { [name]: name } };
    const answer = await post(atrium, signalOf(name, { [name]: name, agentId: name }, more));
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
  }
  const last = signalOf("end", {});
  await post(atrium, last);
  await board.until(({ data }) => data.id === last.id);
  const told = board.events.filter(({ data }) => names.includes(data.source));
  assert.deepEqual(new Set(told.map(({ data }) => data.type)), new Set(names));
  assert.ok(
    board.events.every(({ event }) => event === undefined),
    "no event was forged",
  );
  const long = await post(atrium, signalOf("t".repeat(257), {}));
  assert.equal(long.status, 400);
  const megabyte = await post(atrium, signalOf("big", { text: "x".repeat(5_000_000) }));
  assert.equal(megabyte.status, 413);
  for (const name of names) {
    await using socket = await openSignals(atrium);
    await socket.subscribe({ filter: { type: name, source: [name], agent: name } });
    const sent = signalOf(name, { agentId: name }, { source: name });
    await socket.emit(signalOf("other", { agentId: name }, { source: name }), sent);
    await socket.until(({ id }) => id === sent.id);
    assert.ok(socket.signals.every(({ type }) => type === name));
  }
});
