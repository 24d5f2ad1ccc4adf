/** Our own client with an agent at work: what is followed, lost, found again and never said twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createGatewayClient, type GatewayClient, type RunUpdate } from "@atrium/client";
import { openTestAtrium } from "../../kit/atrium.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

const ME = { id: "test", version: "dev", platform: "linux", mode: "cli" };

function clientOf({ wsUrl: url, token }: { wsUrl: string; token: string }): GatewayClient {
  return createGatewayClient({
    url,
    token,
    client: ME,
    scopes: ["operator.admin"],
    caps: ["tool-events"],
  });
}

interface Followed {
  readonly heard: readonly RunUpdate[];
  readonly over: Promise<void>;
  /** Resolves with the first update of that type. */
  readonly first: (type: RunUpdate["type"]) => Promise<void>;
}

function follow(updates: AsyncIterable<RunUpdate>): Followed {
  const heard: RunUpdate[] = [];
  const wanted: { type: string; resolve: () => void }[] = [];
  const over = (async () => {
    for await (const update of updates) {
      heard.push(update);
      for (const { type, resolve } of wanted) if (type === update.type) resolve();
    }
  })();
  const first = (type: string): Promise<void> =>
    new Promise((resolve) => {
      if (heard.some((update) => update.type === type)) resolve();
      else wanted.push({ type, resolve });
    });
  return { heard, over, first };
}

const endsOf = ({ heard }: Followed) => heard.filter(({ type }) => type === "end");

test("[CLIENT-24] a chat with the real server gives words, a tool and one end", async () => {
  await using atrium = await openTestAtrium();
  await using client = clientOf(atrium);
  const problems: unknown[] = [];
  client.onProblem((problem) => void problems.push(problem));
  await client.connect();
  const message = "[[say: Well met.]] [[tool: clock]] [[say: Good bye.]]";
  const chat = follow(client.chat({ sessionKey: "main", message }));
  await chat.over;
  const words = chat.heard.map((update) => (update.type === "text" ? update.delta : "")).join("");
  const end = chat.heard.at(-1);
  assert.ok(end?.type === "end");
  assert.equal(end.how, "completed");
  assert.equal(end.text, words);
  assert.match(words, /Well met\.[^]*Good bye\./);
  assert.ok(chat.heard.some(({ type }) => type === "tool"));
  assert.deepEqual([endsOf(chat).length, problems], [1, []]);
});

test("[CLIENT-23] agent answers twice over a real socket, well or badly", async () => {
  await using atrium = await openTestAtrium();
  await using client = clientOf(atrium);
  await client.connect();
  const taken: string[] = [];
  const onAccepted = ({ agentId }: { agentId: string }): void => void taken.push(agentId);
  const done = await client.agent({ message: "[[say: Done.]]" }, { onAccepted });
  assert.deepEqual([taken, done.status], [["main"], "ok"]);
  assert.match(done.result.payloads[0]?.text ?? "", /Done\./);
  await assert.rejects(client.agent({ message: "[[fail: no paper]]" }), /no paper/);
});

test("[CLIENT-26] a server killed in the middle of a chat: one end each, nothing twice, what waited is answered", async () => {
  await withHome(async (home) => {
    const first = await startServer(home);
    await using client = clientOf(first);
    await client.connect();
    const leave = await client.subscribeMessages("main");
    const cut = follow(client.chat({ sessionKey: "main", message: "[[say: Half]] [[hang]]" }));
    await cut.first("text");
    const queued = {
      sessionKey: "main",
      message: "[[say: Whole]]",
      queueMode: "followup",
    } as const;
    const waits = follow(client.chat(queued));
    await waits.first("accepted");
    await first.end("SIGKILL");
    await Promise.all([cut.first("lost"), waits.first("lost")]);
    await using _second = await startServer(home, { args: ["--port", `${first.port}`] });
    await Promise.all([cut.over, waits.over]);

    const [stopped, ...noMore] = endsOf(cut);
    assert.ok(stopped?.type === "end" && noMore.length === 0);
    assert.equal(stopped.how, "failed");
    assert.match(stopped.reason ?? "", /server stopped/);
    const [answered, ...none] = endsOf(waits);
    assert.ok(answered?.type === "end" && none.length === 0);
    assert.equal(answered.how, "completed");
    assert.match(answered.text, /Whole/);
    const { messages } = await client.call("chat.history", { sessionKey: "main" });
    assert.equal(messages.filter(({ role }) => role === "user").length, 2);

    const told = new Promise((resolve) => client.onEvent("session.message", resolve));
    await client.call("chat.inject", { sessionKey: "main", message: "still subscribed" });
    await told;
    leave();
  });
});
