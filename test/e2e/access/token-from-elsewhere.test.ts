/** Programs on other machines that have the shared token and nothing that a person has let in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { delta } from "../../kit/signals.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const ELSEWHERE = { "x-forwarded-for": "203.0.113.7" };

async function call(
  { url, token }: TestAtrium,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = {
    ...ELSEWHERE,
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
  };
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(new URL(path, url), { headers, ...sent });
  return { status: response.status, text: await response.text() };
}

test("[LISTEN-11] [REPO-7] from elsewhere the token alone decides nothing, by any door, and is told how to be let in", async () => {
  await using atrium = await openTestAtrium();
  await using person = await atrium.connect();
  const requested = person.event("exec.approval.requested");
  const message = "[[approve: Bash ls]]";
  await person.ask("chat.send", { sessionKey: "main", message, idempotencyKey: "ask" });
  const { code } = (await requested).payload;
  const office = JSON.parse((await call(atrium, "/api/office")).text);
  const decisionId = office.decisions[0].decision_id;
  await using far = await enterWorld(atrium, ELSEWHERE);
  for (const [name, data] of [
    ["resolve_decision", { decision_id: decisionId, choice: "Allow" }],
    ["approve_artifact", { artifact_id: "art_1" }],
    ["request_changes", { artifact_id: "art_1", instructions: "again" }],
    ["pause_project", { project_id: "proj_a0000" }],
    ["submit_request", { text: "A page about bees" }],
    ["chat", { text: `yes ${code}` }],
  ] as const) {
    const { type, payload } = await far.command(name, data);
    assert.deepEqual(
      [type, payload.code, payload.reason],
      ["error", "NOT_ALLOWED", "credential.elsewhere"],
      name,
    );
    assert.match(payload.message, /atrium devices approve[^]*atrium logins approve/);
  }
  const decided = ["cancel", "answers", "permissions/p1"];
  const paths = [...decided.map((each) => `/api/builds/b1/${each}`), "/api/repositories"];
  for (const path of paths) {
    const { status, text } = await call(atrium, path, { answers: [] });
    assert.equal(status, 403, `${path} ${text}`);
    assert.match(text, /credential\.elsewhere/);
  }
  assert.equal((await person.ask("exec.approval.list", {})).length, 1);
  // The same token on this machine does.
  await using near = await enterWorld(atrium);
  await near.ask("resolve_decision", { decision_id: decisionId, choice: "Allow" });
  assert.deepEqual(await person.ask("exec.approval.list", {}), []);
});

test("[LISTEN-11] from elsewhere the token alone still reads, tells signals, and talks", async () => {
  await using atrium = await openTestAtrium();
  for (const path of ["/v1/models", "/api/office", "/api/builds"]) {
    assert.equal((await call(atrium, path)).status, 200, path);
  }
  const messages = [{ role: "user", content: "Hello" }];
  const said = await call(atrium, "/v1/chat/completions", { model: "openclaw", messages });
  assert.equal(said.status, 200, said.text);
  const told = await call(atrium, "/api/signal", delta("Hello"));
  assert.ok(told.status < 300, told.text);
  const begun = await call(atrium, "/api/builds", { prompt: "A page about bees" });
  assert.ok(begun.status < 300, begun.text);
  await using far = await enterWorld(atrium, ELSEWHERE);
  await far.ask("chat", { text: "Hello from far away" });
});
