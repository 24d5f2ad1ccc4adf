/** What people ask of the world, and the one answer they get. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { BuildApi } from "../../kit/builds.ts";
import { enterWorld, type WorldMessage, type WorldPeer } from "../../kit/world-peer.ts";

const codeOf = ({ type, payload }: WorldMessage): string => (type === "ack" ? "ok" : payload.code);

/** A project whose tasks wait for someone. */
async function plannedProject(peer: WorldPeer, text = "A page"): Promise<Planned> {
  await peer.ask("submit_request", { text });
  const planned = await peer.event("tasks_created");
  await peer.event("kickoff_finished");
  const tasks = planned.payload.tasks.map(({ task_id }: { task_id: string }) => task_id);
  return { projectId: planned.payload.project_id, tasks };
}

interface Planned {
  readonly projectId: string;
  readonly tasks: readonly string[];
}

test("[WORLD-6] bad input is answered once, with the right code and what is wrong, and changes nothing", async () => {
  await using atrium = await openTestAtrium({ limits: { worldCommandBurst: 100 } });
  await using peer = await enterWorld(atrium);
  const { tasks, projectId } = await plannedProject(peer);
  const [task = ""] = tasks;
  const cases: readonly (readonly [string, unknown, string, RegExp])[] = [
    ["teleport", {}, "VALIDATION_FAILED", /payload\/name/],
    ["assign_task", { task_id: task }, "VALIDATION_FAILED", /agent_id/],
    ["assign_task", { task_id: task, agent_id: 7 }, "VALIDATION_FAILED", /\/agent_id/],
    ["assign_task", { task_id: "task_1", agent_id: "agent_eng_1" }, "NOT_FOUND", /task_1/],
    ["assign_task", { task_id: task, agent_id: "agent_x" }, "NOT_FOUND", /agent_x/],
    ["assign_task", { task_id: task, agent_id: "agent_eng_1", x: 1 }, "VALIDATION_FAILED", /'x'/],
    ["reassign_task", { task_id: task, agent_id: "agent_eng_1" }, "CONFLICT", /assign/],
    ["rerun_task", { task_id: task }, "CONFLICT", /possible now: assign, cancel/],
    ["cancel_task", { task_id: task }, "VALIDATION_FAILED", /confirm/],
    ["cancel_project", { project_id: projectId }, "VALIDATION_FAILED", /confirm/],
    ["cancel_project", { project_id: "proj_none", confirm: true }, "NOT_FOUND", /proj_none/],
    ["auto_assign", { project_id: "proj_none" }, "NOT_FOUND", /proj_none/],
    ["resume_project", { project_id: projectId }, "CONFLICT", /possible now/],
    ["start_kickoff", { project_id: projectId }, "CONFLICT", /possible now/],
    ["approve_artifact", { artifact_id: "art_1" }, "NOT_FOUND", /art_1/],
    ["resolve_decision", { decision_id: "dec_1", choice: "x" }, "NOT_FOUND", /dec_1/],
    ["submit_request", { text: " \u0000\u202E\n" }, "VALIDATION_FAILED", /no text/i],
    ["submit_request", {}, "VALIDATION_FAILED", /text/],
    ["chat", { text: "hi", thread_id: "other" }, "NOT_FOUND", /other/],
    ["move_player_to", { poi_id: "poi_moon" }, "NOT_FOUND", /poi_moon/],
    ["move_player_to", { pos: [99, 0, 99] }, "VALIDATION_FAILED", /99/],
    ["player_pos", { pos: [99, 0, 0] }, "VALIDATION_FAILED", /pos/],
    ["player_pos", { pos: [1, 2] }, "VALIDATION_FAILED", /pos/],
  ];
  const before = peer.told("event").length;
  for (const [name, data, code, says] of cases) {
    const answer = await peer.command(name, data);
    assert.equal(codeOf(answer), code, `${name} ${JSON.stringify(data)}`);
    assert.match(answer.payload.message, says, name);
  }
  assert.equal(peer.told("event").length, before);
  const answers = peer.messages.filter(({ type }) => type === "ack" || type === "error");
  const ids = answers.map(({ payload }) => payload.in_reply_to);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(atrium.faults, []);
});

