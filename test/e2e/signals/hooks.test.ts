/** Hooks of agent programs as they are installed: raw, by a secret that may do nothing else. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { openSignals } from "../../kit/signals.ts";

const PATH = "/api/signals/hooks";

function addressIn(home: string): { readonly url: string; readonly secret: string } {
  const text = readFileSync(join(home, "signals.curl"), "utf8");
  const [, url = "", secret = ""] = /url = "(.*)"\nheader = ".*Bearer (\w+)"/.exec(text) ?? [];
  return { url, secret };
}

interface Sent {
  readonly token?: string;
  readonly program?: string;
  readonly body?: string;
}

async function send(atrium: TestAtrium, sent: Sent): Promise<number> {
  const { url, secret } = addressIn(atrium.home);
  const { token = secret, program = "codex", body = "{}" } = sent;
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "x-atrium-program": program,
    },
    body,
  });
  return response.status;
}

test("[SIG-29] a hook is sent as its program gives it, and becomes signals of that program's agent", async () => {
  await using atrium = await openTestAtrium();
  await using socket = await openSignals(atrium);
  await socket.subscribe();
  const at = { session_id: "s1" };
  for (const [program, hook] of [
    ["codex", { ...at, hook_event_name: "UserPromptSubmit", prompt: "Note the tide" }],
    ["gemini", { ...at, hook_event_name: "BeforeTool", tool_name: "shell", tool_input: {} }],
  ] as const) {
    assert.equal(await send(atrium, { program, body: JSON.stringify(hook) }), 204);
  }
  await socket.until(({ type }) => type === "tool_call");
  const told = socket.signals.map(({ type, source, payload }) => [
    type,
    source,
    payload.to ?? payload.agentId,
  ]);
  assert.deepEqual(told.slice(0, 1), [["task_dispatch", "adapter:codex", "codex:s1"]]);
  assert.ok(told.some((each) => each.join() === "tool_call,adapter:gemini,gemini:s1"));
});

test("[SIG-31] a hook of a session with a long id and a deep tool input is taken in, clipped", async () => {
  await using atrium = await openTestAtrium();
  await using socket = await openSignals(atrium);
  await socket.subscribe();
  // The hook itself may go 100 levels deep.
  const deep = JSON.parse(`${"[".repeat(99)}${"]".repeat(99)}`);
  const hook = { session_id: "s".repeat(300), hook_event_name: "PreToolUse", tool_name: "shell" };
  const body = JSON.stringify({ ...hook, tool_input: deep });
  assert.equal(await send(atrium, { body }), 204);
  await socket.until(({ type }) => type === "tool_call");
  const [call] = socket.signals.filter(({ type }) => type === "tool_call");
  assert.equal(call?.correlationId, "s".repeat(256));
  assert.match(JSON.stringify(call?.payload["input"]), /nested deeper than 100 levels/);
});

test("[SIG-29] what is no hook changes nothing", async () => {
  await using atrium = await openTestAtrium({ limits: { maxSignalBytes: 10_000 } });
  const hook = { hook_event_name: "UserPromptSubmit", session_id: "s1" };
  for (const [sent, status] of [
    [{ body: "{}" }, 204],
    [{ body: "[]" }, 204],
    [{ body: JSON.stringify({ ...hook, hook_event_name: "Tomorrow" }) }, 204],
    [{ body: "{" }, 400],
    [{ body: JSON.stringify({ ...hook, prompt: "x".repeat(20_000) }) }, 413],
    [{ program: "constructor" }, 400],
    [{ program: "" }, 400],
  ] as const) {
    assert.equal(await send(atrium, sent), status, JSON.stringify(sent).slice(0, 80));
  }
  const page = await fetch(new URL("/api/signals", atrium.url), {
    headers: { authorization: `Bearer ${atrium.token}` },
  });
  assert.deepEqual(((await page.json()) as { signals: unknown[] }).signals, []);
  assert.deepEqual(atrium.faults, []);
});

test("[SIG-30] the secret of hooks sends hooks from this machine, and no other signals", async () => {
  const atrium = await openTestAtrium();
  const file = join(atrium.home, "signals.curl");
  try {
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const { url, secret } = addressIn(atrium.home);
    assert.equal(new URL(url).pathname, PATH);
    assert.notEqual(secret, atrium.token);
    assert.equal(await send(atrium, {}), 204);
    assert.equal(await send(atrium, { token: atrium.token }), 401);
    assert.equal(await send(atrium, { token: "wrong" }), 401);
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    for (const [method, path] of [
      ["POST", "/api/signal"],
      ["POST", "/v1/traces"],
      ["GET", "/api/signals"],
      ["GET", "/api/signals/visitors"],
    ] as const) {
      const body = method === "POST" ? "{}" : null;
      const { status } = await fetch(new URL(path, atrium.url), { method, headers, body });
      assert.equal(status, 401, path);
    }
    const proxied = await fetch(url, {
      method: "POST",
      headers: { ...headers, "x-atrium-program": "codex", "x-forwarded-for": "10.0.0.1" },
      body: "{}",
    });
    assert.equal(proxied.status, 401);
  } finally {
    await atrium.close();
  }
  assert.ok(!existsSync(file));
});
