/** Tools that the client brings along and makes the calls of, with OpenAI's own client. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Compile } from "@atrium/schema";
import { ChatCompletion, ChatCompletionChunk } from "@atrium/wire/openai";
import type OpenAI from "openai";
import { acpPrompt } from "../../kit/acp-agent.ts";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { apiError, openaiClient, saying } from "../../kit/openai.ts";
import { textsAt } from "../../kit/transcript-texts.ts";

type Request = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type Completion = OpenAI.Chat.Completions.ChatCompletion;
type Tool = OpenAI.Chat.Completions.ChatCompletionFunctionTool;

function tool(name: string): Tool {
  const parameters = { type: "object", properties: { city: { type: "string" } } };
  return {
    type: "function",
    function: { name, description: `The ${name} of a city.`, parameters },
  };
}

const WEATHER = tool("weather");

function asking(content: string, ...tools: readonly Tool[]): Request {
  return { ...saying(content), tools: tools.length === 0 ? [WEATHER] : [...tools] };
}

/** The calls that the client is asked to make. */
function callsIn(completion: Completion): { id: string; name: string; input: unknown }[] {
  const [choice] = completion.choices;
  assert.equal(choice?.finish_reason, "tool_calls", JSON.stringify(completion));
  return (choice.message.tool_calls ?? []).map((call) => {
    assert.ok(call.type === "function");
    const { name, arguments: input } = call.function;
    return { id: call.id, name, input: JSON.parse(input) as unknown };
  });
}

/** The next request, with what the calls returned. */
function answering(
  asked: Request,
  completion: Completion,
  ...results: readonly string[]
): Request & { messages: Message[] } {
  const message = completion.choices[0]!.message;
  const told = callsIn(completion).map(({ id }, at) => ({
    role: "tool" as const,
    tool_call_id: id,
    content: results[at] ?? "",
  }));
  return { ...asked, messages: [...asked.messages, message, ...told] };
}

async function conversations(atrium: TestAtrium): Promise<{ key: string; status: string }[]> {
  await using peer = await atrium.connect();
  return (await peer.ask("sessions.list")).sessions;
}

const CALL = '[[tool: weather {"city":"Oslo"}]]';

test("[OAI-14] a call comes back as a tool call, and its result continues the same run", async () => {
  await using atrium = await openTestAtrium();
  const { completions } = openaiClient(atrium).chat;
  const asked = asking(`[[say: Let me look.]] ${CALL} [[say: That was it.]]`);
  const first = await completions.create(asked);
  assert.ok(Compile(ChatCompletion).Check(JSON.parse(JSON.stringify(first))));
  const calls = callsIn(first);
  assert.deepEqual(
    calls.map(({ name, input }) => ({ name, input })),
    [{ name: "weather", input: { city: "Oslo" } }],
  );
  assert.match(calls[0]!.id, /^[a-z0-9]{9,40}$/);
  assert.equal(first.choices[0]?.message.content, "Let me look.");
  const second = await completions.create(answering(asked, first, "rain"));
  const { message, finish_reason: why } = second.choices[0]!;
  assert.deepEqual([message.content, why], ["weather returned: rain\nThat was it.", "stop"]);
  assert.notEqual(second.id, first.id);
  assert.ok(second.usage!.completion_tokens > 0);
  assert.equal((await conversations(atrium)).length, 1, "it is one conversation");
  assert.deepEqual(atrium.faults, []);
});

test("[OAI-14] a message without words is null beside its calls", async () => {
  await using atrium = await openTestAtrium();
  const first = await openaiClient(atrium).chat.completions.create(asking(CALL));
  assert.equal(first.choices[0]?.message.content, null);
});

test("[OAI-14] in a stream the call comes in OpenAI's deltas, and OpenAI's helper makes it", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const asked = asking(`[[say: Wait.]] ${CALL} [[say: Done.]]`);
  const check = Compile(ChatCompletionChunk);
  const usage = { stream: true as const, stream_options: { include_usage: true } };
  const stream = await client.chat.completions.create({ ...asked, ...usage });
  const chunks = await Array.fromAsync(stream);
  for (const chunk of chunks) assert.ok(check.Check(chunk), JSON.stringify(chunk));
  const deltas = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
  assert.deepEqual(
    deltas.map(({ index, type, function: f }) => [index, type, f?.name, f?.arguments]),
    [
      [0, "function", "weather", ""],
      [0, undefined, undefined, '{"city":"Oslo"}'],
    ],
  );
  assert.ok(chunks.at(-1)?.usage);
  const heard: unknown[] = [];
  const runner = client.chat.completions.runTools({
    ...asked,
    stream: true,
    tools: [
      {
        type: "function",
        function: {
          name: "weather",
          description: "The weather of a city.",
          parameters: { type: "object", properties: {} },
          parse: (text: string): unknown => JSON.parse(text),
          function: (input: unknown) => {
            heard.push(input);
            return "sun";
          },
        },
      },
    ],
  });
  assert.equal(await runner.finalContent(), "weather returned: sun\nDone.");
  assert.deepEqual(heard, [{ city: "Oslo" }]);
});

