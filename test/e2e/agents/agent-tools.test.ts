import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import type { Frame } from "../../kit/raw-peer.ts";

const tool = (name: string, input: object): string => `[[tool: ${name} ${JSON.stringify(input)}]]`;

test("[TOOL-5] an agent replies, tells its progress, asks and delivers in the course of its turn", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect({ caps: ["tool-events"] });
  const message = [
    tool("reply", { text: "I am on it." }),
    tool("progress", { text: "Writing" }),
    tool("ask", { question: "Which color?", options: ["Red", "Blue"] }),
    tool("deliver_artifact", { name: "plan.md", content: "# Plan" }),
    "[[say: done]]",
  ].join(" ");
  await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: "r1" });
  const asked = await peer.first(({ event }) => event === "question.requested");
  await peer.ask("question.answer", { id: asked.payload.id, text: "Blue" });
  await peer.first(
    ({ event, payload }) => event === "chat" && payload.state === "final" && payload.runId === "r1",
  );
  const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
  const texts = messages.flatMap(({ content }: Frame["payload"]) =>
    content.map((part: Frame["payload"]) => part.text ?? part.fileName ?? ""),
  );
  assert.ok(texts.includes("I am on it."));
  assert.ok(texts.includes("plan.md"));
  assert.ok(texts.some((text: string) => text.includes('{"answer":"Blue"}')));
  const told = peer.frames.filter(
    ({ event, payload }) => event === "agent" && payload.data.phase === "progress",
  );
  assert.equal(told[0]?.payload.data.message, "Writing");
  assert.deepEqual(atrium.faults, []);
});

test("[TOOL-5] what belongs to a turn says so where there is none", async () => {
  await using atrium = await openTestAtrium();
  const invoke = async (name: string, args: object) => {
    const response = await fetch(`${atrium.url}tools/invoke`, {
      method: "POST",
      headers: { authorization: `Bearer ${atrium.token}`, "content-type": "application/json" },
      body: JSON.stringify({ tool: name, args }),
    });
    return JSON.stringify(await response.json());
  };
  assert.match(await invoke("ask", { question: "x" }), /can only be called during a turn/);
  assert.match(await invoke("progress", { text: "x" }), /can only be called during a turn/);
  assert.match(
    await invoke("deliver_artifact", { name: "a", content: "" }),
    /can only be called during a turn/,
  );
  assert.match(await invoke("deliver_artifact", { name: "../a", content: "" }), /name/);
});
