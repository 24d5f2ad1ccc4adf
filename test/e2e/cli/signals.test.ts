/** `atrium signals` as people and hooks run it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { runCli, startCli } from "../../kit/cli-process.ts";
import { startServer, withHome } from "../../kit/server-process.ts";
import { openSignals, post, signalOf } from "../../kit/signals.ts";

const at = ({ url, token }: { url: string; token: string }) => ["--url", url, `--token=${token}`];

test("[CLI-21] a hook of Claude Code is posted, and whatever happens it exits with 0 and prints nothing", async () => {
  await using atrium = await openTestAtrium();
  await using socket = await openSignals(atrium);
  await socket.subscribe();
  const input = JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: "s1",
    tool_name: "Bash",
    tool_use_id: "t1",
    tool_input: { command: "ls" },
  });
  const done = await runCli(["signals", "hook", ...at(atrium)], { input });
  assert.deepEqual(done, { code: 0, stdout: "", stderr: "" });
  const { signal } = await socket.until(({ type }) => type === "tool_call");
  assert.deepEqual([signal?.source, signal?.payload.toolName], ["adapter:claude-code", "Bash"]);
  for (const [args, text, complaint] of [
    [at(atrium), "{", /JSON/],
    [["--url", "http://127.0.0.1:1"], input, /does not answer/],
    [["--url", atrium.url, "--token", "wrong"], input, /rejected the connection/],
    [["--home", "/nonexistent"], input, /No server/],
    [["--dance"], input, /--dance/],
  ] as const) {
    const { code, stdout, stderr } = await runCli(["signals", "hook", ...args], { input: text });
    assert.deepEqual([code, stdout], [0, ""]);
    assert.match(stderr, complaint);
  }
});

test("[CLI-21] a stream on stdin is told, and what is not good is named", async () => {
  await using atrium = await openTestAtrium();
  await using socket = await openSignals(atrium);
  await socket.subscribe();
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: "c1", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const openai = `: hello\n\n${chunk({ content: "Hi" })}event: x\n${chunk({}, "stop")}data: [DONE]\n\n`;
  const piped = await runCli(
    ["signals", "pipe", "--from", "openai", "--agent", "gpt", ...at(atrium)],
    { input: openai },
  );
  assert.deepEqual([piped.code, piped.stderr], [0, ""]);
  await socket.until(({ type, payload }) => type === "agent_state_change" && payload.to === "done");
  assert.deepEqual(
    socket.signals.map(({ type, source }) => [type, source]),
    ["agent_state_change", "text_delta", "completion", "agent_state_change"].map((type) => [
      type,
      "adapter:openai",
    ]),
  );
  const good = signalOf("note", { text: "x" }, { id: "good" });
  const lines = [JSON.stringify(good), "{", JSON.stringify({ ...good, id: "bad", seq: 1 })].join(
    "\n",
  );
  const mixed = await runCli(
    ["signals", "pipe", "--from", "signals", "--source", "mine", ...at(atrium)],
    { input: lines },
  );
  assert.equal(mixed.code, 1);
  assert.match(mixed.stderr, /not JSON: \{[^]*rejected: \/seq is not a key/);
  assert.equal((await socket.until(({ id }) => id === "good")).signal?.source, "mine");
  for (const [args, named] of [
    [["pipe"], /--from/],
    [["pipe", "--from", "tea"], /tea/],
    [["dance"], /dance/],
    [["tail", "--limit", "x"], /--limit/],
  ] as const) {
    const { code, stderr } = await runCli(["signals", ...args, ...at(atrium)]);
    assert.equal(code, 2);
    assert.match(stderr, named);
  }
});

test("[CLI-21] what is refused for now is sent again, and counts once", async () => {
  await using atrium = await openTestAtrium({ limits: { signalsPerSecond: 100 } });
  await using socket = await openSignals(atrium);
  await socket.subscribe();
  await post(
    atrium,
    Array.from({ length: 200 }, () => signalOf("first", {})),
  );
  const input = Array.from({ length: 5 }, (_, n) => JSON.stringify(signalOf("n", { n }))).join(
    "\n",
  );
  const { code, stderr } = await runCli(["signals", "pipe", "--from", "signals", ...at(atrium)], {
    input,
  });
  assert.deepEqual([code, stderr], [0, ""]);
  await socket.until(({ payload }) => payload.n === 4);
  const told = socket.signals.filter(({ type }) => type === "n").map(({ payload }) => payload.n);
  assert.deepEqual(told, [0, 1, 2, 3, 4]);
});

test("[CLI-22] tail shows what happens on a line each, and chooses", async () => {
  await using atrium = await openTestAtrium();
  await post(atrium, [
    signalOf("tool_call", { toolName: "look", agentId: "a1", input: { q: "\u001b[31mx" } }),
    signalOf("error", { message: "it broke", severity: "warning" }),
    signalOf("agent_state_change", { agentId: "a1", from: "idle", to: "acting" }),
    signalOf("deploy", { any: 1 }, { correlationId: "d1" }),
  ]);
  const all = await runCli(["signals", "tail", "--after", "0", "--limit", "4", ...at(atrium)]);
  assert.equal(all.code, 0, all.stderr);
  const lines = all.stdout.trimEnd().split("\n");
  for (const [index, line] of [
    /^\d\d:\d\d:\d\d a1 +tool_call +look \{"q":"\\u001b\[31mx"\}$/,
    /^\S+ test +error +warning: it broke$/,
    /^\S+ a1 +agent_state_change +idle → acting/,
    /^\S+ test +deploy +\{"any":1\}$/,
  ].entries()) {
    assert.match(lines[index] ?? "", line);
  }
  const chosen = ["--type", "deploy", "--type", "err*", "--json", "--after", "0", "--limit", "2"];
  const some = await runCli(["signals", "tail", ...chosen, ...at(atrium)]);
  const types = some.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).type);
  assert.deepEqual(types, ["error", "deploy"]);
  const one = await runCli([
    "signals",
    "tail",
    "--correlation",
    "d1",
    "--after",
    "0",
    "--limit",
    "1",
    ...at(atrium),
  ]);
  assert.match(one.stdout, /deploy/);
  const wrong = await runCli(["signals", "tail", "--url", atrium.url, "--token", "wrong"]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /rejected the connection: wrong token\.\nPass the token/);
  const nowhere = await runCli(["signals", "tail", "--after", "zz", ...at(atrium)]);
  assert.deepEqual([nowhere.code, nowhere.stdout], [2, ""]);
  assert.match(
    nowhere.stderr,
    /^atrium: zz is not a position\. A position looks like 12\.0\.\nSee/,
  );
});

test("[CLI-22] over a restart tail goes on where it was", async () => {
  await withHome(async (home) => {
    const first = await startServer(home);
    const place = at(first);
    const { port } = first;
    await post(first, signalOf("n", { n: 1 }));
    await using tail = startCli([
      "signals",
      "tail",
      "--after",
      "0",
      "--limit",
      "3",
      "--json",
      ...place,
    ]);
    await tail.says('"n":1');
    await post(first, signalOf("n", { n: 2 }));
    await tail.says('"n":2');
    await first.end("SIGKILL");
    await using again = await startServer(home, { args: ["--port", String(port)] });
    await post(again, signalOf("n", { n: 3 }));
    const { code, stdout } = await tail.ended;
    assert.equal(code, 0);
    const numbers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).payload.n);
    assert.deepEqual(numbers, [1, 2, 3]);
  });
});