test("[WORLD-10] what the sender took for granted is checked first, and nothing happens when it is not so", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const { projectId, tasks } = await plannedProject(peer);
  const wrong = { project_id: projectId, expected_project_status: "executing" };
  const broken = await peer.command("auto_assign", wrong);
  assert.equal(codeOf(broken), "CONFLICT");
  assert.match(broken.payload.message, /is planned, not executing/);
  const [task_id] = tasks;
  const assign = { task_id, agent_id: "agent_eng_1" };
  const other = await peer.command("assign_task", { ...assign, expected_task_status: "blocked" });
  assert.equal(codeOf(other), "CONFLICT");
  await peer.ask("assign_task", { ...assign, expected_task_status: "planned" });
});

test("[WORLD-10] of two clients that give one task to two agents, one is taken and one is told of it", async () => {
  await using atrium = await openTestAtrium();
  await using one = await enterWorld(atrium);
  await using two = await enterWorld(atrium);
  const { tasks } = await plannedProject(one);
  const [task_id] = tasks;
  const answers = await Promise.all([
    one.command("assign_task", { task_id, agent_id: "agent_eng_1" }),
    two.command("assign_task", { task_id, agent_id: "agent_eng_2" }),
  ]);
  assert.deepEqual(answers.map(codeOf).toSorted(), ["CONFLICT", "ok"]);
  const refused = answers.find(({ type }) => type === "error");
  assert.match(refused?.payload.message, /already assigned to .*; reassign it/);
  await two.event("task_started");
  const assigned = two
    .told("event")
    .filter(({ payload }) => payload.name === "task_assigned" && payload.task_id === task_id);
  assert.equal(assigned.length, 1);
});

test("[WORLD-7] the same command again gets the same answer and has no second effect, from any connection", async () => {
  await using atrium = await openTestAtrium();
  await using one = await enterWorld(atrium);
  await using two = await enterWorld(atrium);
  const request = { text: "Only once", constraints: { tone: "friendly" } };
  const answers = [
    ...(await Promise.all([
      one.command("submit_request", request, "cmd_001"),
      two.command("submit_request", request, "cmd_001"),
    ])),
    await one.command("submit_request", request, "cmd_001"),
  ];
  assert.deepEqual(answers.map(codeOf), ["ok", "ok", "ok"]);
  await two.command("submit_request", { text: "Another" }, "cmd_002");
  await two.first(
    ({ payload }) => payload.name === "request_submitted" && payload.text === "Another",
  );
  const submitted = two.told("event").filter(({ payload }) => payload.name === "request_submitted");
  assert.deepEqual(
    submitted.map(({ payload }) => payload.text),
    ["Only once", "Another"],
  );
});

test("[WORLD-7] another command under an id that this connection has used is CONFLICT", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  assert.equal(codeOf(await peer.command("submit_request", { text: "One" }, "cmd_001")), "ok");
  assert.equal(
    codeOf(await peer.command("submit_request", { text: "Two" }, "cmd_001")),
    "CONFLICT",
  );
  await using fresh = await enterWorld(atrium);
  assert.equal(codeOf(await fresh.command("submit_request", { text: "Two" }, "cmd_001")), "ok");
});

