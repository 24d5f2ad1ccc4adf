/** Signals as an outsider sends and hears them: sockets, requests and event streams without a client of ours. */
import assert from "node:assert/strict";
import { openPeer, type RawPeer } from "./raw-peer.ts";

export interface Place {
  readonly url: string;
  readonly wsUrl: string;
  readonly token: string;
}

/** Whatever it carries; tests look into it without a schema on purpose. */
export interface RawSignal {
  readonly id: string;
  readonly type: string;
  readonly timestamp: number;
  readonly source: string;
  readonly correlationId?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly metadata?: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly payload: any;
}

export interface SignalFrame {
  readonly type: string;
  readonly id?: string;
  readonly position?: string;
  readonly epoch?: string;
  readonly accepted?: number;
  readonly rejected?: readonly { index: number; path: string; reason: string }[];
  readonly code?: string;
  readonly message?: string;
  readonly signal?: RawSignal;
}

let made = 0;

/** One that has an id of its own. */
export function signalOf(
  type: string,
  payload: Readonly<Record<string, unknown>>,
  more: Partial<RawSignal> = {},
): RawSignal {
  return { id: `s${++made}`, type, timestamp: Date.now(), source: "test", payload, ...more };
}

export const delta = (content: string, more: Partial<RawSignal> = {}): RawSignal =>
  signalOf("text_delta", { agentId: "a1", content }, more);

export class SignalSocket {
  readonly peer: RawPeer;
  #asked = 0;

  constructor(peer: RawPeer) {
    this.peer = peer;
  }

  get frames(): readonly SignalFrame[] {
    return this.peer.frames;
  }

  /** All signals so far. */
  get signals(): readonly RawSignal[] {
    return this.frames.flatMap(({ signal }) => (signal === undefined ? [] : [signal]));
  }

  /** The answer to a frame. */
  async ask(frame: Readonly<Record<string, unknown>>): Promise<SignalFrame> {
    const id = `f${++this.#asked}`;
    const answer = this.peer.next((each) => each.id === id);
    this.peer.send({ id, ...frame });
    return answer;
  }

  async subscribe(more: Readonly<Record<string, unknown>> = {}): Promise<SignalFrame> {
    const answer = await this.ask({ type: "subscribe", ...more });
    assert.equal(answer.type, "subscribed", JSON.stringify(answer));
    return answer;
  }

  async emit(...signals: readonly unknown[]): Promise<SignalFrame> {
    return this.ask({ type: "emit", signal: signals });
  }

  /** The first, past or future, for which it holds. */
  async until(isIt: (signal: RawSignal) => boolean): Promise<SignalFrame> {
    return this.peer.first(({ signal }: SignalFrame) => signal !== undefined && isIt(signal));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.peer[Symbol.asyncDispose]();
  }
}

export async function openSignals({ wsUrl, token }: Place): Promise<SignalSocket> {
  const headers = { authorization: `Bearer ${token}` };
  const peer = await openPeer(new URL("/ws/signals", wsUrl).href, { headers });
  const socket = new SignalSocket(peer);
  await peer.first(({ type }) => type === "welcome");
  return socket;
}

export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever was answered
  readonly body: any;
}

export async function post(
  { url, token }: Place,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Posted> {
  const response = await fetch(new URL("/api/signal", url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export interface ServerEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data: RawSignal;
}

/** Reads an event stream until it has what is wanted, or the server ends it. */
export class SignalEvents implements AsyncDisposable {
  readonly events: ServerEvent[] = [];
  readonly ended: Promise<void>;
  readonly #leave: AbortController;
  #look: () => void = () => undefined;

  private constructor(response: Response, leave: AbortController) {
    this.#leave = leave;
    this.ended = this.#read(response).catch(() => undefined);
  }

  static async open(
    { url, token }: Place,
    query = "",
    headers: Readonly<Record<string, string>> = {},
  ): Promise<SignalEvents> {
    const leave = new AbortController();
    const response = await fetch(new URL(`/api/signals/stream${query}`, url), {
      headers: { authorization: `Bearer ${token}`, ...headers },
      signal: leave.signal,
    });
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
    return new SignalEvents(response, leave);
  }

  async until(isIt: (event: ServerEvent) => boolean): Promise<ServerEvent> {
    for (;;) {
      const found = this.events.find(isIt);
      if (found !== undefined) return found;
      const more = Promise.withResolvers<void>();
      this.#look = more.resolve;
      await Promise.race([
        more.promise,
        this.ended.then(() => Promise.reject(new Error("it ended"))),
      ]);
    }
  }

  async #read(response: Response): Promise<void> {
    let text = "";
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const whole = text.split("\n\n");
      text = whole.pop() ?? "";
      for (const each of whole) this.#take(each);
      this.#look();
    }
  }

  #take(text: string): void {
    const fields = new Map(
      text.split("\n").map((line) => {
        const at = line.indexOf(": ");
        return [line.slice(0, at), line.slice(at + 2)] as const;
      }),
    );
    const [id, event, data] = [fields.get("id"), fields.get("event"), fields.get("data")];
    if (data === undefined) return;
    this.events.push({ ...(id && { id }), ...(event && { event }), data: JSON.parse(data) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave.abort();
    await this.ended;
  }
}
