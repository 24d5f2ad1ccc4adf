import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "@atrium/schema";
import {
  ChatCompletion,
  ChatCompletionChunk,
  CompletionUsage,
  ErrorBody,
  Model,
  ModelList,
} from "@atrium/wire/openai";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { apiError, openaiClient, saying } from "../../kit/openai.ts";
import { textsAt } from "../../kit/transcript-texts.ts";

const ID = /^chatcmpl_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test("[OAI-10] a completion has an id, the text, why it ended, and what it used", async () => {
  await using atrium = await openTestAtrium();
  const { data, response } = await openaiClient(atrium)
    .chat.completions.create(saying("[[say: Hello there.]]"))
    .withResponse();
  assert.match(data.id, ID);
  assert.equal(data.choices[0]?.message.content, "Hello there.");
  assert.equal(data.choices[0]?.finish_reason, "stop");
  assert.equal(data.model, "openclaw");
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = data.usage!;
  assert.ok(input > 0 && output === 3);
  assert.equal(total, input + output);
  assert.equal(response.headers.get("x-request-id"), data.id);
  // As it crossed the wire: the client adds members of its own.
  assert.ok(Compile(ChatCompletion).Check(JSON.parse(JSON.stringify(data))));
});

test("[OAI-10] usage is the run's own", async () => {
  await using atrium = await openTestAtrium();
  const { usage } = await openaiClient(atrium).chat.completions.create(
    saying("[[tokens: 5000]] [[say: ok]]"),
  );
  assert.equal(usage?.completion_tokens, 5001);
  assert.ok(Compile(CompletionUsage).Check(usage));
});

test("[OAI-10] a stream brings the role, the words as they are said, the end, the usage", async () => {
  await using atrium = await openTestAtrium();
  const check = Compile(ChatCompletionChunk);
  const stream = await openaiClient(atrium).chat.completions.create({
    ...saying("[[say: One two three four five six seven. Eight nine.]]"),
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = await Array.fromAsync(stream);
  for (const chunk of chunks) assert.ok(check.Check(chunk), JSON.stringify(chunk));
  const [first, ...rest] = chunks;
  assert.deepEqual(first?.choices[0]?.delta, { role: "assistant", content: "" });
  const words = rest.map((chunk) => chunk.choices[0]?.delta.content ?? "").filter(Boolean);
  assert.ok(words.length >= 3, "the words come in pieces");
  assert.equal(words.join(""), "One two three four five six seven. Eight nine.");
  const ends = chunks.map((chunk) => chunk.choices[0]?.finish_reason ?? null).filter(Boolean);
  assert.deepEqual(ends, ["stop"]);
  const last = chunks.at(-1);
  assert.deepEqual(last?.choices, []);
  assert.ok((last?.usage?.completion_tokens ?? 0) > 0);
  assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
});

test("[OAI-10] words are told while they are said, not when all is done", async () => {
  await using atrium = await openTestAtrium();
  const stream = await openaiClient(atrium).chat.completions.create({
    ...saying("[[say: First.]] [[hang]]"),
    stream: true,
  });
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta.content === "First.") break;
  }
});

test("[OAI-10] on the wire a stream is server-sent events and ends with [DONE]", async () => {
  await using atrium = await openTestAtrium();
  const response = await post(atrium, { ...saying("[[say: hi]]"), stream: true });
  assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
  const lines = (await response.text()).split("\n\n");
  assert.deepEqual(lines.slice(-2), ["data: [DONE]", ""]);
  assert.ok(lines.slice(0, -2).every((line) => line.startsWith("data: {")));
  assert.ok(!lines.some((line) => line.includes("usage")));
});

test("[OAI-10] a stream that is silent carries a comment, which the client passes over", async () => {
  await using atrium = await openTestAtrium({ limits: { keepAliveMs: 20 } });
  const asked = { ...saying("[[sleep: 200ms]] [[say: late]]"), stream: true as const };
  const raw = await (await post(atrium, asked)).text();
  assert.match(raw, /^: keep-alive$/m);
  const chunks = await Array.fromAsync(await openaiClient(atrium).chat.completions.create(asked));
  const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
  assert.equal(text, "late");
});

