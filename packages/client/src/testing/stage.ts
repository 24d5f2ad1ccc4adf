/** A client on a fake network, and the lines a gateway says to it. */
import { HelloOk, type ErrorShape } from "@atrium/wire/gateway";
import { Value } from "typebox/value";
import type { GatewayClientOptions } from "../base/options.ts";
import type { Problem } from "../base/problem.ts";
import { createGatewayClient, type GatewayClient } from "../client.ts";
import { FakeNetwork, type FakeSocket } from "./fake-network.ts";
import { TestClock } from "./test-clock.ts";

export const NONCE = "nonce-1";
export const CHALLENGED_AT = 1_700_000_000_123;
export const TICK_MS = 30_000;

export const challenge = {
  type: "event",
  event: "connect.challenge",
  payload: { nonce: NONCE, ts: CHALLENGED_AT },
};

/** Made from the schema, so that it is valid whatever the wire asks for. */
export const hello: HelloOk = {
  ...Value.Create(HelloOk),
  protocol: 4,
  policy: { maxPayload: 65_536, maxBufferedBytes: 65_536, tickIntervalMs: TICK_MS },
};

export const reply = (id: unknown, payload: unknown): object => ({
  type: "res",
  id,
  ok: true,
  payload,
});

export const refusal = (id: unknown, error: ErrorShape): object => ({
  type: "res",
  id,
  ok: false,
  error,
});

export class Stage implements AsyncDisposable {
  readonly network = new FakeNetwork();
  readonly clock = new TestClock();
  readonly problems: Problem[] = [];
  readonly client: GatewayClient;
  #keys = 0;

  constructor(options: Partial<GatewayClientOptions> = {}) {
    this.client = createGatewayClient({
      url: "ws://gateway.test",
      client: { id: "test", version: "1.0.0", platform: "linux", mode: "test" },
      ...options,
      deps: {
        WebSocket: this.network.WebSocket,
        now: this.clock.now,
        setTimer: this.clock.setTimer,
        random: () => 0,
        newKey: () => `key-${++this.#keys}`,
        ...options.deps,
      },
    });
    this.client.onProblem((problem) => this.problems.push(problem));
  }

  get socket(): FakeSocket {
    return this.network.socket;
  }

  /** Accepts the socket and challenges it; returns the id of the `connect` that follows. */
  async challenge(): Promise<unknown> {
    this.socket.accept().say(challenge).flush();
    await turn();
    return this.socket.heard[0]?.["id"];
  }

  /** Goes through the whole handshake on the newest socket. */
  async greet(): Promise<void> {
    const id = await this.challenge();
    this.socket.say(reply(id, hello)).flush();
  }

  async connect(): Promise<HelloOk> {
    const connected = this.client.connect();
    await this.greet();
    return connected;
  }

  /** What the client asked last, with the fake's types dropped. */
  get asked(): Record<string, unknown> {
    return this.socket.heard.at(-1)!;
  }

  /** What the client asked by that method on the newest socket, oldest first. */
  askedBy(method: string): Record<string, unknown>[] {
    return this.socket.heard.filter((frame) => frame["method"] === method);
  }

  /** Answers the newest request of that method, and lets the client act on it. */
  async answer(method: string, payload: unknown): Promise<void> {
    this.socket.say(reply(this.askedBy(method).at(-1)?.["id"], payload)).flush();
    await turn();
  }

  /** Loses the connection and comes back by a new one. */
  async comeBack(): Promise<void> {
    this.socket.hangUp(1006).flush();
    await turn();
    this.clock.advance(1_000);
    await this.greet();
    await turn();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = this.client.close();
    this.network.sockets.at(-1)?.flush();
    await closed;
  }
}

/** Lets everything that waits on settled promises run. */
export async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
