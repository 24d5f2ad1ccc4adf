/**
 * Calls to the server: checks what goes out, frames it, and checks what comes back.
 *
 *   params -> schema -> size -> send ... reply -> ok? -> schema -> result
 *        \        \       \      \         \       \        \
 *         `--------`-------`------`---------`-------`--------`-> an error of errors.ts
 *
 * Nothing is ever sent twice: whether to repeat is known only to the caller.
 */
import { Type } from "@atrium/schema";
import { method, type Contract, type ParamsOf, type ResultOf } from "@atrium/wire";
import type { RequestFrame, ResponseFrame } from "@atrium/wire/gateway";
import type { SetTimer } from "../base/deps.ts";
import {
  ConnectionLost,
  GatewayError,
  InvalidParams,
  InvalidResult,
  RequestAborted,
  type ClientError,
} from "../base/errors.ts";
import { findMethod } from "./catalogue.ts";
import { Pending } from "./pending.ts";
import type { SchemaChecks } from "./schema-checks.ts";

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the reply; Infinity for as long as the connection lasts. */
  readonly timeoutMs?: number | undefined;
}

export interface AskOptions<Result> extends RequestOptions {
  /** Sees a good reply first; true when another follows on the same id. The time limit is for the first. */
  readonly onInterim?: ((result: Result) => boolean) | undefined;
}

export interface RequestDeps {
  readonly setTimer: SetTimer;
  readonly checks: SchemaChecks;
  /** False when there is no socket to send on. */
  readonly send: (text: string) => boolean;
  /** The largest frame the server accepts. */
  readonly maxBytes: () => number;
}

export type Settled<Result> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly error: ClientError };

const anything = Type.Unknown();

export class Requests {
  readonly #deps: RequestDeps;
  readonly #pending: Pending;

  constructor(deps: RequestDeps) {
    this.#deps = deps;
    this.#pending = new Pending(deps.setTimer);
  }

  call<C extends Contract>(
    contract: C,
    params: ParamsOf<C>,
    options: AskOptions<ResultOf<C>>,
  ): Promise<ResultOf<C>> {
    return this.#promise<ResultOf<C>>((settle) => this.ask(contract, params, options, settle));
  }

  /** For any method; one the wire declares is checked like the others. */
  callByName(name: string, params: unknown, options: RequestOptions): Promise<unknown> {
    const undeclared = { name, scope: null, params: anything, result: anything };
    const contract: Contract = findMethod(name) ?? method(undeclared);
    return this.#promise<unknown>((settle) => this.ask(contract, params, options, settle));
  }

  /** Calls `settle` exactly once; with a reply, before any frame that came after it is handled. */
  ask<C extends Contract>(
    contract: C,
    params: unknown,
    { signal, timeoutMs = Infinity, onInterim }: AskOptions<ResultOf<C>>,
    settle: (outcome: Settled<ResultOf<C>>) => void,
  ): void {
    const { name } = contract;
    const { checks } = this.#deps;
    const fail = (error: ClientError): void => settle({ ok: false, error });
    if (signal?.aborted === true) return fail(new RequestAborted(name, signal.reason));
    if (!checks.is(contract.params, params)) {
      return fail(new InvalidParams(name, checks.issue(contract.params, params)));
    }
    const id = this.#pending.nextId();
    const text = encode({ type: "req", id, method: name, params });
    if (text === null) return fail(new InvalidParams(name, "cannot be written as JSON"));
    if (takesMoreBytes(text, this.#deps.maxBytes())) {
      return fail(new InvalidParams(name, "larger than the server accepts"));
    }
    if (!this.#deps.send(text)) return fail(new ConnectionLost(`${name} was not sent`, false));
    this.#pending.add(id, {
      method: name,
      timeoutMs,
      signal,
      onInterim:
        onInterim &&
        ((frame) => {
          const outcome = this.#read(contract, frame);
          return outcome.ok && onInterim(outcome.value);
        }),
      onFailure: fail,
      onReply: (frame) => settle(this.#read(contract, frame)),
    });
  }

  /** False when the frame answers nothing that was asked. */
  answer(frame: ResponseFrame): boolean {
    return this.#pending.answer(frame);
  }

  loseAll(message: string): void {
    this.#pending.loseAll(message);
  }

  #read<C extends Contract>(contract: C, frame: ResponseFrame): Settled<ResultOf<C>> {
    const { name, result } = contract;
    if (!frame.ok) {
      if (frame.error !== undefined) {
        return { ok: false, error: new GatewayError(name, frame.error, frame.payload) };
      }
      return { ok: false, error: new InvalidResult(name, "an error reply without an error") };
    }
    const payload: unknown = frame.payload;
    if (this.#deps.checks.is<C["result"]>(result, payload)) return { ok: true, value: payload };
    const issue = this.#deps.checks.issue(result, payload);
    return { ok: false, error: new InvalidResult(name, issue) };
  }

  #promise<Result>(start: (settle: (outcome: Settled<Result>) => void) => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      start((outcome) => {
        if (outcome.ok) resolve(outcome.value);
        else reject(outcome.error);
      });
    });
  }
}

function encode(frame: RequestFrame): string | null {
  try {
    return JSON.stringify(frame);
  } catch {
    return null;
  }
}

/** Counts bytes only when the length leaves it open: a UTF-16 unit takes one to three. */
function takesMoreBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * 3 > limit && new TextEncoder().encode(text).length > limit;
}
