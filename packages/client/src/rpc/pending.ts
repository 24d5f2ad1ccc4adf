/**
 * Requests that wait for a reply. Each ends exactly once, by its last reply, its timeout, its signal
 * or the loss of the connection, and leaves no timer and no abort listener behind.
 */
import type { ResponseFrame } from "@atrium/wire/gateway";
import type { SetTimer } from "../base/deps.ts";
import { ConnectionLost, RequestAborted, RequestTimeout } from "../base/errors.ts";

export interface Question {
  readonly method: string;
  /** Infinity: for as long as the connection lasts. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Sees each reply first; true when another follows on the same id, however long that takes. */
  readonly onInterim?: ((frame: ResponseFrame) => boolean) | undefined;
  readonly onReply: (frame: ResponseFrame) => void;
  readonly onFailure: (error: ConnectionLost | RequestAborted | RequestTimeout) => void;
}

interface Entry {
  readonly question: Question;
  readonly stopTimer: () => void;
  readonly release: () => void;
}

export class Pending {
  readonly #setTimer: SetTimer;
  readonly #entries = new Map<string, Entry>();
  #lastId = 0;

  constructor(setTimer: SetTimer) {
    this.#setTimer = setTimer;
  }

  /** An id that was never used before. */
  nextId(): string {
    this.#lastId += 1;
    return String(this.#lastId);
  }

  add(id: string, question: Question): void {
    const { method, timeoutMs, signal } = question;
    const onAbort = (): void =>
      this.#take(id)?.onFailure(new RequestAborted(method, signal?.reason));
    const cancel =
      timeoutMs === Infinity
        ? null
        : this.#setTimer(
            () => this.#take(id)?.onFailure(new RequestTimeout(method, timeoutMs)),
            timeoutMs,
          );
    signal?.addEventListener("abort", onAbort, { once: true });
    const stopTimer = (): void => cancel?.();
    const release = (): void => {
      stopTimer();
      signal?.removeEventListener("abort", onAbort);
    };
    this.#entries.set(id, { question, stopTimer, release });
  }

  /** False when no request had this id. A reply that comes too late is ignored. */
  answer(frame: ResponseFrame): boolean {
    const entry = this.#entries.get(frame.id);
    if (entry?.question.onInterim?.(frame) === true) {
      entry.stopTimer();
      return true;
    }
    const question = this.#take(frame.id);
    question?.onReply(frame);
    return question !== undefined || this.#wasAsked(frame.id);
  }

  loseAll(message: string): void {
    for (const id of this.#entries.keys()) {
      this.#take(id)?.onFailure(new ConnectionLost(message, true));
    }
  }

  #take(id: string): Question | undefined {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    entry?.release();
    return entry?.question;
  }

  #wasAsked(id: string): boolean {
    return /^[1-9]\d*$/.test(id) && Number(id) <= this.#lastId;
  }
}
