/**
 * Moves refs of one store, through one git that stays while it is in use. Each is a transaction of its
 * own: it happens if the ref is still where it was, and is on disk when it is told.
 */
import { accept, refuse, type Outcome } from "@atrium/core";
import type { Timers } from "../../platform/timers.ts";
import { refusalOf } from "./git-refusal.ts";
import type { Git, GitProcess } from "./git.ts";

interface Waiting {
  readonly text: string;
  readonly settle: (done: Outcome<void>) => void;
}

const IDLE_MS = 30_000;
const PATIENCE_MS = 60_000;
const DONE = "commit: ok\n";

export class RefWriter {
  readonly #git: Git;
  readonly #store: string;
  readonly #timers: Timers;
  #process: GitProcess | undefined;
  /** The first of them is under way. */
  readonly #waiting: Waiting[] = [];
  #output = "";
  #cancelTimer: () => void = () => undefined;

  constructor(git: Git, store: string, timers: Timers) {
    this.#git = git;
    this.#store = store;
    this.#timers = timers;
  }

  move(ref: string, next: string, previous: string): Promise<Outcome<void>> {
    const { promise, resolve } = Promise.withResolvers<Outcome<void>>();
    const text = `start\0update ${ref}\0${next}\0${previous}\0commit\0`;
    this.#waiting.push({ text, settle: resolve });
    if (this.#waiting.length === 1) this.#begin();
    return promise;
  }

  close(): void {
    this.#end("the store was closed");
  }

  #begin(): void {
    const [first] = this.#waiting;
    if (first === undefined) return this.#watch(IDLE_MS, "");
    this.#started().child.stdin.write(first.text);
    this.#watch(PATIENCE_MS, "git did not answer");
  }

  #started(): GitProcess {
    if (this.#process !== undefined) return this.#process;
    const args = [`--git-dir=${this.#store}`, "update-ref", "-z", "--stdin"];
    const started = this.#git.start(args);
    const isCurrent = (): boolean => this.#process === started;
    started.child.stdout.setEncoding("latin1").on("data", (text: string) => {
      if (isCurrent()) this.#take(text);
    });
    const ended = (): void => {
      if (isCurrent()) this.#end(started.complaint());
    };
    started.child.once("close", ended);
    started.child.once("error", ended);
    this.#process = started;
    return started;
  }

  #take(text: string): void {
    this.#output += text;
    if (!this.#output.endsWith(DONE)) return;
    this.#output = "";
    this.#waiting.shift()?.settle(accept(undefined));
    this.#begin();
  }

  #watch(ms: number, complaint: string): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#timers.after(ms, () => this.#end(complaint));
  }

  /** What was under way has failed; what waits behind it is tried with another git. */
  #end(complaint: string): void {
    this.#cancelTimer();
    this.#process?.end();
    this.#process = undefined;
    this.#output = "";
    const stdout = Buffer.alloc(0);
    const failure = { ok: false, why: "failed", code: null, complaint, stdout } as const;
    this.#waiting.shift()?.settle(complaint === "" ? refuse("git.failed") : refusalOf(failure));
    if (this.#waiting.length > 0) this.#begin();
  }
}
