/**
 * Parameters that would change the answer and that no agent here can honor: rejected, and named in the
 * error. Sampling parameters are accepted, and a response header lists them as having no effect.
 */
import type { ChatCompletionRequest } from "@atrium/wire/openai";
import { unsupported, type OpenaiError } from "../outbound/problem.ts";
import { OLD_FUNCTIONS } from "./messages.ts";

type Request = ChatCompletionRequest;

type Rule = readonly [param: string, isUsed: (request: Request) => boolean, message: string];

const RULES: readonly Rule[] = [
  ["functions", ({ functions }) => isFilled(functions), OLD_FUNCTIONS],
  ["function_call", ({ function_call: choice }) => !isNoChoice(choice), OLD_FUNCTIONS],
  [
    "n",
    ({ n }) => isSet(n) && n !== 1,
    "An agent gives one answer; `n` must be 1. Ask again for another.",
  ],
  [
    "logprobs",
    ({ logprobs }) => logprobs === true,
    "Agents do not tell how likely their words were; leave `logprobs` out.",
  ],
  [
    "top_logprobs",
    ({ top_logprobs: count }) => isSet(count) && count !== 0,
    "Agents do not tell how likely their words were; leave `top_logprobs` out.",
  ],
  [
    "logit_bias",
    ({ logit_bias: bias }) => isSet(bias) && Object.keys(bias).length > 0,
    "Words cannot be weighed for an agent; leave `logit_bias` out.",
  ],
  [
    "response_format",
    ({ response_format: format }) => isSet(format) && format.type !== "text",
    "The form of an answer cannot be enforced; leave `response_format` out, or use `text`, and ask for the form in a message.",
  ],
  [
    "modalities",
    ({ modalities }) => isSet(modalities) && modalities.some((kind) => kind !== "text"),
    'Agents answer in text; `modalities` must be ["text"].',
  ],
  ["audio", ({ audio }) => isSet(audio), "Agents answer in text; leave `audio` out."],
  [
    "web_search_options",
    ({ web_search_options: options }) => isSet(options),
    "Whether an agent searches the web is its own affair; leave `web_search_options` out.",
  ],
];

export function unsupportedIn(request: Request): OpenaiError | undefined {
  const broken = RULES.find(([, isUsed]) => isUsed(request));
  return broken && unsupported(broken[0], broken[2]);
}

const WITHOUT_EFFECT = [
  "temperature",
  "top_p",
  "frequency_penalty",
  "presence_penalty",
  "seed",
  "max_tokens",
  "max_completion_tokens",
  "verbosity",
] as const satisfies readonly (keyof Request)[];

/** The parameters of this request that have no effect. */
export function withoutEffect(request: Request): readonly string[] {
  return WITHOUT_EFFECT.filter((param) => isSet(request[param]));
}

function isSet<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function isFilled(list: readonly unknown[] | undefined): boolean {
  return isSet(list) && list.length > 0;
}

/** Without functions, these are the defaults. */
function isNoChoice(choice: unknown): boolean {
  return !isSet(choice) || choice === "none" || choice === "auto";
}
