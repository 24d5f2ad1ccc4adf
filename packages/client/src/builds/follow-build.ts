/**
 * Follows one build to its end, however often the connection is lost on the way.
 *
 *   ready -> read what was told meanwhile -> pass on what is told -> end
 *     ^                                         |
 *     `---------------- lost <------------------'
 *
 * Every event has its place in the log, so none is told twice and none is missed.
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
  using ear = new BuildEar(line, id, signal);
  let last = after;
  for (let isFirst = true; ; isFirst = false) {
    await line.ready(signal);
    if (!isFirst) yield { type: "back" };
    const { losses } = ear;
    try {
      for await (const event of stretch(line, ear, { id, after: last, losses })) {
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

/** What was told and what is told, for as long as one connection holds. */
async function* stretch(
  line: RunConnection,
  ear: BuildEar,
  { id, after, losses }: { readonly id: string; readonly after: number; readonly losses: number },
): AsyncGenerator<BuildEvent, void> {
  for (let seq = after, hasMore = true; hasMore;) {
    const page = await line.call("build.events", { id, after: seq });
    yield* page.events;
    hasMore = page.has_more;
    seq = page.events.at(-1)?.seq ?? seq;
  }
  while (ear.losses === losses && !ear.isDone) {
    const { changed } = ear;
    const event = ear.heard.shift();
    if (event === undefined) await changed;
    else yield event;
  }
}

/** Hears what concerns one build, and how often the connection was lost. */
class BuildEar implements Disposable {
  readonly heard: BuildEvent[] = [];
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
        this.heard.push(event);
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

  /** Settles with the next thing there is to look at. */
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
