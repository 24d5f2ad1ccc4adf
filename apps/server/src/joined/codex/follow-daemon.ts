/**
 * Follows the daemon of Codex while Codex has joined: finds its socket, listens to it, and comes back when the daemon, or
 * this server, was started again. Codex that has not joined, or has left, is not looked at.
 */
import type { Clock } from "@atrium/core";
import type { Timers } from "../../platform/timers.ts";
import type { CodexThreads, CodexThreadsDeps } from "./codex-threads.ts";
import type { DaemonLink } from "./daemon-link.ts";
import { daemonPid, findDaemon, openedAt, type DaemonPlace } from "./daemon-place.ts";

export interface FollowDeps extends Omit<CodexThreadsDeps, "servedBy"> {
  /** Of the server, with the record of what has joined. */
  readonly homeFolder: string;
  readonly identityOf: (pid: number) => string | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
}

export interface DaemonFollower extends Disposable {
  /** Something was left for a session; nothing happens where it is none of the daemon's. */
  deliver(id: string): void;
}

interface Followed {
  readonly socket: string;
  readonly link: DaemonLink;
  readonly threads: CodexThreads;
  readonly since: number;
}

const LOOK_EVERY_MS = 1_000;
/** The first client of a daemon gives it its name in its requests; that is the terminal which has started it. */
const LET_TERMINAL_FIRST_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;
/** A link that held so long had no trouble. */
const STEADY_MS = 30_000;

export function followDaemon(deps: FollowDeps): DaemonFollower {
  const { clock, timers, homeFolder, onFault } = deps;
  let followed: Followed | undefined;
  let failures = 0;
  let retryAt = 0;
  let isOver = false;
  let cancel: (() => void) | undefined;

  async function look(): Promise<void> {
    const place = await findDaemon(homeFolder);
    if (isOver) return;
    if (followed !== undefined && followed.socket !== place?.socket) return letGo(followed);
    if (place === undefined || followed !== undefined || clock.now() < retryAt) return;
    const since = await openedAt(place);
    if (since === undefined || clock.now() - since < LET_TERMINAL_FIRST_MS) return;
    const opened = await open(place);
    if (isOver) opened.link.close();
  }

  async function letGo({ threads, link }: Followed): Promise<void> {
    await threads.end();
    link.close();
  }

  async function open(place: DaemonPlace): Promise<Followed> {
    // Whoever has not joined with Codex does without the code.
    const { DaemonLink } = await import("./daemon-link.ts");
    const { CodexThreads } = await import("./codex-threads.ts");
    const pid = await daemonPid(place);
    const servedBy = pid === undefined ? undefined : deps.identityOf(pid);
    const link: DaemonLink = new DaemonLink(place.socket, timers, {
      onReady: () => threads.begin(),
      onNotification: (method, params) => threads.onNotification(method, params),
      onRequest: (method, params, id) => threads.onRequest(method, params, id),
      onClosed: () => lose(),
      onFault,
    });
    const threads = new CodexThreads(link, { ...deps, servedBy });
    followed = { socket: place.socket, link, threads, since: clock.now() };
    return followed;
  }

  function lose(): void {
    if (followed === undefined) return;
    const { threads, since } = followed;
    followed = undefined;
    threads.lose();
    failures = clock.now() - since < STEADY_MS ? failures + 1 : 0;
    retryAt = clock.now() + Math.min(LOOK_EVERY_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
  }

  function lookSoon(): void {
    cancel = timers.after(LOOK_EVERY_MS, () => void lookAgain());
  }

  async function lookAgain(): Promise<void> {
    await look().catch(onFault);
    if (!isOver) lookSoon();
  }

  void lookAgain();
  return {
    deliver: (id) => followed?.threads.deliver(id),
    [Symbol.dispose]() {
      isOver = true;
      cancel?.();
      followed?.link.close();
    },
  };
}