test("[OAI-2] agents are listed as models and can be asked for one by one", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const list = await client.models.list();
  const ids = list.data.map(({ id }) => id);
  for (const id of ["openclaw", "openclaw/default", "openclaw/eng_1", "atrium/eng_1"]) {
    assert.ok(ids.includes(id), id);
    const one = await client.models.retrieve(id);
    assert.equal(one.id, id);
    assert.ok(Compile(Model).Check(JSON.parse(JSON.stringify(one))));
  }
  const raw = await get(atrium, "v1/models");
  assert.ok(Compile(ModelList).Check(await raw.json()));
  // As a person would type it, with the slash as it is.
  assert.equal((await get(atrium, "v1/models/atrium/main")).status, 200);
});

test("[OAI-2] a model that does not exist is 404 model_not_found", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const asked = { ...saying("hi"), model: "gpt-4o" };
  const calls = [
    () => client.chat.completions.create(asked),
    () => client.models.retrieve("gpt-4o"),
  ];
  for (const call of calls) {
    const { status, code, param } = await apiError(call());
    assert.deepEqual([status, code, param], [404, "model_not_found", "model"]);
  }
  const stranger = { ...saying("hi"), model: "openclaw/nobody" };
  assert.equal((await apiError(client.chat.completions.create(stranger))).status, 404);
});

test("[OAI-2] the agent that is named answers", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  for (const model of ["openclaw/eng_1", "atrium/eng_1", "openclaw:eng_1", "atrium/agent_eng_1"]) {
    const { response } = await client.chat.completions
      .create({ ...saying("[[say: hi]]"), model })
      .withResponse();
    assert.match(response.headers.get("x-openclaw-session-key") ?? "", /^agent:eng_1:openai:/);
  }
});

test("[OAI-1] without the right token the answer is 401 in OpenAI's shape", async () => {
  await using atrium = await openTestAtrium();
  const wrong = openaiClient(atrium, { apiKey: "wrong" });
  for (const call of [
    () => wrong.models.list(),
    () => wrong.chat.completions.create(saying("hi")),
  ]) {
    const { status, code } = await apiError(call());
    assert.deepEqual([status, code], [401, "invalid_api_key"]);
  }
  const bare = await fetch(`${atrium.url}v1/models`);
  assert.equal(bare.status, 401);
  assert.ok(Compile(ErrorBody).Check(await bare.json()));
});

test("[OAI-1] wrong tokens here and on the gateway's socket use up the same tries", async () => {
  await using atrium = await openTestAtrium({ limits: { wrongTokenTries: 2 } });
  const wrong = openaiClient(atrium, { apiKey: "wrong" });
  assert.equal((await apiError(wrong.models.list())).status, 401);
  await assert.rejects(atrium.connect({ auth: { token: "wrong" } }));
  const locked = await apiError(wrong.models.list());
  assert.equal(locked.status, 429);
  assert.match(locked.headers?.get("retry-after") ?? "", /^[1-9]\d*$/);
  assert.ok((await openaiClient(atrium).models.list()).data.length > 0, "the right one comes in");
});

test("[OAI-1] without a token to have, only this machine may ask", async () => {
  await using atrium = await openTestAtrium({ args: ["--auth", "none"] });
  assert.equal((await fetch(`${atrium.url}v1/models`)).status, 200);
  const forwarded = { "x-forwarded-for": "203.0.113.7" };
  assert.equal((await fetch(`${atrium.url}v1/models`, { headers: forwarded })).status, 401);
  const page = { origin: "https://elsewhere.example" };
  assert.equal((await fetch(`${atrium.url}v1/models`, { headers: page })).status, 403);
});

