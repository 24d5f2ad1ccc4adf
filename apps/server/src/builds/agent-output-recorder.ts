/**
 * One turn of a build being listened to: each event the agent says, in its text or by the tool, becomes
 * a command with its place in the run. What is heard is in the log before the agent goes on.
 */
import {
  build,
  Fault,
  retryWhileBusy,
  type RetryDeps,
  type BuildCommand,
  type Dispatch,
  type BuildFeedEvent,
} from "@atrium/core";
import { BuildLineReader, type Passage, type TypedObject } from "./line-reader.ts";
import { parseAgentEvent } from "./parse-agent-event.ts";

export interface RecorderDeps {
  readonly dispatch: Dispatch;
  readonly sleep: RetryDeps["sleep"];
}

export type RecordResult =
  | { readonly ok: true; readonly events: readonly BuildFeedEvent[] }
  | { readonly ok: false; readonly why: string };

const MAX_PLAIN_CHARS = 4_000;

export class AgentOutputRecorder {
  readonly #deps: RecorderDeps;
  readonly #buildId: string;
  readonly #runId: string;
  readonly #reader = new BuildLineReader();
  #line = 0;
  #plain = "";
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: RecorderDeps, buildId: string, runId: string) {
    this.#deps = deps;
    this.#buildId = buildId;
    this.#runId = runId;
  }

  /** What people were told of it. */
  async text(delta: string): Promise<readonly BuildFeedEvent[]> {
    return this.#takeAll(this.#reader.push(delta));
  }

  async finish(): Promise<readonly BuildFeedEvent[]> {
    const events = await this.#takeAll(this.#reader.finish());
    const text = this.#plain.trim();
    if (text !== "") {
      const why = "text that is no event";
      await this.#dispatch({ type: "set-aside", text, why, origin: this.#next() });
    }
    return events;
  }

  async event(event: TypedObject, text = JSON.stringify(event)): Promise<RecordResult> {
    return this.#record(text, parseAgentEvent(event));
  }

  async #takeAll(passages: readonly Passage[]): Promise<readonly BuildFeedEvent[]> {
    const events: BuildFeedEvent[] = [];
    for (const passage of passages) {
      const result = await this.#take(passage);
      if (result?.ok === true) events.push(...result.events);
    }
    return events;
  }

  async #take(passage: Passage): Promise<RecordResult | undefined> {
    switch (passage.kind) {
      case "event":
        return this.event(passage.event, passage.text);
      case "malformed":
        return this.#record(passage.text, { ok: false, why: passage.why });
      case "plain":
        if (this.#plain.length < MAX_PLAIN_CHARS) this.#plain += `${passage.text}\n`;
        return undefined;
    }
  }

  async #record(
    text: string,
    parsed: Extract<BuildCommand, { type: "record" }>["parsed"],
  ): Promise<RecordResult> {
    const events = await this.#dispatch({ type: "record", origin: this.#next(), text, parsed });
    const rejected = events.find((event) => event.type === "build.rejected");
    if (rejected !== undefined) return { ok: false, why: rejected.why };
    return {
      ok: true,
      events: events.flatMap((each) => (each.type === "build.told" ? [each.telling] : [])),
    };
  }

  #next(): { readonly runId: string; readonly line: number } {
    return { runId: this.#runId, line: ++this.#line };
  }

  /** One after the other, also when the text and the tool speak at once. */
  #dispatch(command: BuildCommand) {
    const done = this.#last.then(() => this.#insist(command));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #insist(command: BuildCommand) {
    const { dispatch, sleep } = this.#deps;
    const done = await retryWhileBusy(() => dispatch(build, this.#buildId, command), { sleep });
    if (done.ok) return done.value.events;
    throw new Fault("a build did not listen", { build: this.#buildId, code: done.code });
  }
}
