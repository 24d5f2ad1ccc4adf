/**
 * Signals as they happen, over server-sent events. A connection that breaks is taken up again where it was, so nothing
 * is missed or delivered twice; transient signals (text deltas) are not repeated.
 *
 *   open -> signal, signal, … -> lost -> open -> …        reset: the server has another log now
 *
 * Ends by its signal or by leaving the loop. Throws `SignalsRefused` for what another try would meet again.
 */
import type { SignalEnvelope } from "@atrium/wire/signal";
import { readAddress } from "../base/address.ts";
import { defaultDeps, type SetTimer } from "../base/deps.ts";
import { worldBackoffMs } from "../base/stream-backoff.ts";
import { readEvents } from "./read-events.ts";

export interface FollowSignals {
  /** Where the server is, as it prints it. */
  readonly url: string;
  /** Not needed where a browser has the cookie. */
  readonly token?: string | undefined;
  /** Only these; a name may end in `*`. */
  readonly type?: readonly string[] | undefined;
  readonly source?: readonly string[] | undefined;
  readonly agent?: readonly string[] | undefined;
  readonly correlationId?: readonly string[] | undefined;
  /** A position to begin after: `0` is the beginning of the log; without one it begins now. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly deps?: Partial<SignalDeps> | undefined;
}

export interface SignalDeps {
  readonly fetch: typeof fetch;
  readonly random: () => number;
  readonly setTimer: SetTimer;
}

export type SignalUpdate =
  | { readonly type: "open" }
  /** A transient signal has no position. */
  | {
      readonly type: "signal";
      readonly signal: SignalEnvelope;
      readonly position: string | undefined;
    }
  /** What came before is of a log that is gone. */
  | { readonly type: "reset" }
  | { readonly type: "lost"; readonly cause: unknown };

/** The server refused the request. */
export class SignalsRefused extends Error {
  override readonly name = "SignalsRefused";
  readonly kind = "refused";
  readonly status: number;
  /** A later try may succeed. */
  readonly retryable: boolean;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
    this.retryable = status === 429 || status >= 500;
  }
}

export async function* followSignals(options: FollowSignals): AsyncGenerator<SignalUpdate, void> {
  const deps = { fetch: globalThis.fetch.bind(globalThis), ...defaultDeps(), ...options.deps };
  let { after } = options;
  for (let failures = 0; !isOver(options); failures++) {
    try {
      const body = await open(options, after, deps.fetch);
      failures = 0;
      yield { type: "open" };
      for await (const { id, name, data } of readEvents(body)) {
        after = name === "reset" ? undefined : (id ?? after);
        if (name === "reset") yield { type: "reset" };
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server has checked every signal
        else yield { type: "signal", signal: JSON.parse(data) as SignalEnvelope, position: id };
      }
      yield { type: "lost", cause: undefined };
    } catch (cause) {
      if (cause instanceof SignalsRefused && !cause.retryable) throw cause;
      if (isOver(options)) return;
      yield { type: "lost", cause };
    }
    await pause(worldBackoffMs(failures + 1, deps.random()), options.signal, deps.setTimer);
  }
}

const isOver = ({ signal }: FollowSignals): boolean => signal?.aborted === true;

async function open(
  options: FollowSignals,
  after: string | undefined,
  ask: typeof fetch,
): Promise<ReadableStream<Uint8Array>> {
  const { httpUrl, token: inUrl } = readAddress(options.url);
  const { token = inUrl, signal } = options;
  const target = new URL("/api/signals/stream", httpUrl);
  for (const name of ["type", "source", "agent", "correlationId"] as const) {
    for (const value of options[name] ?? []) target.searchParams.append(name, value);
  }
  const response = await ask(target, {
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(after !== undefined && { "last-event-id": after }),
    },
    ...(signal !== undefined && { signal }),
  });
  if (response.status === 200 && response.body !== null) return response.body;
  const why = reasonIn(await response.text()) ?? `status ${response.status}`;
  throw new SignalsRefused(response.status, why);
}

function reasonIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== "object" || body === null || !("error" in body)) return undefined;
    const { error } = body;
    if (typeof error !== "object" || error === null || !("message" in error)) return undefined;
    return typeof error.message === "string" ? error.message : undefined;
  } catch {
    return undefined;
  }
}

function pause(
  delayMs: number,
  signal: AbortSignal | undefined,
  setTimer: SetTimer,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = setTimer(resolve, delayMs);
  const leave = (): void => {
    cancel();
    resolve();
  };
  signal?.addEventListener("abort", leave, { once: true });
  return promise.finally(() => signal?.removeEventListener("abort", leave));
}
