/**
 * Follows one build to its end, however often the connection is lost on the way.
 *
 *   ready -> read the events missed meanwhile -> relay new events -> end
 *     ^                                              |
 *     `------------------- lost <--------------------'
 *
 * Every event has its place in the log, so none is repeated and none is missed.
 */
import type { BuildEvent } from "@atrium/wire/build";
import { isLastBuildEvent } from "@atrium/wire/build";
import { ConnectionLost, RequestAborted } from "../base/errors.ts";
import type { RunConnection } from "../rpc/run-connection.ts";

export type BuildUpdate =
  | { readonly type: "event"; readonly event: BuildEvent }
  | { readonly type: "lost" }
  | { readonly type: "back" };

export interface FollowBuild {
  /** Only what comes after that seq. */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

export async function* followBuild(
  line: RunConnection,
  id: string,
  { after = 0, signal }: FollowBuild,
): AsyncGenerator<BuildUpdate, void> {
  using received = new BuildEvents(line, id, signal);
  let last = after;
  for (let isFirst = true; ; isFirst = false) {
    await line.ready(signal);
    if (!isFirst) yield { type: "back" };
    const { losses } = received;
    try {
      for await (const event of stretch(line, received, { id, after: last, losses })) {
        if (event.seq <= last) continue;
        last = event.seq;
        yield { type: "event", event };
        if (isLastBuildEvent(event)) return;
      }
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
    if (signal?.aborted === true) throw new RequestAborted(`following ${id}`, signal.reason);
    yield { type: "lost" };
  }
}

/** Past events and then new ones, for as long as one connection holds. */
async function* stretch(
  line: RunConnection,
  received: BuildEvents,
  { id, after, losses }: { readonly id: string; readonly after: number; readonly losses: number },
): AsyncGenerator<BuildEvent, void> {
  for (let seq = after, hasMore = true; hasMore;) {
    const page = await line.call("build.events", { id, after: seq });
    yield* page.events;
    hasMore = page.has_more;
    seq = page.events.at(-1)?.seq ?? seq;
  }
  while (received.losses === losses && !received.isDone) {
    const { changed } = received;
    const event = received.queue.shift();
    if (event === undefined) await changed;
    else yield event;
  }
}

/** Collects the events of one build, and counts how often the connection was lost. */
class BuildEvents implements Disposable {
  readonly queue: BuildEvent[] = [];
  losses = 0;
  readonly #signal: AbortSignal | undefined;
  readonly #closers: readonly (() => void)[];
  #wake = Promise.withResolvers<void>();

  constructor(line: RunConnection, id: string, signal: AbortSignal | undefined) {
    this.#signal = signal;
    const wake = (): void => this.#alert();
    signal?.addEventListener("abort", wake);
    this.#closers = [
      line.onEvent("build", (event) => {
        if (event.build_id !== id) return;
        this.queue.push(event);
        this.#alert();
      }),
      line.onState(({ state }) => {
        if (state !== "waiting" && state !== "failed" && state !== "stopped") return;
        this.losses += 1;
        this.#alert();
      }),
      () => signal?.removeEventListener("abort", wake),
    ];
  }

  get isDone(): boolean {
    return this.#signal?.aborted === true;
  }

  /** Settles when there is something new to look at. */
  get changed(): Promise<void> {
    return this.#wake.promise;
  }

  #alert(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  [Symbol.dispose](): void {
    for (const close of this.#closers) close();
  }
}