test("[WORLD-8] too many commands at once are RATE_LIMITED, player_pos by a measure of its own", async () => {
  const slow = { worldCommandRefillMs: 3_600_000, worldPlayerPosRefillMs: 3_600_000 };
  await using atrium = await openTestAtrium({ limits: { ...slow, worldPlayerPosBurst: 5 } });
  await using peer = await enterWorld(atrium);
  const flood = Array.from({ length: 50 }, (_, n) =>
    peer.command("player_pos", { pos: [n / 50, 0, 0] }),
  );
  const seen = (await Promise.all(flood)).map(codeOf);
  assert.equal(seen.filter((code) => code === "ok").length, 5);
  assert.equal(seen.filter((code) => code === "RATE_LIMITED").length, 45);
  const asked = Array.from({ length: 20 }, () =>
    peer.command("auto_assign", { project_id: "proj_x" }),
  );
  const codes = (await Promise.all(asked)).map(codeOf);
  assert.equal(codes.filter((code) => code === "NOT_FOUND").length, 12);
  assert.equal(codes.filter((code) => code === "RATE_LIMITED").length, 8);
  await using other = await enterWorld(atrium);
  assert.equal(codeOf(await other.command("submit_request", { text: "Me too" })), "ok");
});

test("[WORLD-9] text comes out as it went in but for what cannot be seen; the title is its first line", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await peer.ask("submit_request", { text: "\u202E<b>Bold</b>\u0007\nsecond line  " });
  const { payload } = await peer.event("request_submitted");
  assert.deepEqual([payload.title, payload.text], ["<b>Bold</b>", "<b>Bold</b>\nsecond line"]);
  assert.match(payload.project_id, /^proj_[a-z][a-z0-9]{7}$/);
});

test("attachments are kept as files, and what is no base64 is refused", async () => {
  await using atrium = await openTestAtrium({ limits: { maxFileBytes: 1_000 } });
  await using peer = await enterWorld(atrium);
  const file = (data: string): object => ({ name: "a.txt", media_type: "text/plain", data });
  const send = (data: string): Promise<WorldMessage> =>
    peer.command("submit_request", { text: "With a file", attachments: [file(data)] });
  assert.equal(codeOf(await send("not base64!")), "VALIDATION_FAILED");
  const big = await send(Buffer.alloc(2_000).toString("base64"));
  assert.equal(codeOf(big), "VALIDATION_FAILED");
  assert.match(big.payload.message, /a\.txt has 2000 bytes/);
  assert.equal(codeOf(await send(Buffer.from("hello").toString("base64"))), "ok");
});

/** The id of what an agent asks while it works on it. */
async function askedDecision(peer: WorldPeer, text?: string): Promise<string> {
  const { projectId } = await plannedProject(peer, text);
  await peer.ask("auto_assign", { project_id: projectId });
  const { payload } = await peer.event("decision_requested");
  return payload.decision_id as string;
}

test("[WORLD-12] a decision is made once, with its note, whoever is second; a lost answer can be asked for again", async () => {
  await using atrium = await openTestAtrium();
  await using one = await enterWorld(atrium);
  await using two = await enterWorld(atrium);
  const decision_id = await askedDecision(one);
  const choice = { decision_id, choice: "Polish", note: "for developers" };
  const [first, second] = await Promise.all([
    one.command("resolve_decision", choice, "cmd_a"),
    two.command("resolve_decision", { decision_id, choice: "Speed" }, "cmd_b"),
  ]);
  assert.deepEqual([codeOf(first), codeOf(second)], ["ok", "CONFLICT"]);
  await using three = await enterWorld(atrium);
  assert.equal(codeOf(await three.command("resolve_decision", choice, "cmd_a")), "ok");
  const { payload } = await two.event("decision_resolved");
  assert.deepEqual(
    [payload.choice, payload.note, payload.by],
    ["Polish", "for developers", "tester"],
  );
});

test("[WORLD-16] the note of a denial is in the decision", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const decision_id = await askedDecision(peer, "A page [[approve: shell npm publish]]");
  const note = "not before Monday";
  await peer.ask("resolve_decision", { decision_id, choice: "Deny", note });
  const { payload } = await peer.event("decision_resolved");
  assert.deepEqual([payload.choice, payload.note], ["Deny", note]);
});

