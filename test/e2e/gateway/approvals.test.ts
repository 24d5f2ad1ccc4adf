import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { filesWith } from "../../kit/files-with.ts";
import { question } from "../../kit/question-draft.ts";
import type { Frame, RawPeer } from "../../kit/raw-peer.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

const named = (displayName: string) => ({ client: { displayName } });

const answersTo = (peer: RawPeer, id: string): readonly Frame[] =>
  peer.frames.filter((frame) => frame.type === "res" && frame.id === id);

test("[GW-35] a request is told to those who may answer, and answered twice in two phases", async () => {
  await using atrium = await openTestAtrium({ args: ["--log", "sqlite"] });
  await using asker = await atrium.connect(named("Asker"));
  await using ann = await atrium.connect({ ...named("Ann"), scopes: ["operator.approvals"] });
  await using reader = await atrium.connect({ scopes: ["operator.read"] });
  const told = ann.event("exec.approval.requested");
  const decided = asker.next(({ id, payload }) => id === "x1" && payload.decision !== undefined);
  asker.send({
    type: "req",
    id: "x1",
    method: "exec.approval.request",
    params: {
      command: "npm publish",
      cwd: "/srv",
      host: "gateway",
      agentId: "main",
      sessionKey: "agent:main:main",
      env: { SECRET: "do not keep" },
      scope: { kind: "external-post", target: "npm", visibility: "public" },
      timeoutMs: 60_000,
      twoPhase: true,
    },
  });
  const { payload } = await told;
  assert.match(payload.code, /^[a-km-z]{5}$/);
  assert.deepEqual(payload.request, {
    command: "npm publish",
    tool: "exec",
    cwd: "/srv",
    host: "gateway",
    nodeId: null,
    warningText: "external-post: target npm, visibility public",
    allowedDecisions: ["allow-once", "allow-always", "deny"],
    agentId: "main",
    sessionKey: "agent:main:main",
    runId: null,
  });
  assert.ok(payload.expiresAtMs > payload.createdAtMs);
  const waiting = ann.ask("exec.approval.waitDecision", { id: payload.code });
  const resolved = ann.event("exec.approval.resolved");
  assert.deepEqual(
    await ann.ask("exec.approval.resolve", { id: payload.id, decision: "allow-once" }),
    {
      ok: true,
    },
  );
  assert.equal((await decided).payload.decision, "allow-once");
  assert.equal((await waiting).decision, "allow-once");
  const { decision, resolvedBy, id } = (await resolved).payload;
  assert.deepEqual([decision, resolvedBy, id], ["allow-once", "Ann", payload.id]);
  const [first, second, ...others] = answersTo(asker, "x1");
  assert.deepEqual(
    [first?.payload.status, first?.payload.deliveryRoute],
    ["accepted", "approval-client"],
  );
  assert.equal(second?.payload.decision, "allow-once");
  assert.equal(others.length, 0);
  assert.deepEqual(await ann.ask("exec.approval.list"), []);
  await reader.ask("health");
  assert.equal(
    reader.frames.some(({ event }) => event?.includes("approval")),
    false,
  );
  assert.equal(JSON.stringify([...ann.frames, ...asker.frames]).includes("do not keep"), false);
  assert.ok((await filesWith(atrium.home, "npm publish")).length > 0);
  assert.deepEqual(await filesWith(atrium.home, "do not keep"), []);
});

test("[GW-36] of two who answer, the first decides and the second hears who did", async () => {
  await using atrium = await openTestAtrium();
  await using asker = await atrium.connect(named("Asker"));
  await using ann = await atrium.connect(named("Ann"));
  await using bob = await atrium.connect(named("Bob"));
  const told = asker.event("exec.approval.requested");
  const answer = asker.ask("exec.approval.request", { command: "rm -rf dist" });
  const { id, code } = (await told).payload;
  await ann.ask("exec.approval.resolve", { id: code, decision: "deny" });
  assert.equal((await answer).decision, "deny");
  const late = await bob.request("exec.approval.resolve", { id, decision: "allow-once" });
  assert.equal(
    late.error?.message,
    "approval already resolved: denied by Ann (gateway, token, from 127.0.0.1)",
  );
  assert.equal(late.error?.details.reason, "APPROVAL_ALREADY_RESOLVED");
  const agreeing = await bob.request("exec.approval.resolve", { id, decision: "deny" });
  assert.equal(agreeing.ok, false);
  assert.equal((await ann.request("exec.approval.resolve", { id, decision: "deny" })).ok, true);
  const shown = await bob.ask("approval.resolve", { id, kind: "exec", decision: "allow-once" });
  assert.deepEqual([shown.applied, shown.approval.status], [false, "denied"]);
  const told2 = bob.frames.filter(({ event }) => event === "exec.approval.resolved");
  assert.equal(told2.length, 1);
});