test("[OAI-14] a conversation that is bound goes on in the same run, and keeps all of it", async () => {
  await using atrium = await openTestAtrium();
  const { completions } = openaiClient(atrium).chat;
  const asked = { ...asking(`${CALL} ${CALL} [[say: Both.]]`), user: "ann" };
  const first = await completions.create(asked);
  const next = answering(asked, first, "rain");
  const second = await completions.create(next);
  const third = await completions.create(answering(next, second, "sun"));
  assert.match(third.choices[0]?.message.content ?? "", /^weather returned: sun\nBoth\.$/);
  const texts = await textsAt(atrium, "agent:main:openai-user:ann");
  assert.equal(texts.at(-1), "weather returned: rain\nweather returned: sun\nBoth.");
});

test("[OAI-14] words that come with the results go on with them; with a file it is a new turn", async () => {
  await using atrium = await openTestAtrium();
  const { completions } = openaiClient(atrium).chat;
  const asked = asking(`${CALL} [[say: Done.]]`);
  const worded = answering(asked, await completions.create(asked), "rain");
  worded.messages.push({ role: "user", content: "And hurry." });
  const second = await completions.create(worded);
  const content = second.choices[0]?.message.content ?? "";
  assert.match(content, /^weather returned: rain\n\n.*\n\nAnd hurry\.\nDone\.$/);
  const pictured = answering(asked, await completions.create(asked), "rain");
  const url = `data:image/png;base64,${Buffer.from("no picture").toString("base64")}`;
  pictured.messages.push(
    { role: "user", content: "[[say: A picture.]]" },
    { role: "user", content: [{ type: "image_url", image_url: { url } }] },
  );
  const third = await completions.create(pictured);
  assert.match(third.choices[0]?.message.content ?? "", /A picture\.$/);
});

test("[OAI-14] a request that is repeated with its key gets the same calls, and the same answer to them", async () => {
  await using atrium = await openTestAtrium();
  const { completions } = openaiClient(atrium).chat;
  const keyed = (key: string) => ({ headers: { "Idempotency-Key": key } });
  const asked = asking(`[[say: Look.]] ${CALL} [[say: Done.]]`);
  const first = await completions.create(asked, keyed("k1"));
  assert.deepEqual(await completions.create(asked, keyed("k1")), first);
  const next = answering(asked, first, "rain");
  const second = await completions.create(next, keyed("k2"));
  assert.deepEqual(await completions.create(next, keyed("k2")), second);
  assert.deepEqual(await completions.create(asked, keyed("k1")), first);
  const streamed = await completions.create({ ...asked, stream: true }, keyed("k1"));
  const words = (await Array.fromAsync(streamed)).map(
    ({ choices }) => choices[0]?.delta.content ?? "",
  );
  assert.equal(words.join(""), "Look.");
  assert.equal((await conversations(atrium)).length, 1);
});

test("[OAI-14] an agent that is a program gets the tools too, and waits with its session", async () => {
  const agent = fileURLToPath(new URL("../../kit/acp-agent.ts", import.meta.url));
  const runtime = { type: "acp", command: [process.execPath, agent] };
  const env = { PATH: process.env["PATH"] ?? "" };
  await using atrium = await openTestAtrium({ settings: crewOf(runtime), env });
  const { completions } = openaiClient(atrium).chat;
  const steps = acpPrompt(
    { say: "Look: " },
    { useTool: "weather", input: { city: "Oslo" } },
    { say: " Done." },
  );
  const asked = asking(steps);
  const first = await completions.create(asked);
  assert.deepEqual(callsIn(first)[0]?.input, { city: "Oslo" });
  const second = await completions.create(answering(asked, first, "rain"));
  const [choice] = second.choices;
  assert.equal(choice?.finish_reason, "stop");
  assert.match(choice.message.content ?? "", /rain.* Done\.$/);
  assert.deepEqual(atrium.faults, []);
});

test("[OAI-15] with `none` no tool is offered; with `required` or a name one is called", async () => {
  await using atrium = await openTestAtrium();
  const { completions } = openaiClient(atrium).chat;
  const none = await completions.create({ ...asking(CALL), tool_choice: "none" });
  assert.match(none.choices[0]?.message.content ?? "", /There is no tool weather/);
  const tools = [tool("tides"), WEATHER];
  const required = { ...asking("[[say: No.]]", ...tools), tool_choice: "required" as const };
  assert.equal(callsIn(await completions.create(required))[0]?.name, "tides");
  const named = { type: "function" as const, function: { name: "weather" } };
  const chosen = await completions.create({ ...required, tool_choice: named });
  assert.equal(callsIn(chosen)[0]?.name, "weather");
});