test("[WORLD-12] a permission takes Allow, Always or Deny, and nothing else", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const decision_id = await askedDecision(peer, "A page [[approve: shell npm publish]]");
  const maybe = await peer.command("resolve_decision", { decision_id, choice: "Maybe" });
  assert.equal(codeOf(maybe), "VALIDATION_FAILED");
  assert.match(maybe.payload.message, /Allow, Always or Deny/);
  const inherited = await peer.command("resolve_decision", { decision_id, choice: "constructor" });
  assert.equal(codeOf(inherited), "VALIDATION_FAILED");
  await peer.ask("resolve_decision", { decision_id, choice: "Allow" });
  const { payload } = await peer.event("decision_resolved");
  assert.equal(payload.choice, "Allow");
});

test("[WORLD-12] what is asked in a chat waits in the office too, and is answered there like anything else", async () => {
  await using atrium = await openTestAtrium();
  await using one = await enterWorld(atrium);
  await using two = await enterWorld(atrium);
  await using chat = await atrium.connect();
  const ended = chat.first(({ event, payload }) => event === "chat" && payload.state === "final");
  const message = "[[ask: Which tide? | High | Low]] [[approve: shell npm publish]]";
  const send = { sessionKey: "agent:eng_1:main", message, idempotencyKey: "k1" };
  await chat.ask("chat.send", send);
  const open = async (kind: string): Promise<WorldMessage["payload"]> => {
    for (;;) {
      const { payload } = one.told("snapshot").at(-1) ?? assert.fail("no snapshot");
      const found = payload.decisions.find((each: { kind: string }) => each.kind === kind);
      if (found !== undefined) return found;
      await one.nextOf("snapshot");
    }
  };
  const { decision_id, ...question } = await open("question");
  assert.deepEqual(
    { ...question, asked_at: 0 },
    {
      project_id: "proj_boot",
      status: "open",
      kind: "question",
      prompt: "Which tide?",
      options: ["High", "Low"],
      allows_other: true,
      agent_id: "agent_eng_1",
      session_key: "agent:eng_1:main",
      asked_at: 0,
    },
  );
  const low = { decision_id, choice: "Low" };
  assert.equal(codeOf(await one.command("resolve_decision", low, "cmd_low")), "ok");
  const late = await two.command("resolve_decision", { decision_id, choice: "High" });
  assert.equal(codeOf(late), "CONFLICT");
  await using three = await enterWorld(atrium);
  assert.equal(codeOf(await three.command("resolve_decision", low, "cmd_low")), "ok");

  const permission = await open("permission");
  const { decision_id: id, prompt } = permission;
  assert.equal(prompt, "shell: npm publish");
  const maybe = await one.command("resolve_decision", { decision_id: id, choice: "Maybe" });
  assert.equal(codeOf(maybe), "VALIDATION_FAILED");
  const asked = await fetch(new URL("/api/office", atrium.url), {
    headers: { authorization: `Bearer ${atrium.token}` },
  });
  const { seq } = (await asked.json()) as { seq: number };
  await one.ask("resolve_decision", { decision_id: id, choice: "Deny" });
  const text = JSON.stringify((await ended).payload.message);
  assert.match(text, /You answered .*Low.*Denied: shell npm publish/);
  const then = await fetch(new URL(`/api/world/at?seq=${seq}`, atrium.url), {
    headers: { authorization: `Bearer ${atrium.token}` },
  });
  const { decisions } = (await then.json()) as { decisions: { status: string }[] };
  assert.deepEqual(
    decisions.map(({ status }) => status),
    ["resolved", "open"],
  );
  const unknown = await one.command("resolve_decision", { decision_id: "dec_a1", choice: "x" });
  assert.equal(codeOf(unknown), "NOT_FOUND");
});

