/**
 * OpenAI wire: `POST /v1/chat/completions`.
 *
 * Requests forgive keys nobody here knows, because clients of every age send many. Keys that would change
 * what is asked and cannot be honored are declared all the same: the room refuses them by name. Answers
 * are closed: they hold what OpenAI's own client declares and nothing else.
 */
import { Type, type Static } from "@atrium/schema";
import { Count, NonEmptyString, strictObject } from "../scalars.ts";

const Cap = Type.Integer({ minimum: 1 });

export const ContentPart = Type.Object({
  type: NonEmptyString,
  text: Type.Optional(Type.String()),
  refusal: Type.Optional(Type.String()),
  image_url: Type.Optional(Type.Object({ url: NonEmptyString })),
  file: Type.Optional(
    Type.Object({
      filename: Type.Optional(Type.String()),
      file_data: Type.Optional(Type.String()),
      file_id: Type.Optional(Type.String()),
    }),
  ),
});
export type ContentPart = Static<typeof ContentPart>;

/** A call as it is sent back in the history. */
const RequestToolCall = Type.Object({
  id: NonEmptyString,
  type: Type.Optional(Type.String()),
  function: Type.Optional(Type.Object({ name: NonEmptyString, arguments: Type.String() })),
});

export const RequestMessage = Type.Object({
  role: NonEmptyString,
  content: Type.Optional(Type.Union([Type.String(), Type.Array(ContentPart), Type.Null()])),
  refusal: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  tool_calls: Type.Optional(Type.Union([Type.Array(RequestToolCall), Type.Null()])),
  tool_call_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  function_call: Type.Optional(Type.Unknown()),
});
export type RequestMessage = Static<typeof RequestMessage>;

/** A tool that the client makes the calls of. */
export const RequestTool = Type.Object({
  type: NonEmptyString,
  function: Type.Optional(
    Type.Object({
      name: Type.String(),
      description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      /** JSON Schema of an object. */
      parameters: Type.Optional(
        Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
      ),
      strict: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    }),
  ),
});
export type RequestTool = Static<typeof RequestTool>;

export const ToolChoice = Type.Union([
  Type.String(),
  Type.Object({
    type: NonEmptyString,
    function: Type.Optional(Type.Object({ name: Type.String() })),
  }),
]);
export type ToolChoice = Static<typeof ToolChoice>;

/** What is left unset may also come as `null`; whoever checks a request takes those keys out first. */
export const ChatCompletionRequest = Type.Object({
  model: Type.Optional(Type.String()),
  messages: Type.Array(RequestMessage, { minItems: 1 }),
  stream: Type.Optional(Type.Boolean()),
  stream_options: Type.Optional(
    Type.Object({
      include_usage: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    }),
  ),
  user: Type.Optional(Type.String({ maxLength: 4_096 })),
  reasoning_effort: Type.Optional(Type.String()),
  tools: Type.Optional(Type.Array(RequestTool)),
  tool_choice: Type.Optional(ToolChoice),
  parallel_tool_calls: Type.Optional(Type.Boolean()),
  stop: Type.Optional(Type.Union([NonEmptyString, Type.Array(NonEmptyString, { maxItems: 4 })])),
  // How words are picked is the agent's own affair; see the room's SPEC.md.
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  frequency_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
  presence_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
  seed: Type.Optional(Type.Integer()),
  max_tokens: Type.Optional(Cap),
  max_completion_tokens: Type.Optional(Cap),
  verbosity: Type.Optional(Type.String()),
  // What would change the answer and cannot be honored is refused by name.
  n: Type.Optional(Type.Integer()),
  logprobs: Type.Optional(Type.Boolean()),
  top_logprobs: Type.Optional(Type.Integer()),
  logit_bias: Type.Optional(Type.Record(Type.String(), Type.Number())),
  response_format: Type.Optional(Type.Object({ type: NonEmptyString })),
  modalities: Type.Optional(Type.Array(Type.String())),
  audio: Type.Optional(Type.Unknown()),
  functions: Type.Optional(Type.Array(Type.Unknown())),
  function_call: Type.Optional(Type.Unknown()),
  web_search_options: Type.Optional(Type.Unknown()),
});
export type ChatCompletionRequest = Static<typeof ChatCompletionRequest>;

export const CompletionUsage = strictObject({
  prompt_tokens: Count,
  completion_tokens: Count,
  total_tokens: Count,
  prompt_tokens_details: Type.Optional(strictObject({ cached_tokens: Count })),
  /** In US dollars, as some providers have it; left out when it is not known. */
  cost: Type.Optional(Type.Number({ minimum: 0 })),
});
export type CompletionUsage = Static<typeof CompletionUsage>;

const FinishReason = Type.Union([
  Type.Literal("stop"),
  Type.Literal("length"),
  Type.Literal("tool_calls"),
]);
export type FinishReason = Static<typeof FinishReason>;

/** A call that the client is asked to make. */
export const ToolCall = strictObject({
  id: NonEmptyString,
  type: Type.Literal("function"),
  function: strictObject({ name: NonEmptyString, arguments: Type.String() }),
});
export type ToolCall = Static<typeof ToolCall>;

/** In a stream: who is called first, then what it is given. */
const ToolCallDelta = strictObject({
  index: Count,
  id: Type.Optional(NonEmptyString),
  type: Type.Optional(Type.Literal("function")),
  function: strictObject({
    name: Type.Optional(NonEmptyString),
    arguments: Type.String(),
  }),
});

const described = {
  id: NonEmptyString,
  /** Seconds since 1970. */
  created: Count,
  model: NonEmptyString,
};

export const ChatCompletion = strictObject({
  ...described,
  object: Type.Literal("chat.completion"),
  choices: Type.Array(
    strictObject({
      index: Count,
      message: strictObject({
        role: Type.Literal("assistant"),
        content: Type.Union([Type.String(), Type.Null()]),
        refusal: Type.Null(),
        tool_calls: Type.Optional(Type.Array(ToolCall, { minItems: 1 })),
      }),
      logprobs: Type.Null(),
      finish_reason: FinishReason,
    }),
  ),
  usage: CompletionUsage,
});
export type ChatCompletion = Static<typeof ChatCompletion>;

export const ChatCompletionChunk = strictObject({
  ...described,
  object: Type.Literal("chat.completion.chunk"),
  choices: Type.Array(
    strictObject({
      index: Count,
      delta: strictObject({
        role: Type.Optional(Type.Literal("assistant")),
        content: Type.Optional(Type.String()),
        tool_calls: Type.Optional(Type.Array(ToolCallDelta, { minItems: 1 })),
      }),
      logprobs: Type.Null(),
      finish_reason: Type.Union([FinishReason, Type.Null()]),
    }),
  ),
  usage: Type.Optional(Type.Union([CompletionUsage, Type.Null()])),
});
export type ChatCompletionChunk = Static<typeof ChatCompletionChunk>;
