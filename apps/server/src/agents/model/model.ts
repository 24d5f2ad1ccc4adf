/**
 * The model runtime: a turn as a loop over one model.
 *
 *   messages -> step (one streamed call, tried again while nothing was said) -> tools wanted?
 *      ^                                                                          | yes: call them
 *      `---- results, and what people have added meanwhile (compaction.ts) <------'
 *
 * The loop is bounded, the usage is summed over all steps, and every way a model can fail ends in one
 * `failed` that keeps what was said.
 */
import type { AgentRuntime, Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { unreadNote } from "../turn/attachments.ts";
import { redactStream } from "../turn/redact.ts";
import { nameTools, type NamedTools } from "../turn/tool-names.ts";
import { ABORTED, failed } from "../turn/turn-ends.ts";
import { priceFor } from "../turn/usage/price.ts";
import { callTools } from "./call-tools.ts";
import { Compaction, type WrittenHandOver } from "./compaction.ts";
import { failureOf, refused, type Failure } from "./failure.ts";
import { messagesOf, unreadable } from "./messages.ts";
import { createModelCall, type CallRequest, type Effort, type ModelCall } from "./model-call.ts";
import { withDefaults, type CompleteModelSettings, type ModelSettings } from "./model-settings.ts";
import { waitBeforeRetry } from "./retry-after.ts";
import { streamStep, type Step } from "./stream-step.ts";
import { createTally, type UsageTally } from "./tally.ts";
import { TurnMessages } from "./turn-messages.ts";

const EFFORTS = ["minimal", "low", "medium", "high", "xhigh"] as const;

interface Play {
  readonly host: TurnHost;
  readonly call: ModelCall;
  readonly settings: CompleteModelSettings;
  readonly tally: UsageTally;
}

interface Tried {
  readonly step: Step;
  readonly failure: Failure | undefined;
  readonly inputTokens: number;
}

export function createModelRuntime(name: string, given: ModelSettings): AgentRuntime {
  const settings = withDefaults(given);
  const { provider, model, contextTokens } = settings;
  const call = createModelCall(settings);
  return {
    name,
    type: "model",
    model: { provider, id: model, contextTokens },
    async *start(turn, host) {
      const wished = { ...settings, model: modelOf(turn.wishes.model, settings) };
      const tally = createTally(priceFor(settings, wished.model));
      try {
        const events = converse(turn, { host, call, settings: wished, tally });
        yield* redactStream(settings.apiKey, events);
      } catch (cause) {
        if (!host.signal.aborted) throw cause;
        yield tally.reading();
        yield ABORTED;
      }
    },
  };
}

async function* converse(turn: Turn, play: Play): AsyncGenerator<TurnEvent, void> {
  const { host, settings, tally } = play;
  host.signal.throwIfAborted();
  const unread = unreadable(turn.attachments, settings.provider);
  if (unread.length > 0) yield { type: "text", delta: `${unreadNote(unread)}\n\n` };
  const tools = nameTools(host.tools);
  const asks = {
    model: settings.model,
    instructions: turn.instructions,
    tools: tools.declarations,
    effort: effortOf(turn.wishes.thinking),
  };
  const messages = new TurnMessages(messagesOf(turn, settings.provider));
  const compaction = new Compaction(messages, settings.contextTokens, (shown) =>
    writeHandOver(play, { ...asks, messages: shown }),
  );
  let hasSpoken = false;
  let mustCall = demanded(tools, turn.mustCall ?? []);
  for (let count = 1; ; count++) {
    const request = { ...asks, messages: messages.all, mustCall };
    // What is said in different steps is kept apart, as paragraphs.
    const tried: Tried = yield* persist(play, request, hasSpoken ? "\n\n" : "");
    const { step, failure, inputTokens } = tried;
    hasSpoken ||= step.hasSpoken;
    yield tally.reading();
    const end =
      failure === undefined
        ? endingOf(step, count, settings)
        : failed(failure.kind, failure.reason);
    if (end !== undefined) {
      yield end;
      return;
    }
    if (step.wanted.some(({ name }) => mustCall.includes(name))) mustCall = [];
    const results = yield* callTools(host, tools, step.wanted, count);
    host.signal.throwIfAborted();
    messages.add({ message: step.message, results, added: host.takeSteering() });
    yield* compaction.afterStep(inputTokens);
  }
}

/** It is no part of the answer, so it is told as thinking: people see it, and budgets count it as it comes. */
async function* writeHandOver(
  play: Play,
  request: Omit<CallRequest, "signal">,
): AsyncGenerator<TurnEvent, WrittenHandOver> {
  const ends: Tried[] = [];
  const step = async function* (): AsyncGenerator<TurnEvent, void> {
    ends.push(yield* persist(play, request, ""));
  };
  let text = "";
  for await (const event of step()) {
    if (event.type === "text") text += event.delta;
    yield event.type === "text" ? { ...event, type: "thinking" } : event;
  }
  yield play.tally.reading();
  const problem = ends[0]?.failure?.reason;
  return { text: problem === undefined ? text.trim() : "", problem };
}

/** Streams a step, and tries again after trouble that may pass, as long as nothing was said. */
async function* persist(
  { host, call, settings, tally }: Play,
  request: Omit<CallRequest, "signal">,
  opening: string,
): AsyncGenerator<TurnEvent, Tried> {
  let inputTokens = 0;
  for (let retry = 1; ; retry++) {
    const step = yield* streamStep({ call, host, limits: settings }, request, opening);
    const hasFailed = step.cause !== undefined;
    if (!hasFailed || step.characters > 0) {
      inputTokens = tally.add(step.usage, request.messages, step.characters);
    }
    host.signal.throwIfAborted();
    if (!hasFailed) return { step, failure: undefined, inputTokens };
    const failure = failureOf(step.cause, settings, host.now());
    const isSafe =
      step.characters === 0 && failure.retry !== undefined && retry <= settings.maxRetries;
    const waitMs = isSafe ? waitBeforeRetry(retry, failure.retry?.afterMs) : undefined;
    if (waitMs === undefined) return { step, failure, inputTokens };
    yield { type: "retrying", attempt: retry, reason: failure.reason };
    await host.sleep(waitMs);
  }
}

/** As the model sees them. */
function demanded(tools: NamedTools, mustCall: readonly string[]): string[] {
  const names = tools.declarations.map(({ name }) => name);
  return names.filter((name) => mustCall.includes(tools.nameOf(name)));
}

/** Undefined: the model waits for its tools. */
function endingOf(
  { finish, wanted }: Step,
  count: number,
  { model, maxSteps }: CompleteModelSettings,
): TurnEvent | undefined {
  if (wanted.length > 0) {
    return count < maxSteps ? undefined : { type: "completed", stopReason: "max_steps" };
  }
  if (finish === "content-filter") return failed("refusal", refused(model).reason);
  return { type: "completed", stopReason: finish === "length" ? "length" : "stop" };
}

/** A wish may name the provider, too, as the gateway's clients do: `anthropic/claude-x`. */
function modelOf(wish: string | undefined, { provider, model }: ModelSettings): string {
  const prefix = `${provider}/`;
  return (wish?.startsWith(prefix) === true ? wish.slice(prefix.length) : wish) ?? model;
}

function effortOf(thinking: string | undefined): Effort | undefined {
  if (thinking === "off") return "none";
  return thinking === "max" ? "xhigh" : EFFORTS.find((effort) => effort === thinking);
}