test("[WORLD-13] a choice outside of closed options is refused and names them; own words are taken where they are welcome", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using gateway = await atrium.connect();
  const labels = ["Tech users", "General consumers"];
  const options = labels.map((label) => ({ label }));
  const asked = { header: "Audience", question: "For whom?", options };
  const ask = async (id: string, more: object): Promise<WorldMessage["payload"]> => {
    await gateway.ask("question.request", {
      id,
      questions: [{ questionId: "q", ...asked, ...more }],
    });
    const { payload } = await peer.first(
      ({ type, payload: { decisions } }) =>
        type === "snapshot" && decisions.some((each: { status: string }) => each.status === "open"),
    );
    return payload.decisions.find((each: { status: string }) => each.status === "open");
  };
  const closed = await ask("closed", {});
  assert.deepEqual([closed.options, closed.allows_other], [labels, undefined]);
  const { decision_id } = closed;
  for (const choice of ["Everyone", "constructor", "__proto__", "Tech"]) {
    const wrong = await peer.command("resolve_decision", { decision_id, choice });
    assert.deepEqual(
      [codeOf(wrong), wrong.payload.reason],
      ["VALIDATION_FAILED", "question.misanswered"],
    );
    assert.match(wrong.payload.message, /one of "Tech users", "General consumers"/);
  }
  await peer.ask("resolve_decision", { decision_id, choice: "general consumers" });
  const settled = await peer.first(
    ({ type, payload }) =>
      type === "snapshot" && payload.decisions[0]?.choice === "General consumers",
  );
  assert.equal(settled.payload.decisions[0].status, "resolved");
});

test("[WORLD-13] what an agent asks takes own words too, unless it says otherwise", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const decision_id = await askedDecision(peer, "A page [[ask: For whom? | Tech users | Anyone]]");
  const { payload } = await peer.event("decision_requested");
  assert.deepEqual([payload.options, payload.allows_other], [["Tech users", "Anyone"], true]);
  await peer.ask("resolve_decision", { decision_id, choice: "Cats" });
  assert.equal((await peer.event("decision_resolved")).payload.choice, "Cats");
});

test("[WORLD-13] several questions that are asked together get an answer each", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using gateway = await atrium.connect();
  const ask = async (id: string): Promise<WorldMessage["payload"]> => {
    const questions = [
      {
        questionId: "budget",
        header: "Budget",
        question: "How much?",
        options: [{ label: "Low" }, { label: "Mid" }],
      },
      { questionId: "constructor", header: "Region", question: "Where?", options: [] },
    ];
    await gateway.ask("question.request", { id, questions });
    const isOpen = ({ status }: { status: string }): boolean => status === "open";
    const { payload } = await peer.first(
      ({ type, payload: { decisions = [] } }) => type === "snapshot" && decisions.some(isOpen),
    );
    peer.messages.length = 0;
    return payload.decisions.find(isOpen);
  };
  const answersOf = async (id: string): Promise<unknown> =>
    Object(await gateway.ask("question.get", { id })).question.answers?.answers;
  const first = await ask("first");
  assert.deepEqual([first.prompt, first.options], ["1. How much? (Low / Mid)\n2. Where?", []]);
  assert.deepEqual(first.questions, [
    { question_id: "budget", prompt: "How much?", options: ["Low", "Mid"] },
    { question_id: "constructor", prompt: "Where?", options: [] },
  ]);
  const { decision_id } = first;
  const budget = { question_id: "budget", choices: ["mid"] };
  for (const [data, what] of [
    [{ choice: "Low" }, /2 questions are asked: send answers for "budget", "constructor"/],
    [{ choice: "Everything\nEurope" }, /'budget' takes one of "Low", "Mid"/],
    [{ answers: [budget] }, /'constructor' requires an answer/],
    [{}, /\/data\/choice: must not be empty/],
  ] as const) {
    const wrong = await peer.command("resolve_decision", { decision_id, ...data });
    assert.equal(codeOf(wrong), "VALIDATION_FAILED");
    assert.match(wrong.payload.message, what);
  }
  const region = { question_id: "constructor", choices: ["Europe"] };
  await peer.ask("resolve_decision", { decision_id, answers: [region, budget] });
  assert.deepEqual(await answersOf("first"), { budget: ["Mid"], constructor: ["Europe"] });
  const second = await ask("second");
  await peer.ask("resolve_decision", {
    decision_id: second.decision_id,
    choice: "low\nThe sea",
  });
  assert.deepEqual(await answersOf("second"), { budget: ["Low"], constructor: ["The sea"] });
});

