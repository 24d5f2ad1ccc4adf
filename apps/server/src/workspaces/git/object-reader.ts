/**
 * Reads objects of one store by their ids, through one git that stays while it is in use.
 *
 * Only ids are sent, never names: what git answers about a name that an agent chose could look like
 * another answer.
 */
import { accept, refuse, type Outcome } from "@atrium/core";
import type { Timers } from "../../platform/timers.ts";
import type { Git, GitProcess } from "./git.ts";

export interface ObjectHeader {
  readonly type: string;
  readonly bytes: number;
}

export interface GitObject extends ObjectHeader {
  readonly content: Buffer;
}

interface Waiting {
  readonly wantsContent: boolean;
  readonly settle: (found: Outcome<GitObject>) => void;
}

const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const IDLE_MS = 30_000;
const TIMEOUT_MS = 60_000;
const NOTHING = Buffer.alloc(0);

export const isObjectId = (id: string): boolean => ID.test(id);

export class ObjectReader {
  readonly #git: Git;
  readonly #store: string;
  readonly #timers: Timers;
  #process: GitProcess | undefined;
  #waiting: Waiting[] = [];
  #chunks: Buffer[] = [];
  #length = 0;
  /** How much must be there before it is worth looking. */
  #needed = 1;
  #cancelTimer: () => void = () => undefined;

  constructor(git: Git, store: string, timers: Timers) {
    this.#git = git;
    this.#store = store;
    this.#timers = timers;
  }

  async header(id: string): Promise<Outcome<ObjectHeader>> {
    return this.#ask("info", id);
  }

  read(id: string): Promise<Outcome<GitObject>> {
    return this.#ask("contents", id);
  }

  close(): void {
    this.#drop("the store was closed");
  }

  #ask(command: "info" | "contents", id: string): Promise<Outcome<GitObject>> {
    if (!isObjectId(id)) return Promise.resolve(refuse("moment.missing", id.slice(0, 80)));
    const { promise, resolve } = Promise.withResolvers<Outcome<GitObject>>();
    const { child } = this.#started();
    this.#waiting.push({ wantsContent: command === "contents", settle: resolve });
    child.stdin.write(`${command} ${id}\n`);
    this.#watch(TIMEOUT_MS, "git did not answer");
    return promise;
  }

  #started(): GitProcess {
    if (this.#process !== undefined) return this.#process;
    const started = this.#git.start([`--git-dir=${this.#store}`, "cat-file", "--batch-command"]);
    const isCurrent = (): boolean => this.#process === started;
    started.child.stdout.on("data", (chunk: Buffer) => {
      if (isCurrent()) this.#take(chunk);
    });
    const ended = (): void => {
      if (isCurrent()) this.#drop("git ended");
    };
    started.child.once("close", ended);
    started.child.once("error", ended);
    this.#process = started;
    return started;
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#waiting.length > 0 && this.#length >= this.#needed) {
      const all =
        this.#chunks.length === 1 ? (this.#chunks[0] ?? NOTHING) : Buffer.concat(this.#chunks);
      this.#chunks = [all];
      const used = this.#answer(all);
      if (used === 0) break;
      this.#chunks = [all.subarray(used)];
      this.#length = all.length - used;
      this.#needed = 1;
    }
    if (this.#waiting.length === 0) this.#watch(IDLE_MS, "");
    else this.#watch(TIMEOUT_MS, "git did not answer");
  }

  /** How many bytes were the answer to the first who waits; 0 when it is not all there. */
  #answer(all: Buffer): number {
    const [first] = this.#waiting;
    const end = all.indexOf(10);
    if (first === undefined || end === -1) {
      this.#needed = this.#length + 1;
      return 0;
    }
    const [id = "", type = "", size] = all.toString("latin1", 0, end).split(" ");
    if (size === undefined) {
      this.#waiting.shift();
      first.settle(refuse("moment.missing", id));
      return end + 1;
    }
    const bytes = Number(size);
    const until = first.wantsContent ? end + 1 + bytes + 1 : end + 1;
    if (all.length < until) {
      this.#needed = until;
      return 0;
    }
    this.#waiting.shift();
    const content = first.wantsContent ? Buffer.from(all.subarray(end + 1, until - 1)) : NOTHING;
    first.settle(accept({ type, bytes, content }));
    return until;
  }

  #watch(ms: number, complaint: string): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#timers.after(ms, () => this.#drop(complaint));
  }

  #drop(complaint: string): void {
    this.#cancelTimer();
    this.#process?.end();
    this.#process = undefined;
    this.#chunks = [];
    this.#length = 0;
    this.#needed = 1;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { settle } of waiting) settle(refuse("git.failed", complaint));
  }
}
