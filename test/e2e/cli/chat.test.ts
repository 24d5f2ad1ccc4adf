/** `atrium chat` as people use it: piped, interrupted, in a terminal, and with a server that dies. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { runCli, startCli, startCliInTerminal } from "../../kit/cli-process.ts";
import type { RawPeer } from "../../kit/raw-peer.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

const inTerminal = { skip: skipWithout("script") };

test("[CLI-9] the answer, and nothing else, is on stdout; tools are beside it", async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  const message = ["[[say: One.]]", '[[tool: search {"q":"x"}]]'];
  const { code, stdout, stderr } = await runCli(["chat", ...at, ...message]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^One\.\nsearch failed: .*\n$/);
  assert.match(stderr, /^ {2}· search \{"q":"x"\}\n {4}There is no tool search\..*\n$/);
});

test("[CLI-9] words are written as they come", async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  await using chat = startCli(["chat", ...at, "[[say: Not yet done]] [[hang]]"]);
  await chat.says("Not yet done");
});

test("[CLI-9] a run that fails says why", async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  const { code, stdout, stderr } = await runCli(["chat", ...at, "[[fail: no paper]]"]);
  assert.deepEqual([code, stdout, stderr], [1, "", "failed: no paper\n"]);
});

test("[CLI-9] the message is read from what is piped in", async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  const { code, stdout } = await runCli(["chat", ...at], { input: "[[say: Read\nit]]\n" });
  assert.deepEqual([code, stdout], [0, "Read\nit\n"]);
  for (const input of ["", " \n"]) {
    const nothing = await runCli(["chat", ...at], { input });
    assert.equal(nothing.code, 2);
    assert.match(nothing.stderr, /message is empty/);
  }
});

test("[CLI-9] an agent is named by id or name, a conversation by its key", async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  await runCli(["chat", ...at, "--agent", "eng_1", "[[say: a]]"]);
  await runCli(["chat", ...at, "--agent", "writer 1", "--session", "draft", "[[say: b]]"]);
  const { sessions } = JSON.parse((await runCli(["sessions", "--json", ...at])).stdout);
  const keys = sessions.map(({ key }: { key: string }) => key);
  assert.deepEqual(keys, ["agent:writer_1:draft", "agent:eng_1:main"]);
  const unknown = await runCli(["chat", ...at, "--agent", "nobody", "hi"]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /Unknown agent: nobody\nAgents: main \(BD\), .*eng_1 \(Eng 1\)/);
});

test("[CLI-10] Ctrl-C stops the run; a second one leaves at once", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const at = ["--url", atrium.url, "--token", atrium.token];
  await using chat = startCli(["chat", ...at, "[[say: On it]] [[hang]]"]);
  await chat.says("On it");
  const aborted = peer.next(
    ({ event, payload }) => event === "chat" && payload.state === "aborted",
  );
  chat.signal("SIGINT");
  const { code, stdout, stderr } = await chat.ended;
  assert.deepEqual([code, stdout], [130, "On it\n"]);
  assert.match(stderr, /stopped\n$/);
  await aborted;
});

test("[CLI-10] with nobody there to stop anything, Ctrl-C leaves", async () => {
  await withHome(async (home) => {
    const server = await startServer(home);
    await using chat = startCli(["chat", "--home", home, "[[say: On it]] [[hang]]"]);
    await chat.says("On it");
    await server.end("SIGKILL");
    await chat.says("lost the connection; reconnecting");
    chat.signal("SIGINT");
    assert.equal((await chat.ended).code, 130);
  });
});

test("[CLI-11] a chat whose run was cut off by kill -9 ends with that once the server is back", async () => {
  await withHome(async (home) => {
    const first = await startServer(home);
    await using chat = startCli(["chat", "--home", home, "[[say: Half]] [[hang]]"]);
    await chat.says("Half");
    await first.end("SIGKILL");
    await chat.says("lost the connection; reconnecting");
    await using _second = await startServer(home, { args: ["--port", `${first.port}`] });
    const { code, stdout, stderr } = await chat.ended;
    assert.deepEqual([code, stdout], [1, "Half\n"]);
    assert.match(stderr, /reconnected\nfailed: The server stopped while this turn was under way/);
  });
});

test("[CLI-11] a chat that waited for its turn at kill -9 is answered once the server is back", async () => {
  await withHome(async (home) => {
    const first = await startServer(home);
    const busy = await first.connect();
    await busy.ask("sessions.subscribe", {});
    const hang = { sessionKey: "main", message: "[[hang]]", idempotencyKey: "k" };
    await busy.ask("chat.send", hang);
    const taken = heard(busy, "Whole");
    await using chat = startCli(["chat", "--home", home, "[[say: Whole answer]]"]);
    await taken;
    await first.end("SIGKILL");
    await chat.says("lost the connection; reconnecting");
    await using second = await startServer(home, { args: ["--port", `${first.port}`] });
    const { code, stdout, stderr } = await chat.ended;
    assert.deepEqual([code, stdout], [0, "Whole answer\n"], stderr);
    await using peer = await second.connect();
    const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
    const said = messages.filter(({ role }: { role: string }) => role === "user");
    assert.equal(said.length, 2);
  });
});

test("[CLI-10] [CLI-5] in a terminal it talks back and forth", inTerminal, async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  await using chat = startCliInTerminal(["chat", ...at]);
  await chat.says("Ctrl-D exits");
  chat.type("[[say: Well met]]\r");
  await chat.says("Well met\r\n");
  chat.type("/agents\r");
  await chat.says("Eng 1 (eng_1): engineer");
  chat.type("[[say: Going on]] [[hang]]\r");
  // Told in pieces, with the screen painted between them.
  await chat.says(new RegExp(String.raw`\u001b\[KGoing[^[]*on`));
  chat.type("\u0003");
  await chat.says("· stopped");
  chat.type("[[say: Still here]]\r");
  // Before the prompt is there, Ctrl-D would be the terminal's own and be lost.
  await chat.says(/Still here\r\n\r\n[^]*›/);
  chat.type("\u0004");
  const { code, stdout } = await chat.ended;
  assert.equal(code, 0);
  assert.ok(stdout.includes("\u001b[1mBD\u001b[22m"));
  assert.match(stripVTControlCharacters(stdout), /^BD rehearsal\/\S+\r\n/);
});

test("[CLI-5] [CLI-10] NO_COLOR is heeded in a terminal; /exit leaves", inTerminal, async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  const env = { NO_COLOR: "1" };
  const { stdout } = await startCliInTerminal(["status", ...at], { env }).ended;
  assert.match(stdout, /^Atrium \d/);
  assert.equal(stdout.includes("\u001b"), false);
  await using chat = startCliInTerminal(["chat", ...at], { env });
  await chat.says("› ");
  chat.type("/exit\r");
  const ended = await chat.ended;
  assert.equal(ended.code, 0);
  for (const color of ["\u001b[1m", "\u001b[2m", "\u001b[36m"]) {
    assert.equal(ended.stdout.includes(color), false);
  }
});

test("[CLI-12] in a terminal, what the agent asks is answered there", inTerminal, async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  await using chat = startCliInTerminal(["chat", ...at]);
  await chat.says("›");
  chat.type("[[ask: Which? | This one | That one]] [[approve: shell npm publish]]\r");
  await chat.says(/2\S* That one\r\n.*›/);
  chat.type("2\r");
  // The end of the sentence may come after the next question.
  await chat.says('You answered "Which?" with: That');
  await chat.says(/2\S* no\r\n.*›/);
  chat.type("no\r");
  await chat.says("Denied: shell npm publish");
});

test("[CLI-12] without a person, what is asked is shown, and answered elsewhere", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const at = ["--url", atrium.url, "--token", atrium.token];
  await using chat = startCli(["chat", ...at, "[[ask: Which? | This one | That one]]"]);
  await chat.says("waiting for an answer from another client");
  assert.match(chat.stderr, /^\? Which\?\n {2}1 This one\n {2}2 That one\n/);
  const { questions } = await peer.ask("question.list", {});
  await peer.ask("question.answer", { id: questions[0].id, text: "This one" });
  const { code, stdout } = await chat.ended;
  assert.deepEqual([code, stdout], [0, 'You answered "Which?" with: This one\n']);
});

/** Resolves when someone has said this. */
async function heard(peer: RawPeer, text: string): Promise<void> {
  await peer.next(
    ({ event, payload }) =>
      event === "session.message" && JSON.stringify(payload.message).includes(text),
  );
}