test("[OAI-15] an answer without the demanded call is an error, also at the end of a stream", async () => {
  const runtime = { type: "command", command: ["/bin/echo", "No."] };
  await using atrium = await openTestAtrium({ settings: crewOf(runtime) });
  const { completions } = openaiClient(atrium).chat;
  const asked = { ...asking("hi"), tool_choice: "required" as const };
  const { status, code, message } = await apiError(completions.create(asked));
  assert.deepEqual([status, code], [500, "tool_choice_unmet"], message);
  const stream = await completions.create({ ...asked, stream: true });
  const error = await apiError(Array.fromAsync(stream));
  assert.equal(error.code, "tool_choice_unmet");
});

test("[OAI-15] calls of one step come together, or one at a time with `parallel_tool_calls: false`", async () => {
  const both = [
    { name: "weather", input: { city: "Oslo" } },
    { name: "weather", input: { city: "Rome" } },
  ];
  await using model = await openModelServer(({ body }) => {
    const results = (body.messages as { role: string; content: string }[])
      .filter(({ role }) => role === "tool")
      .map(({ content }) => content);
    return results.length === 0
      ? { type: "answer", toolCalls: both }
      : { type: "answer", chunks: [results.join(" and ")] };
  });
  await using atrium = await openTestAtrium({ settings: crewOf(modelAt(model.baseUrl)) });
  const { completions } = openaiClient(atrium).chat;
  const asked = asking("How is it there?");
  const first = await completions.create(asked);
  assert.deepEqual(
    callsIn(first).map(({ input }) => input),
    both.map(({ input }) => input),
  );
  const end = await completions.create(answering(asked, first, "rain", "sun"));
  assert.equal(end.choices[0]?.message.content, "rain and sun");
  const serial = { ...asked, parallel_tool_calls: false };
  const one = await completions.create(serial);
  assert.equal(callsIn(one).length, 1);
  const next = answering(serial, one, "snow");
  const two = await completions.create(next);
  assert.deepEqual(callsIn(two)[0]?.input, { city: "Rome" });
  const last = await completions.create(answering(next, two, "fog"));
  assert.equal(last.choices[0]?.message.content, "snow and fog");
});

test("[OAI-15] a tool that the next request leaves out is not called any more", async () => {
  await using atrium = await openTestAtrium();
  const { completions } = openaiClient(atrium).chat;
  const asked = asking(`${CALL} ${CALL}`);
  const first = await completions.create(asked);
  const { tools: _tools, ...bare } = answering(asked, first, "rain");
  const second = await completions.create(bare);
  assert.equal(second.choices[0]?.finish_reason, "stop");
  assert.match(second.choices[0]?.message.content ?? "", /makes no more calls of weather/);
});

test("[OAI-16] tools that cannot be taken are refused by name", async () => {
  await using atrium = await openTestAtrium();
  const { completions } = openaiClient(atrium).chat;
  const named = (name: string) => [{ type: "function", function: { name } }];
  const large = { type: "object", description: "x".repeat(1_100_000) };
  const cases: readonly (readonly [unknown, string])[] = [
    [Array.from({ length: 129 }, (_, n) => tool(`t${n}`)), "tools"],
    [[{ type: "function", function: { name: "f", parameters: large } }], "tools"],
    [named(""), "tools[0].function.name"],
    [named("a b"), "tools[0].function.name"],
    [named("x".repeat(65)), "tools[0].function.name"],
    [[...named("f"), ...named("f")], "tools[1].function.name"],
    [[{ type: "custom", custom: { name: "f" } }], "tools[0].type"],
    [[{ type: "function" }], "tools[0].function"],
    [
      [{ type: "function", function: { name: "f", parameters: { type: "string" } } }],
      "tools[0].function.parameters",
    ],
  ];
  for (const [tools, param] of cases) {
    const error = await apiError(completions.create({ ...saying("hi"), tools } as never));
    assert.deepEqual([error.status, error.param], [400, param], error.message);
  }
  for (const choice of ["required", "sometimes", { type: "function", function: { name: "g" } }]) {
    const asked = { ...saying("hi"), tool_choice: choice } as never;
    const error = await apiError(completions.create(asked));
    assert.deepEqual([error.status, error.param], [400, "tool_choice"]);
  }
});