test("[OAI-7] what cannot be honored is refused by name", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const cases: Record<string, unknown> = {
    functions: [{ name: "f" }],
    function_call: { name: "f" },
    n: 2,
    logprobs: true,
    top_logprobs: 3,
    logit_bias: { 50256: -100 },
    response_format: { type: "json_object" },
    modalities: ["text", "audio"],
    audio: { voice: "alloy", format: "wav" },
    web_search_options: {},
  };
  for (const [param, value] of Object.entries(cases)) {
    const asked = { ...saying("hi"), [param]: value };
    const error = await apiError(client.chat.completions.create(asked));
    assert.deepEqual(
      [error.status, error.param, error.code],
      [400, param, "unsupported_parameter"],
    );
    assert.ok(error.message.length > 20);
  }
});

test("[OAI-7] messages of a kind that is not taken are refused by name", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const call = { name: "f", arguments: "{}" };
  const turns = [
    { role: "assistant", content: null, function_call: call },
    { role: "function", name: "f", content: "42" },
    { role: "user", content: [{ type: "input_audio", input_audio: { data: "", format: "wav" } }] },
  ];
  for (const turn of turns) {
    const messages = [turn, ...saying("hi").messages];
    const asked = { model: "openclaw", messages } as never;
    const { status, param, code } = await apiError(client.chat.completions.create(asked));
    assert.deepEqual([status, code], [400, "unsupported_parameter"]);
    assert.match(param ?? "", /^messages\[0\]/);
  }
});

test("[OAI-7] what breaks the schema is named", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const cases: Record<string, unknown> = {
    temperature: 3,
    max_tokens: 0,
    stop: ["a", "b", "c", "d", "e"],
    user: 7,
  };
  for (const [param, value] of Object.entries(cases)) {
    const asked = { ...saying("hi"), [param]: value };
    const error = await apiError(client.chat.completions.create(asked));
    assert.deepEqual([error.status, error.param], [400, param]);
  }
});

test("[OAI-8] what has no effect is accepted and named, and the rest passes", async () => {
  await using atrium = await openTestAtrium();
  const older = { max_tokens: 5, seed: 1, frequency_penalty: null };
  const newer = { something_new: true };
  const { response } = await openaiClient(atrium)
    .chat.completions.create({
      ...saying("[[say: hi]]"),
      ...older,
      ...newer,
      temperature: 0.2,
      n: 1,
      tools: [],
      tool_choice: "none",
      response_format: { type: "text" },
      store: false,
      metadata: { a: "b" },
      service_tier: "auto",
    })
    .withResponse();
  const named = response.headers.get("x-atrium-without-effect");
  assert.equal(named, "temperature, seed, max_tokens");
});

test("[OAI-8] reasoning effort is the turn's thinking", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  // A rehearsing agent thinks aloud before it answers of its own accord, unless it is told not to.
  const asked = saying("What should we call it?");
  const thinking = await client.chat.completions.create(asked);
  const not = await client.chat.completions.create({ ...asked, reasoning_effort: "none" });
  assert.ok(not.usage!.completion_tokens < thinking.usage!.completion_tokens);
});

test("[OAI-9] a stop sequence ends the answer; the conversation remembers the whole", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const asked = {
    ...saying("[[say: One two END three four five.]]"),
    user: "ann",
    stop: ["END", "never"],
  };
  const whole = await client.chat.completions.create(asked);
  assert.equal(whole.choices[0]?.message.content, "One two ");
  assert.equal(whole.choices[0]?.finish_reason, "stop");
  const stream = await client.chat.completions.create({ ...asked, stream: true });
  const chunks = await Array.fromAsync(stream);
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join(""), "One two ");
  const texts = await textsAt(atrium, "agent:main:openai-user:ann");
  assert.equal(texts[1], "One two END three four five.");
});

function post(atrium: TestAtrium, body: unknown): Promise<Response> {
  return fetch(`${atrium.url}v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${atrium.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

function get(atrium: TestAtrium, path: string): Promise<Response> {
  return fetch(`${atrium.url}${path}`, { headers: { authorization: `Bearer ${atrium.token}` } });
}
