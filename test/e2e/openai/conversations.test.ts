import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { apiError, openaiClient, saying } from "../../kit/openai.ts";
import { textsAt } from "../../kit/transcript-texts.ts";

test("[OAI-4] system and developer messages instruct the agent", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const { messages } = saying("[[say: ok]]");
  const bare = await client.chat.completions.create({ model: "openclaw", messages });
  const told = await client.chat.completions.create({
    model: "openclaw",
    messages: [
      { role: "system", content: "s".repeat(1998) },
      { role: "developer", content: [{ type: "text", text: "d".repeat(1998) }] },
      ...messages,
    ],
  });
  // The rehearsal counts four characters a token, and a blank line goes before each.
  assert.equal(told.usage!.prompt_tokens - bare.usage!.prompt_tokens, 1000);
});

test("[OAI-4] a request whose last message is not the user's is refused", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const cases = [
    [
      { role: "user", content: "hi" },
      { role: "assistant", content: "I think" },
    ],
    [{ role: "system", content: "be kind" }],
    [{ role: "user", content: "  " }],
    [{ role: "narrator", content: "hi" }],
    [],
  ];
  for (const messages of cases) {
    const asked = { model: "openclaw", messages } as never;
    const { status, param, type } = await apiError(client.chat.completions.create(asked));
    assert.deepEqual([status, type], [400, "invalid_request_error"]);
    assert.match(param ?? "", /^messages/);
  }
});

test("[OAI-4] a request without a binding brings its own past and leaves no trace in others", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const { messages } = saying("[[say: ok]]");
  const past = [
    { role: "user" as const, content: "q".repeat(2000) },
    { role: "assistant" as const, content: "a".repeat(2000) },
  ];
  const bare = await client.chat.completions.create({ model: "openclaw", messages });
  const { data: told, response } = await client.chat.completions
    .create({ model: "openclaw", messages: [...past, ...messages] })
    .withResponse();
  assert.equal(told.usage!.prompt_tokens - bare.usage!.prompt_tokens, 1000);
  const again = await client.chat.completions.create({ model: "openclaw", messages });
  assert.equal(again.usage!.prompt_tokens, bare.usage!.prompt_tokens);
  // What others said elsewhere is not written down as said here, but a later turn is told of it.
  const key = response.headers.get("x-openclaw-session-key") ?? "";
  assert.deepEqual(await textsAt(atrium, key), ["[[say: ok]]", "ok"]);
  const later = await openaiClient(atrium, {
    headers: { "x-openclaw-session-key": key },
  }).chat.completions.create({ model: "openclaw", messages });
  assert.ok(later.usage!.prompt_tokens - bare.usage!.prompt_tokens >= 1000);
});

test("[OAI-5] a user comes back to a conversation that remembers", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const ann = { user: "ann" };
  const first = await client.chat.completions.create({
    ...saying(`[[say: noted]] ${"x".repeat(4000)}`),
    ...ann,
  });
  const second = await client.chat.completions.create({
    model: "openclaw",
    ...ann,
    messages: [
      { role: "user", content: "what the client thinks was said" },
      { role: "assistant", content: "and answered" },
      { role: "user", content: "[[say: again]]" },
    ],
  });
  assert.ok(second.usage!.prompt_tokens > 1000, "the first message is part of the past");
  assert.notEqual(first.id, second.id);
  const texts = await textsAt(atrium, "agent:main:openai-user:ann");
  assert.equal(texts.length, 4);
  assert.deepEqual(texts.slice(1), ["noted", "[[say: again]]", "again"]);
});

test("[OAI-5] users whose names differ share nothing", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const keys = new Set<string | null>();
  for (const user of ["ann", "Ann", "ann b", "\ud800", "\ud801", "ånn", "x".repeat(600)]) {
    const asked = { ...saying("[[say: hi]]"), user };
    const { response } = await client.chat.completions.create(asked).withResponse();
    keys.add(response.headers.get("x-openclaw-session-key"));
  }
  assert.equal(keys.size, 7);
});

test("[OAI-5] a session key binds to a conversation that the gateway sees too", async () => {
  await using atrium = await openTestAtrium();
  const bound = openaiClient(atrium, {
    headers: { "x-openclaw-session-key": "agent:eng_1:notes" },
  });
  await bound.chat.completions.create(saying("[[say: first]]"));
  await bound.chat.completions.create({ ...saying("[[say: second]]"), model: "openclaw/eng_1" });
  assert.deepEqual(await textsAt(atrium, "agent:eng_1:notes"), [
    "[[say: first]]",
    "first",
    "[[say: second]]",
    "second",
  ]);
  const other = { ...saying("hi"), model: "openclaw/main" };
  const { status, param } = await apiError(bound.chat.completions.create(other));
  assert.deepEqual([status, param], [400, "x-openclaw-session-key"]);
});

test("[OAI-6] images and files reach the agent as attachments", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const png = `data:image/png;base64,${Buffer.from("not really").toString("base64")}`;
  const notes = `data:text/plain;base64,${Buffer.from("one\ntwo\n").toString("base64")}`;
  const { choices } = await client.chat.completions.create({
    model: "openclaw",
    messages: [
      { role: "user", content: [{ type: "image_url", image_url: { url: png } }] },
      { role: "assistant", content: "A picture." },
      {
        role: "user",
        content: [
          { type: "text", text: "[[say: done]]" },
          { type: "file", file: { filename: "notes.txt", file_data: notes } },
        ],
      },
    ],
  });
  const text = choices[0]?.message.content ?? "";
  assert.match(text, /I have notes\.txt \(2 lines\)/);
  assert.match(text, /image-1\.png/);
});

test("[OAI-6] nothing is fetched from elsewhere", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  for (const url of [
    "https://example.com/a.png",
    "data:image/png,raw",
    "data:image/png;base64,%%",
  ]) {
    const content = [{ type: "image_url" as const, image_url: { url } }];
    const asked = { model: "openclaw", messages: [{ role: "user" as const, content }] };
    const { status, param } = await apiError(client.chat.completions.create(asked));
    assert.deepEqual([status, param], [400, "messages[0].content[0].image_url.url"]);
  }
});

test("[OAI-4] all that the user has said since the last answer is answered", async () => {
  await using atrium = await openTestAtrium();
  const messages = [
    { role: "user" as const, content: "[[say: One.]]" },
    { role: "user" as const, content: "[[say: Two.]]" },
  ];
  for (const bound of [{}, { user: "ann" }]) {
    const asked = { model: "openclaw", messages, ...bound };
    const { choices } = await openaiClient(atrium).chat.completions.create(asked);
    assert.equal(choices[0]?.message.content, "One.\nTwo.");
  }
});

test("[OAI-5] a client's session is a conversation of its own with each agent", async () => {
  await using atrium = await openTestAtrium();
  const said = async (session: string, model = "openclaw"): Promise<string | null> => {
    const client = openaiClient(atrium, { headers: { "x-session-affinity": session } });
    const { response } = await client.chat.completions
      .create({ ...saying("[[say: ok]]"), model })
      .withResponse();
    return response.headers.get("x-openclaw-session-key");
  };
  assert.equal(await said("2f13:0"), "agent:main:openai-session:2f13:0");
  assert.equal(await said("2f13:0", "atrium/eng_1"), "agent:eng_1:openai-session:2f13:0");
  assert.notEqual(await said("A"), await said("a"));
  assert.equal((await textsAt(atrium, "agent:main:openai-session:2f13:0")).length, 2);
});
