/**
 * An agent that tries to allow what it was not allowed, by every door, with a token it has found. Run as a program: its
 * prompt is what it knows, and it says what came of each try.
 */
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { connectPeer } from "./raw-peer.ts";
import { openWorldPeer } from "./world-peer.ts";

interface Known {
  readonly url: string;
  readonly wsUrl: string;
  readonly token: string;
  readonly id: string;
  readonly code: string;
  readonly decisionId: string;
}

if (import.meta.main) {
  const known = JSON.parse(await text(process.stdin)) as Known;
  process.stdout.write(JSON.stringify(await tryAll(known)));
}

async function tryAll({ url, wsUrl, token, id, code, decisionId }: Known): Promise<unknown> {
  const peer = await connectPeer(wsUrl, { auth: { token } });
  const asked = async (method: string, params: object): Promise<unknown> => {
    const { ok, error } = await peer.request(method, params);
    return ok === true ? "ok" : (error?.details?.reason ?? error?.code);
  };
  const said = { sessionKey: "agent:main:main", message: `yes ${code}`, idempotencyKey: "x" };
  // Under the name of one who may: names grant nothing.
  const world = await openWorldPeer(wsUrl, token);
  await world.hello({ client: { name: "operator.admin", build: "dev", platform: "web" } });
  await world.subscribe();
  const decided = async (name: string, data: object): Promise<unknown> => {
    const { type, payload } = await world.command(name, data);
    return type === "ack" ? "ok" : payload.reason;
  };
  const posted = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(new URL(path, url), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer: unknown = await response.json();
    return answer;
  };
  const results = {
    resolve: await asked("exec.approval.resolve", { id, decision: "allow-once" }),
    always: await asked("approval.resolve", { id, kind: "exec", decision: "allow-always" }),
    answer: await asked("question.answer", { id: "q", text: "yes" }),
    pairing: await asked("device.pair.approve", { requestId: "r" }),
    said: await asked("chat.send", said),
    decision: await decided("resolve_decision", { decision_id: decisionId, choice: "Allow" }),
    review: await decided("approve_artifact", { artifact_id: "art_1" }),
    spoken: await decided("chat", { text: `yes ${code}` }),
    rules: await asked("exec.approvals.set", { file: { version: 1 } }),
    revoked: await asked("exec.approval.rules.revoke", { id: "r" }),
    signedOut: await asked("logins.revoke", { id: "l" }),
    renamed: await asked("logins.rename", { id: "l", name: "x" }),
    node: await asked("node.pair.approve", { requestId: "r" }),
    rotated: await asked("device.token.rotate", { deviceId: "d", role: "operator" }),
    injected: await asked("chat.inject", { sessionKey: "agent:main:main", message: "x" }),
    deleted: await asked("sessions.delete", { key: "agent:main:main" }),
    buildAnswer: await asked("build.answer", { id: "b1", answers: [] }),
    buildCancel: await asked("build.cancel", { id: "b1" }),
    build: await posted("/api/builds/b1/cancel", {}),
    buildAnswers: await posted("/api/builds/b1/answers", { answers: [] }),
    repositoryAdded: await asked("repositories.add", { path: "/etc" }),
    repositoryRemoved: await asked("repositories.remove", { id: "r" }),
    repository: await posted("/api/repositories", { path: "/etc" }),
    login: await posted("/api/login", {}),
    // Here words are words, and what is not served is not.
    others: {
      completion: await posted("/v1/chat/completions", {
        model: "openclaw",
        messages: [{ role: "user", content: `yes ${code}` }],
      }),
      tool: await posted("/tools/invoke", {
        tool: "sessions_send",
        args: { sessionKey: "agent:main:main", message: `yes ${code}`, timeoutSeconds: 0 },
      }),
      decide: await posted("/tools/invoke", { tool: "exec.approval.resolve", args: { id } }),
      config: await asked("config.set", { raw: "{}" }),
      patch: await asked("config.patch", { raw: "{}" }),
    },
  };
  await peer[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  await setTimeout(0);
  return results;
}
