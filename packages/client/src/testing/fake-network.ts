/**
 * Sockets without a network: nothing moves until the test flushes it.
 *
 * The client sees a WebSocket; the test sees the server's end of it, where `accept`, `say` and
 * `hangUp` are queued and `flush` delivers them in order. A socket that the client has closed
 * delivers nothing more but the close itself.
 */
import type { SocketConstructor, SocketLike } from "../base/deps.ts";

type Listener = (event: never) => void;

export class FakeSocket implements SocketLike {
  readonly url: string;
  /** The frames the client has sent, decoded. */
  readonly heard: Record<string, unknown>[] = [];
  /** What the client closed with. */
  closedWith: { readonly code: number | undefined; readonly reason: string | undefined } | null =
    null;
  /** True until either side has closed. */
  isLive = true;
  readonly #listeners: { readonly type: string; readonly listener: Listener }[] = [];
  readonly #queue: (() => void)[] = [];

  constructor(url: string) {
    this.url = url;
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.push({ type, listener });
  }

  send(text: string): void {
    this.heard.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(code?: number, reason?: string): void {
    this.closedWith ??= { code, reason };
    this.isLive = false;
    this.#queue.length = 0;
    this.#queue.push(() => this.#fire("close", { code: code ?? 1005, reason: reason ?? "" }));
  }

  accept(): this {
    this.#queue.push(() => this.#fire("open", {}));
    return this;
  }

  /** Queues a frame, or the text of something that is none. */
  say(frame: unknown): this {
    const data = typeof frame === "object" ? JSON.stringify(frame) : frame;
    this.#queue.push(() => this.#fire("message", { data }));
    return this;
  }

  hangUp(code: number, reason = ""): this {
    this.#queue.push(() => {
      this.isLive = false;
      this.#fire("close", { code, reason });
    });
    return this;
  }

  flush(): this {
    for (let run = this.#queue.shift(); run !== undefined; run = this.#queue.shift()) run();
    return this;
  }

  #fire(type: string, event: object): void {
    for (const entry of this.#listeners) {
      if (entry.type === type) entry.listener(event as never);
    }
  }
}

export class FakeNetwork {
  readonly sockets: FakeSocket[] = [];
  readonly WebSocket: SocketConstructor;

  constructor() {
    const { sockets } = this;
    this.WebSocket = class extends FakeSocket {
      constructor(url: string) {
        super(url);
        sockets.push(this);
      }
    };
  }

  get live(): number {
    return this.sockets.filter((socket) => socket.isLive).length;
  }

  /** The newest socket. */
  get socket(): FakeSocket {
    return this.sockets.at(-1)!;
  }
}
