/**
 * Commands on their way: each is settled by the one answer it gets. What was sent before the connection was
 * lost is sent again under the same id, which the server takes for the same command.
 */
import type { WorldErrorCode, WorldMessageOf } from "@atrium/wire/world";
import { ConnectionLost } from "../base/errors.ts";

/** The server refused. */
export class WorldRefused extends Error {
  override readonly name = "WorldRefused";
  readonly kind = "refused";
  readonly code: WorldErrorCode;
  /** The name of the server's refusal; older servers do not send it. */
  readonly reason: string | undefined;

  constructor(code: WorldErrorCode, message: string, reason?: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** There is no connection just now, so nothing new can be asked for. */
export class WorldStale extends Error {
  override readonly name = "WorldStale";
  readonly kind = "stale";

  constructor(name: string) {
    super(`${name} was not sent: not connected`);
  }
}

/** What the server says to what it has taken. */
export type WorldAck = WorldMessageOf<"ack">["payload"];

interface Waiting {
  readonly text: string;
  readonly resolve: (ack: WorldAck) => void;
  readonly reject: (error: Error) => void;
}

export class Commands {
  readonly #waiting = new Map<string, Waiting>();
  readonly #send: (text: string) => void;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /** Resolves when the server has taken it; rejects with a `WorldRefused` when it has not. */
  ask(id: string, text: string): Promise<WorldAck> {
    const { promise, resolve, reject } = Promise.withResolvers<WorldAck>();
    this.#waiting.set(id, { text, resolve, reject });
    this.#send(text);
    return promise;
  }

  resend(): void {
    for (const { text } of this.#waiting.values()) this.#send(text);
  }

  taken({ payload }: WorldMessageOf<"ack">): void {
    this.#settle(payload.in_reply_to)?.resolve(payload);
  }

  refused({ payload }: WorldMessageOf<"error">): void {
    const { in_reply_to: id = "", code, message, reason } = payload;
    this.#settle(id)?.reject(new WorldRefused(code, message, reason));
  }

  loseAll(reason: string): void {
    for (const id of this.#waiting.keys()) {
      this.#settle(id)?.reject(new ConnectionLost(reason, true));
    }
  }

  #settle(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
