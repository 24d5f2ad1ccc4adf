/**
 * A peer that knows nothing: it sends what it is told and remembers what comes back. Tests of the wire
 * use it so that no client of ours can hide a mistake of the server's.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { WebSocket, type ClientOptions } from "ws";

export interface Frame {
  readonly type: string;
  readonly id?: string;
  readonly ok?: boolean;
  readonly method?: string;
  readonly event?: string;
  readonly seq?: number;
  readonly stateVersion?: { readonly presence: number; readonly health: number };
  // Whatever the frame carries; tests look into it without a schema on purpose.
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly payload?: any;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    // oxlint-disable-next-line typescript/no-explicit-any -- see above
    readonly details?: any;
    readonly retryable?: boolean;
    readonly retryAfterMs?: number;
  };
}

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

export class RawPeer {
  readonly socket: WebSocket;
  readonly frames: Frame[] = [];
  readonly closed: Promise<Closed>;
  readonly #wanted: {
    readonly isIt: (frame: Frame) => boolean;
    readonly resolve: (frame: Frame) => void;
  }[] = [];
  #nextId = 0;
  #isGone = false;

  constructor(socket: WebSocket) {
    this.socket = socket;
    const { promise, resolve } = Promise.withResolvers<Closed>();
    this.closed = promise;
    socket.on("message", (data: Buffer) => this.#take(JSON.parse(data.toString()) as Frame));
    socket.on("error", () => undefined);
    socket.on("close", (code, reason) => {
      this.#isGone = true;
      resolve({ code, reason: String(reason) });
    });
  }

  #take(frame: Frame): void {
    this.frames.push(frame);
    const index = this.#wanted.findIndex(({ isIt }) => isIt(frame));
    if (index !== -1) this.#wanted.splice(index, 1)[0]?.resolve(frame);
  }

  send(frame: unknown): void {
    this.sendText(JSON.stringify(frame));
  }

  sendText(text: string): void {
    this.socket.send(text);
  }

  /** All of them in one write, so that they arrive before any answer can leave. */
  sendTogether(frames: readonly unknown[]): void {
    const { _socket: raw } = this.socket as unknown as { _socket: Socket };
    raw.cork();
    for (const frame of frames) this.send(frame);
    raw.uncork();
  }

  /** The first frame, past or future, for which it holds. Fails when the socket closes before. */
  async first(isIt: (frame: Frame) => boolean): Promise<Frame> {
    const known = this.frames.find(isIt);
    if (known !== undefined) return known;
    return this.next(isIt);
  }

  /** The next frame from now on for which it holds. */
  async next(isIt: (frame: Frame) => boolean): Promise<Frame> {
    if (this.#isGone) throw new Error(`the socket closed: ${JSON.stringify(await this.closed)}`);
    const { promise, resolve } = Promise.withResolvers<Frame>();
    this.#wanted.push({ isIt, resolve });
    const gone = this.closed.then((closed) => {
      throw new Error(`the socket closed: ${JSON.stringify(closed)}`);
    });
    return Promise.race([promise, gone]);
  }

  event(name: string): Promise<Frame> {
    return this.next((frame) => frame.type === "event" && frame.event === name);
  }

  async request(method: string, params?: unknown): Promise<Frame> {
    const id = `r${++this.#nextId}`;
    const answer = this.next((frame) => frame.type === "res" && frame.id === id);
    this.send({ type: "req", id, method, ...(params !== undefined && { params }) });
    return answer;
  }

  /** The payload of a request that must succeed. */
  async ask(method: string, params?: unknown): Promise<Frame["payload"]> {
    const answer = await this.request(method, params);
    assert.equal(answer.ok, true, JSON.stringify(answer.error));
    return answer.payload;
  }

  close(): void {
    this.socket.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }
}

export interface PeerOptions extends ClientOptions {
  readonly protocols?: readonly string[];
}

export async function openPeer(url: string, options: PeerOptions = {}): Promise<RawPeer> {
  const { protocols = [], ...rest } = options;
  const socket = new WebSocket(url, [...protocols], rest);
  const peer = new RawPeer(socket);
  await once(socket, "open");
  return peer;
}

export interface ConnectOptions {
  readonly minProtocol?: number;
  readonly maxProtocol?: number;
  readonly client?: Readonly<Record<string, unknown>>;
  readonly role?: string;
  readonly caps?: readonly string[];
  readonly scopes?: readonly string[];
  readonly auth?: Readonly<Record<string, string>>;
  /** What a node offers. */
  readonly commands?: readonly string[];
  readonly permissions?: Readonly<Record<string, boolean>>;
  readonly pathEnv?: string;
  /** Makes the device's proof from the challenge. */
  readonly device?: (challenge: { nonce: string; ts: number }) => unknown;
}

export const TEST_CLIENT = { id: "test", version: "dev", platform: "linux", mode: "test" };
const ALL_SCOPES = ["operator.admin"];

export function connectParams(options: ConnectOptions = {}): Record<string, unknown> {
  const { client, device: _device, ...rest } = options;
  return {
    minProtocol: 4,
    maxProtocol: 4,
    role: "operator",
    scopes: ALL_SCOPES,
    ...rest,
    client: { ...TEST_CLIENT, ...client },
  };
}

export interface Connected extends RawPeer {
  hello: Frame["payload"];
}

/** Opens, answers the challenge, and expects to be let in. */
export async function connectPeer(url: string, options: ConnectOptions = {}): Promise<Connected> {
  const peer = await openPeer(url);
  const answer = await introduce(peer, options);
  assert.equal(answer.ok, true, JSON.stringify(answer.error));
  return Object.assign(peer, { hello: answer.payload });
}

/** Sends `connect` after the challenge and gives back the answer, whatever it is. */
export async function introduce(peer: RawPeer, options: ConnectOptions = {}): Promise<Frame> {
  const challenge = await peer.first((frame) => frame.event === "connect.challenge");
  const device = options.device?.(challenge.payload);
  return peer.request("connect", {
    ...connectParams(options),
    ...(device !== undefined && { device }),
  });
}