test("[GW-36] many who answer at once agree on one outcome", async () => {
  await using atrium = await openTestAtrium();
  await using asker = await atrium.connect();
  const peers = await Promise.all([1, 2, 3, 4].map((n) => atrium.connect(named(`Peer ${n}`))));
  const told = asker.event("exec.approval.requested");
  const answer = asker.ask("exec.approval.request", { command: "x" });
  const { id } = (await told).payload;
  const decisions = ["allow-once", "deny", "allow-always", "deny"];
  const answers = await Promise.all(
    peers.map((peer, n) => peer.request("exec.approval.resolve", { id, decision: decisions[n] })),
  );
  assert.equal(answers.filter(({ ok }) => ok).length, 1);
  const winner = answers.findIndex(({ ok }) => ok);
  assert.equal((await answer).decision, decisions[winner]);
  await Promise.all(peers.map((peer) => peer[Symbol.asyncDispose]()));
});

test("[GW-37] what nobody answers in time ends without a decision, and everyone hears it", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const ended = peer.event("exec.approval.resolved");
  const answer = await peer.ask("exec.approval.request", { command: "x", timeoutMs: 20 });
  assert.equal(answer.decision, null);
  const { decision, resolvedBy } = (await ended).payload;
  assert.deepEqual([decision, resolvedBy], [null, null]);
  const { approval } = await peer.ask("approval.get", { id: answer.id });
  assert.deepEqual([approval.status, approval.reason], ["expired", "timeout"]);
  const late = await peer.request("exec.approval.resolve", { id: answer.id, decision: "deny" });
  assert.equal(late.error?.message, "approval already resolved: expired (timeout)");
  const gone = peer.event("question.resolved");
  const { id } = await peer.ask("question.request", { questions: [question()], timeoutMs: 20 });
  assert.deepEqual((await gone).payload, { id, status: "expired" });
});

test("[GW-37] a client's requests outlive the server, deadline and answer included", async () => {
  await withHome(async (home) => {
    const asked = { id: "kept-1", command: "npm publish", timeoutMs: 600_000, twoPhase: true };
    let before;
    {
      await using server = await startServer(home);
      await using peer = await server.connect();
      before = await peer.ask("exec.approval.request", asked);
      await peer.ask("exec.approval.request", { ...asked, id: "brief", timeoutMs: 1_500 });
      await peer.ask("question.request", { id: "q-1", questions: [question()] });
      await server.end("SIGKILL");
    }
    await using server = await startServer(home);
    await using peer = await server.connect();
    await peer.ask("exec.approval.waitDecision", { id: "brief" });
    const [open, ...others] = await peer.ask("exec.approval.list");
    assert.deepEqual(
      [open.id, open.code, open.expiresAtMs, others.length],
      ["kept-1", before.code, before.expiresAtMs, 0],
    );
    const waiting = peer.ask("exec.approval.waitDecision", { id: "kept-1" });
    await peer.ask("exec.approval.resolve", { id: "kept-1", decision: "allow-always" });
    assert.equal((await waiting).decision, "allow-always");
    const answers = { answers: { pick: ["Two"] } };
    assert.deepEqual(await peer.ask("question.resolve", { id: "q-1", answers }), {
      status: "answered",
      answers,
    });
    const again = await peer.request("exec.approval.request", asked);
    assert.equal(again.error?.message, "approval id already pending");
  });
});

test("[GW-38] bad requests and answers are refused and change nothing", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await using reader = await atrium.connect({ scopes: ["operator.read", "operator.write"] });
  for (const [method, params, message] of [
    ["exec.approval.request", {}, "command is required"],
    ["exec.approval.request", { command: "x", host: "node" }, "nodeId is required for host=node"],
    ["exec.approval.request", { command: "x", id: "a/b" }, "at /id"],
    ["exec.approval.request", { command: "x", bogus: 1 }, "unexpected property 'bogus'"],
    ["exec.approval.resolve", { id: "nope", decision: "deny" }, "unknown or expired approval id"],
    ["exec.approval.resolve", { id: "\u0000\ud800", decision: "deny" }, "unknown or expired"],
    ["exec.approval.resolve", { id: "nope", decision: "maybe" }, "at /decision"],
    ["exec.approval.get", { id: "nope" }, "unknown or expired approval id"],
    ["exec.approval.waitDecision", { id: "nope" }, "unknown or expired approval id"],
    ["approval.get", { id: "nope" }, "unknown or expired approval id"],
    ["approval.resolve", { id: "x", kind: "plugin", decision: "deny" }, "unknown or expired"],
    ["question.get", { id: "\u0000" }, "was not found"],
    ["question.resolve", { id: "nope", cancel: true }, "question 'nope' was not found"],
    ["question.answer", { id: "nope", text: "x" }, "question 'nope' was not found"],
    ["question.waitAnswer", { id: "nope" }, "question 'nope' was not found"],
    ["question.request", { questions: [] }, "at /questions"],
    ["question.request", { questions: [{ ...question(), isSecret: true }] }, "secret questions"],
    ["question.request", { questions: [{ ...question(), options: [{ label: "One" }] }] }, "2 to 4"],
  ] as const) {
    const { error } = await peer.request(method, params);
    assert.equal(error?.code, "INVALID_REQUEST", `${method} ${JSON.stringify(params)}`);
    assert.ok(error.message.includes(message), error.message);
    const forbidden = await reader.request(method, params);
    assert.equal(forbidden.error?.code, "FORBIDDEN");
  }
  assert.deepEqual(await peer.ask("exec.approval.list"), []);
  assert.deepEqual(await peer.ask("question.list"), { questions: [] });
  assert.deepEqual(await peer.ask("plugin.approval.list"), []);
  assert.deepEqual(await peer.ask("openclaw.approval.list"), []);
  assert.deepEqual(atrium.faults, []);
  const told = peer.event("exec.approval.requested");
  const answer = peer.ask("exec.approval.request", { command: "x", ask: "always" });
  const { id, request } = (await told).payload;
  assert.deepEqual(request.allowedDecisions, ["allow-once", "deny"]);
  const always = await peer.request("exec.approval.resolve", { id, decision: "allow-always" });
  assert.equal(always.error?.details.reason, "APPROVAL_ALLOW_ALWAYS_UNAVAILABLE");
  assert.equal((await peer.ask("exec.approval.get", { id })).commandText, "x");
  await peer.ask("exec.approval.resolve", { id, decision: "deny" });
  await answer;
});