test("[WORLD-12] [WORLD-13] a build's questions wait in the office too and are answered from there", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const builds = new BuildApi(atrium);
  const asks = async (buildId: string): Promise<WorldMessage["payload"]> => {
    for (;;) {
      const { payload } = peer.told("snapshot").at(-1) ?? assert.fail("no snapshot");
      const found = payload.decisions.find(
        (each: { build_id?: string }) => each.build_id === buildId,
      );
      if (found !== undefined) return found;
      await peer.nextOf("snapshot");
    }
  };
  const alone = await builds.start("A page that shows the tides");
  const { decision_id, options } = await asks(alone);
  const [first] = options;
  const wrong = await peer.command("resolve_decision", { decision_id, choice: "Nobody" });
  assert.match(wrong.payload.message, /has no option nobody; it takes one of "/);
  await peer.ask("resolve_decision", { decision_id, choice: first });
  while ((await builds.get(`/${alone}`)).body.status === "waiting");

  const question = (id: string) => ({ question_id: id, prompt: `Which ${id}?`, input: "text" });
  const questions = [question("sea"), question("moon")];
  const set = { question_set_id: "set", prompt: "A few details.", required_all: true, questions };
  const line = { type: "questions.requested", payload: { ...set, source: "agent" } };
  const several = await asks(await builds.start(`[[say: ${JSON.stringify(line)}]]`));
  const listed = "A few details.\n1. Which sea?\n2. Which moon?";
  assert.deepEqual([several.prompt, several.options], [listed, []]);
  const one = { decision_id: several.decision_id, choice: "North" };
  const refused = await peer.command("resolve_decision", one);
  assert.match(refused.payload.message, /2 questions are asked: send answers for "sea", "moon"/);
  const answers = [
    { question_id: "sea", choices: ["North"] },
    { question_id: "moon", choices: ["New"] },
  ];
  await peer.ask("resolve_decision", { decision_id: several.decision_id, answers });
  for await (const { type, payload } of builds.events(several.build_id)) {
    if (type !== "questions.answered") continue;
    assert.deepEqual(payload.answers, [
      { question_id: "sea", text: "North" },
      { question_id: "moon", text: "New" },
    ]);
    return;
  }
  assert.fail("they were not answered");
});

test("[WORLD-11] each viewer has a place of its own, and who leaves is gone", async () => {
  await using atrium = await openTestAtrium();
  await using watcher = await enterWorld(atrium);
  const places = async (count: number): Promise<readonly (readonly number[])[]> => {
    const isIt = ({ type, payload }: WorldMessage): boolean =>
      type === "snapshot" && (payload.viewers ?? []).length === count;
    const { payload } = await watcher.first(isIt);
    return (payload.viewers ?? []).map(({ pos }: { pos: number[] }) => pos);
  };
  await using one = await enterWorld(atrium);
  await using two = await enterWorld(atrium);
  await one.ask("player_pos", { pos: [1.5, 7, 2.25] });
  await two.ask("player_pos", { pos: [1.5, 0, 2.25] });
  const [first = [], second = []] = await places(2);
  assert.deepEqual(first, [1.5, 0, 2.25]);
  const [x = 0, , z = 0] = second;
  const apart = Math.hypot(x - 1.5, z - 2.25);
  assert.ok(apart >= 0.5 && apart < 2, `${apart} m`);
  // The same again is no news.
  const before = watcher.told("snapshot").length;
  await two.ask("player_pos", { pos: [1.5, 0, 2.25] });
  await two.ask("player_pos", { pos: [1.5, 0, 2.25] });
  one.socket.close();
  assert.deepEqual(await places(1), [second]);
  assert.equal(watcher.told("snapshot").length, before + 1);
});