test("[OAI-16] a call without its result and a result without its call are refused", async () => {
  await using atrium = await openTestAtrium();
  const { completions } = openaiClient(atrium).chat;
  const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };
  const calling = { role: "assistant", content: null, tool_calls: [call] };
  const user = { role: "user", content: "hi" };
  const result = { role: "tool", tool_call_id: "c1", content: "42" };
  const cases = [
    [[user, calling], "messages[1]"],
    [[user, calling, user], "messages[1]"],
    [[user, calling, calling, result], "messages[1]"],
    [[user, result], "messages[1]"],
    [[user, calling, result, result], "messages[3]"],
    [[user, calling, { ...result, tool_call_id: "__proto__" }], "messages[2]"],
  ] as const;
  for (const [messages, param] of cases) {
    const asked = { model: "openclaw", messages } as never;
    const error = await apiError(completions.create(asked));
    assert.deepEqual([error.status, error.param], [400, param], error.message);
  }
});

test("[OAI-17] a tool with the name of the agent's own is offered under another, and comes back under its own", async () => {
  await using atrium = await openTestAtrium();
  const { completions } = openaiClient(atrium).chat;
  const names = ["now", "__proto__", "constructor"];
  const tools = names.map(tool);
  const own = await completions.create(asking("[[tool: now]]", ...tools));
  assert.match(own.choices[0]?.message.content ?? "", /^now returned: .*20\d\d/);
  for (const name of names) {
    const asked = asking(`[[tool: client_${name} {"city":"Oslo"}]]`, ...tools);
    const first = await completions.create(asked);
    assert.equal(callsIn(first)[0]?.name, name);
    const second = await completions.create(answering(asked, first, "theirs"));
    assert.equal(second.choices[0]?.message.content, `client_${name} returned: theirs`);
  }
});

test("[OAI-18] results that no run waits for are told in a new turn", async () => {
  await using model = await openModelServer(() => ({ type: "answer", chunks: ["I see."] }));
  await using atrium = await openTestAtrium({ settings: crewOf(modelAt(model.baseUrl)) });
  const call = { name: "weather", arguments: '{"city":"Oslo"}' };
  const id = "call_of_long_ago";
  const messages: Message[] = [
    { role: "user", content: "Where?" },
    {
      role: "assistant",
      content: "Let me look.",
      tool_calls: [{ id, type: "function", function: call }],
    },
    { role: "tool", tool_call_id: id, content: "rain" },
  ];
  const asked = { model: "openclaw", messages, tools: [WEATHER] };
  const answer = await openaiClient(atrium).chat.completions.create(asked);
  assert.equal(answer.choices[0]?.message.content, "I see.");
  const told = JSON.stringify(model.requests.at(-1)?.body.messages);
  assert.match(told, /Let me look.*Called weather with .*Oslo.*weather returned:.*rain/s);
});

test("[OAI-18] a client that goes on without making the calls gives the run up", async () => {
  await using atrium = await openTestAtrium();
  const { completions } = openaiClient(atrium).chat;
  const asked = { ...asking(CALL), user: "ann" };
  const first = await completions.create(asked);
  const unrelated = { ...saying("[[say: Never mind.]]"), user: "ann" };
  const other = await completions.create(unrelated);
  assert.equal(other.choices[0]?.message.content, "Never mind.");
  // Too late: it is a new turn, which is told of the result.
  const late = await completions.create(answering(asked, first, "[[say: So it rained.]]"));
  assert.equal(late.choices[0]?.message.content, "So it rained.");
});

test("[OAI-18] a client that does not answer in time ends the run", async () => {
  await using atrium = await openTestAtrium({ limits: { clientCallTimeoutMs: 20 } });
  await using peer = await atrium.connect();
  const ended = peer.first(({ event, payload }) => event === "chat" && payload.state === "error");
  const { completions } = openaiClient(atrium).chat;
  const asked = { ...asking(`${CALL} [[say: Done.]]`), user: "ann" };
  await completions.create(asked);
  assert.match((await ended).payload.errorMessage, /asked to call weather and did not answer/);
});

test("[OAI-19] an agent whose runtime takes no tools refuses them", async () => {
  const claw = { type: "openclaw", url: "ws://127.0.0.1:9" };
  const cline = { type: "cline", command: [process.execPath] };
  for (const runtime of [claw, cline]) {
    await using atrium = await openTestAtrium({ settings: crewOf(runtime) });
    const error = await apiError(openaiClient(atrium).chat.completions.create(asking("hi")));
    assert.deepEqual([error.status, error.code, error.param], [400, "tools.unsupported", "tools"]);
    assert.match(error.message, /main/);
  }
});

function modelAt(baseUrl: string): object {
  return { type: "model", provider: "openai-compatible", baseUrl, model: "m" };
}

function crewOf(runtime: object): object {
  const agents = [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "one" }];
  return { runtimes: { one: runtime }, agents };
}