test("[GW-35] an agent's turn goes on as people decide, and is in the log as asked", async () => {
  await using atrium = await openTestAtrium();
  await using ann = await atrium.connect(named("Ann"));
  const requested = ann.event("exec.approval.requested");
  const asked = ann.event("question.requested");
  const done = ann.next(({ event, payload }) => event === "chat" && payload.state === "final");
  await ann.ask("chat.send", {
    sessionKey: "main",
    message: "[[approve: shell npm publish]] [[ask: Which audience? | Tech users | General]]",
    idempotencyKey: "run-1",
  });
  const { id, request } = (await requested).payload;
  assert.deepEqual(
    [request.tool, request.agentId, request.sessionKey, request.runId],
    ["shell", "main", "agent:main:main", "run-1"],
  );
  await ann.ask("exec.approval.resolve", { id, decision: "allow-once" });
  const { payload } = await asked;
  assert.deepEqual(
    payload.questions[0].options.map(({ label }: { label: string }) => label),
    ["Tech users", "General"],
  );
  await ann.ask("question.answer", { id: payload.id, text: "2" });
  const final = await done;
  assert.equal(final.payload.runId, "run-1");
});

test("[GW-40] what an earlier always covers calls nobody", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const told = peer.event("exec.approval.requested");
  const publish = { sessionKey: "main", message: "[[approve: shell npm publish]]" };
  await peer.ask("chat.send", { ...publish, idempotencyKey: "r1" });
  const { id } = (await told).payload;
  await peer.ask("exec.approval.resolve", { id, decision: "allow-always" });
  await peer.ask("agent.wait", { runId: "r1" });
  await peer.ask("chat.send", { ...publish, idempotencyKey: "r2" });
  await peer.ask("agent.wait", { runId: "r2" });
  const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
  assert.match(messages.at(-1).content[0].text, /Allowed: shell npm publish/);
  const calls = peer.frames.filter(({ event = "" }) => event.startsWith("exec.approval."));
  assert.deepEqual(
    calls.map(({ event }) => event),
    ["exec.approval.requested", "exec.approval.resolved"],
  );
});

test("[GW-35] a run that is stopped no longer asks anyone", async () => {
  await using atrium = await openTestAtrium();
  await using ann = await atrium.connect(named("Ann"));
  const requested = ann.event("exec.approval.requested");
  const resolved = ann.event("exec.approval.resolved");
  await ann.ask("chat.send", {
    sessionKey: "main",
    message: "[[approve: shell npm publish]]",
    idempotencyKey: "run-1",
  });
  const { id } = (await requested).payload;
  await ann.ask("chat.abort", { sessionKey: "main", runId: "run-1" });
  assert.equal((await resolved).payload.decision, null);
  const { approval } = await ann.ask("approval.get", { id });
  assert.deepEqual([approval.status, approval.reason], ["cancelled", "run-aborted"]);
});

test("[GW-37] what an agent asked before the server died is ended after", async () => {
  await withHome(async (home) => {
    let id = "";
    {
      await using server = await startServer(home);
      await using peer = await server.connect();
      const requested = peer.event("exec.approval.requested");
      const message = "[[approve: shell npm publish]]";
      await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: "run-1" });
      ({ id } = (await requested).payload);
      await server.end("SIGKILL");
    }
    await using server = await startServer(home);
    await using peer = await server.connect();
    const { approval } = await peer.ask("approval.get", { id });
    assert.deepEqual([approval.status, approval.reason], ["cancelled", "gateway-restart"]);
    assert.deepEqual(await peer.ask("exec.approval.list"), []);
  });
});
