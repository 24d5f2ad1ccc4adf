/**
 * One turn at a gateway: sent once, followed over as many connections as it takes.
 *
 * The message is sent again only while the gateway has not said that it took it, and then under the same
 * key. After that, what was missed is asked for: nothing is lost, and nothing is done twice.
 */
import type { Timers } from "../../platform/timers.ts";
import type { Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { createEventQueue } from "../turn/event-queue.ts";
import { fieldsOf, textIn, type Fields } from "../turn/json-fields.ts";
import { promptWithContext } from "../turn/prompt-with-context.ts";
import type { ReportedTools } from "../turn/reported-tools.ts";
import { failed } from "../turn/turn-ends.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import type { Meter } from "../turn/usage/usage-meter.ts";
import { createAnswerText, type AnswerText } from "./answer-text.ts";
import { createApprovals, type UpstreamApprovals } from "./approvals.ts";
import { GatewayRefused, type GatewayLink } from "./gateway-link.ts";
import type { CompleteOpenClawSettings } from "./openclaw-settings.ts";
import { completed, readAgent, readChat, stopped, type ReadEvent } from "./read-event.ts";
import { readRun, type RunName } from "./upstream-run.ts";

export interface UpstreamDeps {
  readonly link: GatewayLink;
  readonly settings: CompleteOpenClawSettings;
  readonly timers: Timers;
  readonly host: TurnHost;
  readonly meter: Meter;
  readonly tools: ReportedTools;
}

type LinkUpdate =
  | { readonly type: "event"; readonly name: string; readonly payload: Fields }
  | { readonly type: "lost" }
  | { readonly type: "silence" };

/** How long a gateway that cannot say what became of a run may be silent about it. */
const SILENCE_MS = 60_000;
/** How long stopping a run there may delay the end here. */
const LET_GO_MS = 2_000;

export class UpstreamTurn {
  readonly #deps: UpstreamDeps;
  readonly #turn: Turn;
  readonly #run: RunName;
  readonly #queue = createEventQueue<LinkUpdate>();
  readonly #spoken: AnswerText = createAnswerText();
  readonly #approvals: UpstreamApprovals;
  #isSent = false;
  #isTaken = false;
  #hasEnded = false;

  constructor(deps: UpstreamDeps, turn: Turn, sessionKey: string) {
    this.#deps = deps;
    this.#turn = turn;
    this.#run = { runId: turn.runId, sessionKey };
    const gateway = new URL(deps.settings.url).host;
    this.#approvals = createApprovals(deps.link, this.#run, deps.host, gateway);
  }

  async *play(): AsyncGenerator<TurnEvent, TurnEvent> {
    const { link, settings } = this.#deps;
    const release = link.hold({
      event: (name, payload) => this.#onEvent(name, fieldsOf(payload)),
      lost: () => this.#queue.push({ type: "lost" }),
    });
    try {
      for (let connection = 1; ; connection++) {
        await this.#connect();
        const end = yield* this.#follow();
        if (end !== undefined) {
          this.#hasEnded = true;
          return end;
        }
        const reason = `The connection to ${settings.url} was lost.`;
        yield { type: "retrying", attempt: connection, reason };
      }
    } finally {
      if (this.#isSent && !this.#hasEnded) await this.#stop(release);
      else release();
    }
  }

  #onEvent(name: string, payload: Fields): void {
    if (name === "exec.approval.requested") this.#approvals.requested(payload);
    if (name !== "chat" && name !== "agent") return;
    if (payload["runId"] === this.#run.runId) this.#queue.push({ type: "event", name, payload });
  }

  async #connect(): Promise<void> {
    const { link, host, settings } = this.#deps;
    const limitMs = this.#isSent ? settings.reconnectTimeoutMs : settings.connectTimeoutMs;
    const found = new AbortController();
    const late = host.sleep(limitMs, found.signal).then(
      () => "late" as const,
      () => undefined,
    );
    try {
      const first = await untilAborted(host.signal, Promise.race([link.connected(), late]));
      if (first !== "late") return;
    } finally {
      found.abort();
    }
    const seconds = limitMs / 1000;
    throw new GatewayRefused(
      `The gateway at ${settings.url} could not be reached within ${seconds} s: ${link.problem()}`,
    );
  }

  /** Undefined: the connection was lost on the way. */
  async *#follow(): AsyncGenerator<TurnEvent, TurnEvent | undefined> {
    let isUnclear = false;
    let isKnown = false;
    for (;;) {
      if (!isKnown) {
        const read = await this.#attempt(() => this.#ask());
        if (read === undefined) return undefined;
        yield* this.#publish(read);
        if (read.end !== undefined) return read.end;
        if (isUnclear && read.isUnclear) return failed("unknown", FORGOTTEN);
        isUnclear = read.isUnclear;
        isKnown = true;
      }
      const item = await this.#next(isUnclear);
      switch (item.type) {
        case "lost":
          return undefined;
        case "silence":
          isKnown = false;
          break;
        case "event": {
          const read = item.name === "chat" ? readChat : readAgent;
          const known = read(item.payload, { ...this.#deps, spoken: this.#spoken });
          yield* this.#publish(known);
          if (known.end !== undefined) return known.end;
        }
      }
    }
  }

  *#publish({ events }: ReadEvent): Generator<TurnEvent, void> {
    const { host, meter, tools } = this.#deps;
    host.signal.throwIfAborted();
    for (const event of tools.tell(events)) {
      if (event.type === "text" || event.type === "thinking") meter.wrote(event.delta);
      yield event;
    }
  }

  async #next(isUnclear: boolean): Promise<LinkUpdate> {
    const { host } = this.#deps;
    const waiting = new AbortController();
    const silence = isUnclear
      ? host.sleep(SILENCE_MS, waiting.signal).then(
          () => this.#queue.push({ type: "silence" }),
          () => undefined,
        )
      : undefined;
    try {
      return (await untilAborted(host.signal, this.#queue.next())) ?? { type: "lost" };
    } finally {
      waiting.abort();
      await silence;
    }
  }

  /** Undefined when the connection was lost meanwhile; what the gateway itself refuses is an answer. */
  async #attempt<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await untilAborted(this.#deps.host.signal, ask());
    } catch (cause) {
      if (this.#deps.host.signal.aborted || !(cause instanceof Error)) throw cause;
      // Only answers of the gateway have a code of its own; anything else is the connection's end.
      if (!("gatewayCode" in cause)) return undefined;
      throw new GatewayRefused(`The gateway refused the message: ${cause.message}`);
    }
  }

  async #ask(): Promise<ReadEvent & { readonly isUnclear: boolean }> {
    const { link } = this.#deps;
    if (!this.#isTaken) {
      this.#isSent = true;
      const status = await this.#send();
      this.#isTaken = true;
      if (status === "started") return { events: [], isUnclear: false };
    }
    await this.#approvals.catchUp();
    const run = await readRun(link, this.#run);
    const isUnclear = run.state === "unclear";
    switch (run.state) {
      case "running":
      case "unclear":
        return { events: [], isUnclear };
      case "forgotten":
        return { events: [], end: failed("unknown", FORGOTTEN), isUnclear };
      case "completed":
        return { events: this.#rest(run.text), end: completed(run.stopReason), isUnclear };
      case "stopped":
        return { events: this.#rest(run.text), end: stopped(undefined), isUnclear };
      case "failed":
        return { events: this.#rest(run.text), end: failed("unknown", run.reason), isUnclear };
    }
  }

  /** How the message stands at the gateway. One that was taken before and has failed is refused. */
  async #send(): Promise<string | undefined> {
    try {
      const answer = await this.#deps.link.request("chat.send", this.#message());
      return textIn(fieldsOf(answer), "status");
    } catch (cause) {
      const status = textIn(fieldsOf(fieldsOf(cause)["responsePayload"]), "status");
      if (status === undefined) throw cause;
      return status;
    }
  }

  #rest(whole: string): readonly TurnEvent[] {
    const delta = whole === "" ? "" : this.#spoken.concluded(whole);
    return delta === "" ? [] : [{ type: "text", delta }];
  }

  #message(): object {
    const { attachments, wishes } = this.#turn;
    return {
      sessionKey: this.#run.sessionKey,
      message: messageOf(this.#turn),
      idempotencyKey: this.#run.runId,
      // An answer of its own, not a word in one that is being given.
      queueMode: "followup",
      ...(wishes.thinking !== undefined && { thinking: wishes.thinking }),
      ...(attachments.length > 0 && {
        attachments: attachments.map(({ name, mediaType, data }) => ({
          type: mediaType.startsWith("image/") ? "image" : "file",
          mimeType: mediaType,
          fileName: name,
          content: data,
        })),
      }),
    };
  }

  /** Stops the run there; if there is no connection, as soon as there is one again. */
  async #stop(release: () => void): Promise<void> {
    const { link, timers, settings } = this.#deps;
    const late = Promise.withResolvers<void>();
    const cancel = timers.after(LET_GO_MS, () => late.resolve());
    const never = Promise.withResolvers<void>();
    const giveUp = timers.after(settings.reconnectTimeoutMs, () => never.resolve());
    const stopping = Promise.race([link.connected(), never.promise])
      .then(() => link.request("chat.abort", { ...this.#run }))
      .catch(() => undefined)
      .finally(() => {
        giveUp();
        release();
      });
    await Promise.race([stopping, late.promise]);
    cancel();
  }
}

/** Its agent has instructions of its own; what it must know for this turn comes with the message. */
function messageOf(turn: Turn): string {
  const { briefing } = turn;
  const prompt = promptWithContext(turn);
  if (briefing === undefined) return prompt;
  return `${prompt}\n\n---\nFor you, not for people: how this is done.\n\n${briefing}`;
}

const FORGOTTEN =
  "The gateway does not know any more what became of this message. It was not sent again, so that nothing is done twice.";
