/**
 * An agent as builds need it: in a build's turn it is given the message with its headers, its own words
 * so far, the skill and the names of the session; what it says is heard as events, and only what is
 * meant for people goes on as words. In any other turn it is the agent it always was.
 */
import { hasEnded, type StartedBuild, type Builds, type BuildFeedEvent } from "@atrium/core";
import { escapeHeaders } from "@atrium/wire/build";
import type { AgentRuntime, Turn, TurnEvent, TurnHost } from "../agents/turn/agent-runtime.ts";
import { AgentOutputRecorder, type RecorderDeps } from "./agent-output-recorder.ts";
import { BUILD_EVENT_TOOL, callBuildEvent } from "./build-event-tool.ts";
import { buildIdOfKey } from "./build-key.ts";
import { wrapTurn, type ReadBuildHistory } from "./turn-message.ts";

export interface BuildRuntimeDeps extends Pick<RecorderDeps, "dispatch"> {
  readonly builds: Pick<Builds, "get">;
  readonly history: ReadBuildHistory;
  readonly skill: string;
}

const DONE: TurnEvent = { type: "completed", stopReason: "stop" };
/** What is set aside does not reach the brakes, so that an agent which writes without end is stopped here. */
const MAX_CHARS = 2_000_000;
const TOO_MUCH: TurnEvent = {
  type: "failed",
  kind: "unknown",
  reason: `The agent wrote more than ${MAX_CHARS} characters in one turn.`,
};

export function createBuildRuntime(runtime: AgentRuntime, deps: BuildRuntimeDeps): AgentRuntime {
  return {
    ...runtime,
    start(turn, host) {
      const id = buildIdOfKey(turn.conversation.key);
      if (id === undefined) return runtime.start(turn, host);
      const build = deps.builds.get(id)?.build;
      if (build?.turn.runId === turn.runId) {
        return hasEnded(build) ? only(DONE) : perform(runtime, build, turn, host, deps);
      }
      // Left over from before the build went on without it.
      if (turn.runId.startsWith(`build:${id}:`)) return only(DONE);
      // Someone talks to the agent beside the build.
      const prompt = escapeHeaders(turn.prompt);
      return runtime.start({ ...turn, prompt }, withoutHeaders(host));
    },
  };
}

async function* perform(
  runtime: AgentRuntime,
  build: StartedBuild,
  turn: Turn,
  host: TurnHost,
  deps: BuildRuntimeDeps,
): AsyncGenerator<TurnEvent, void> {
  const sleep = (ms: number, signal: AbortSignal): Promise<void> => host.sleep(ms, signal);
  const recorder = new AgentOutputRecorder(
    { dispatch: deps.dispatch, sleep },
    build.id,
    turn.runId,
  );
  const words = new Words();
  const given = await wrapTurn(turn, build, deps);
  const ownCalls = new Set<string>();
  let written = 0;
  for await (const event of runtime.start(given, buildHost(host, recorder, words))) {
    yield* words.take();
    switch (event.type) {
      case "text":
        written += event.delta.length;
        if (written > MAX_CHARS) {
          yield TOO_MUCH;
          return;
        }
        words.add(await recorder.text(event.delta));
        yield* words.take();
        break;
      case "tool.called":
        if (event.name === BUILD_EVENT_TOOL.name) ownCalls.add(event.id);
        else yield event;
        break;
      case "tool.output":
      case "tool.returned":
        if (!ownCalls.has(event.id)) yield event;
        break;
      case "completed":
      case "failed":
        words.add(await recorder.finish());
        yield* words.take();
        yield event;
        return;
      case "thinking":
      case "usage":
      case "artifact":
      case "compacted":
      case "session":
      case "retrying":
      case "progress":
        yield event;
    }
  }
}

function buildHost(host: TurnHost, recorder: AgentOutputRecorder, words: Words): TurnHost {
  return {
    ...withoutHeaders(host),
    tools: [...host.tools, BUILD_EVENT_TOOL],
    callTool: (name, input, ...more) =>
      name === BUILD_EVENT_TOOL.name
        ? callBuildEvent(input, recorder, (result) => words.add(result.ok ? result.events : []))
        : host.callTool(name, input, ...more),
  };
}

/** Messages that are added meanwhile are taken as text alone: whole messages would bring their headers. */
function withoutHeaders(host: TurnHost): TurnHost {
  return {
    signal: host.signal,
    tools: host.tools,
    now: () => host.now(),
    sleep: (ms, signal) => host.sleep(ms, signal),
    callTool: (name, input, ...more) => host.callTool(name, input, ...more),
    ask: (question) => host.ask(question),
    requestPermission: (request, signal) => host.requestPermission(request, signal),
    takeSteering: () => host.takeSteering().map(escapeHeaders),
  };
}

/** What of a build reads as talk, for those who follow the conversation and not the build. */
class Words {
  readonly #waiting: string[] = [];
  #hasSpoken = false;

  add(events: readonly BuildFeedEvent[]): void {
    this.#waiting.push(...events.flatMap(wordsOf));
  }

  *take(): Generator<TurnEvent, void> {
    for (const words of this.#waiting.splice(0)) {
      yield { type: "text", delta: this.#hasSpoken ? `\n\n${words}` : words };
      this.#hasSpoken = true;
    }
  }
}

function wordsOf(event: BuildFeedEvent): readonly string[] {
  switch (event.what) {
    case "message":
      return [event.text];
    case "asked":
      return [
        ...(event.setId === null ? [] : [event.prompt]),
        ...event.questions.map(({ prompt, options }) =>
          [prompt, ...options.map(({ label }) => `- ${label}`)].join("\n"),
        ),
      ];
    case "status":
      return event.output === null ? [] : [event.output];
    case "failed":
      return event.reason === null ? [] : [event.reason];
    case "started":
    case "step-started":
    case "step-completed":
    case "answered":
    // The conversation shows what is asked in it by itself.
    case "wait-began":
    case "wait-ended":
    case "checks-started":
    case "checks-finished":
    case "completed":
      return [];
  }
}

async function* only(event: TurnEvent): AsyncGenerator<TurnEvent, void> {
  yield event;
}
