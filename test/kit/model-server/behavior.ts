/** What the model server may be told to do with one request, whatever format it came in. */
export interface ToolCall {
  readonly name: string;
  /** A string is sent as it is, also when it is not JSON. */
  readonly input: unknown;
  /** Where the tool is among others, as OpenAI's responses tell it. */
  readonly namespace?: string;
  /** Its input is text and not JSON, which OpenAI's responses call a custom tool. */
  readonly isFreeform?: true;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input. */
  readonly cachedTokens?: number;
  /** Of the input, what was put into the cache, as Anthropic tells it. */
  readonly cacheWriteTokens?: number;
  /** In dollars, as some OpenAI-compatible servers tell it. */
  readonly cost?: number;
}

/** A well-formed answer: reasoning, then text, then tool calls, then the end. */
export interface Answer {
  readonly type: "answer";
  readonly chunks?: readonly string[];
  readonly reasoning?: readonly string[];
  readonly toolCalls?: readonly ToolCall[];
  /** Left out: none is reported. */
  readonly usage?: Usage;
  readonly chunkDelayMs?: number;
  readonly finish?: "stop" | "length" | "refusal";
}

export type Behavior =
  | Answer
  /** An error instead of an answer. */
  | {
      readonly type: "status";
      readonly status: number;
      readonly message: string;
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** An error event in the middle of a good stream. */
  | { readonly type: "error event"; readonly chunks: readonly string[]; readonly message: string }
  /** The connection is reset, or ends politely, before the answer is whole. */
  | { readonly type: "cut"; readonly chunks: readonly string[]; readonly how: "reset" | "end" }
  /** Bytes that are no event, after some that are. */
  | { readonly type: "garbage"; readonly chunks: readonly string[] }
  /** Some text, then nothing, with the connection left open. */
  | { readonly type: "stall"; readonly chunks: readonly string[] }
  /** Nothing, or nothing but headers. */
  | { readonly type: "silence"; readonly afterHeaders?: boolean }
  /** Text without end, until the peer leaves. */
  | { readonly type: "forever"; readonly chunk: string; readonly everyMs: number };