test("[WORLD-11] an agent that needs someone comes to the nearest viewer", async () => {
  await using atrium = await openTestAtrium();
  await using far = await enterWorld(atrium);
  await using near = await enterWorld(atrium);
  const { tasks } = await plannedProject(near, "A page [[ask: Which? | This | That]]");
  const places = [
    [4, 0, 3],
    [-4, 0, -3],
  ] as const;
  await far.ask("player_pos", { pos: places[0] });
  await near.ask("player_pos", { pos: places[1] });
  await near.ask("assign_task", { task_id: tasks[0], agent_id: "agent_eng_1" });
  const { payload } = await near.first((told) => told.payload.goal?.kind === "seek_decision");
  const [from, to] = [payload.path[0], payload.path.at(-1)];
  const away = (place: readonly number[], other: readonly number[]): number =>
    Math.hypot((place[0] ?? 0) - (other[0] ?? 0), (place[2] ?? 0) - (other[2] ?? 0));
  const [nearest = [0, 0, 0]] = places.toSorted((a, b) => away(a, from) - away(b, from));
  assert.ok(away(nearest, to) < 2.5, JSON.stringify(payload.path));
});

test("[WORLD-11] where the player is seen is in the next snapshot and nowhere else", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using other = await enterWorld(atrium);
  const seq = other.told("snapshot").at(-1)?.payload.seq;
  await peer.ask("player_pos", { pos: [1.5, 0, 2.25], facing: [1, 0, 0] });
  const { payload } = await other.nextOf("snapshot");
  assert.deepEqual(payload.player, { pos: [1.5, 0, 2.25], facing: [1, 0, 0] });
  assert.equal(payload.seq, seq);
});

test("[WORLD-6] approving what was not delivered yet is CONFLICT with what is possible", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const { projectId } = await plannedProject(peer);
  await peer.ask("auto_assign", { project_id: projectId });
  const made = await peer.event("artifact_created");
  const early = await peer.command("approve_artifact", { artifact_id: made.payload.artifact_id });
  assert.equal(codeOf(early), "CONFLICT");
  assert.match(early.payload.message, /is created; possible now/);
});

test("[WORLD-10] [WORLD-6] whoever approves what they saw does not approve what came after it", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const { projectId } = await plannedProject(peer, "A page [[say: here]]");
  await peer.ask("auto_assign", { project_id: projectId });
  const { artifact_id } = (await peer.event("artifact_delivered")).payload;
  const seen = { artifact_id, expected_version: 1 };
  await peer.ask("request_changes", { ...seen, instructions: "Shorter" });
  await peer.first(
    ({ payload }) =>
      payload.name === "artifact_delivered" &&
      payload.artifact_id === artifact_id &&
      payload.version === 2,
  );
  const stale = await peer.command("approve_artifact", seen);
  assert.equal(codeOf(stale), "CONFLICT");
  assert.match(stale.payload.message, /version 2 is there by now/);
  assert.equal(stale.payload.reason, "artifact.superseded");
  const shown = async (status: string): Promise<WorldMessage["payload"]> => {
    for (;;) {
      const { payload } = peer.told("snapshot").at(-1) ?? assert.fail("no snapshot");
      const found = payload.artifacts.find(
        (each: WorldMessage["payload"]) => each.artifact_id === artifact_id,
      );
      if (found?.status === status) return found;
      await peer.nextOf("snapshot");
    }
  };
  assert.equal((await shown("delivered")).reviewer, undefined);
  await peer.ask("approve_artifact", { artifact_id, expected_version: 2 });
  assert.equal((await shown("approved")).reviewer, "tester");
});
