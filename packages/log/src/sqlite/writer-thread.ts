/**
 * The log's side of the writer's thread: requests go out, replies come back in the same order.
 *
 * Knows nothing of what is written. If the thread dies, every request that waits fails, and so
 * does every later one.
 */
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { LogFault, type Guard, type Snapshot } from "../log.ts";
import { faultOf } from "./fault.ts";
import type {
  Batch,
  CommitReply,
  NumberedBytes,
  OpenReply,
  WorkerReply,
  WorkerRequest,
  Texts,
  WriterOptions,
} from "./messages.ts";

export interface StartedWriter {
  readonly thread: WriterThread;
  readonly opened: OpenReply;
}

const LOG_WRITER = new URL("./worker-entry.mjs", import.meta.url);

export async function startWriter(
  options: WriterOptions,
  entry: URL = LOG_WRITER,
): Promise<StartedWriter> {
  const thread = new WriterThread(options, entry);
  const reply = await thread.reply();
  if (reply.type === "fault") await thread.ended;
  return { thread, opened: expect("opened", reply) };
}

export class WriterThread {
  /** Resolves when the thread ended as it was told to, rejects when it died. */
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<WorkerReply>[] = [];
  #fault: LogFault | undefined;

  constructor(options: WriterOptions, entry: URL) {
    const workerData = { ...options, compileCache: compileCache() };
    this.#worker = new Worker(entry, { name: "atrium-log", workerData, execArgv: [] });
    this.#worker.on("message", (reply: WorkerReply) => this.#waiting.shift()?.resolve(reply));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#worker.on("error", (error) => reject(faultOf(error, options.file)));
    this.#worker.on("exit", (code) => {
      if (code === 0) resolve();
      else reject(new LogFault("failed", `${options.file}: the writer's thread died; start again`));
    });
    promise.then(
      () => this.#refuse(new LogFault("closed", `${options.file} was closed; open it again`)),
      (error: unknown) => this.#refuse(faultOf(error, options.file)),
    );
  }

  async commit(batch: Batch, appends: number): Promise<CommitReply> {
    return expect("committed", await this.#ask({ type: "commit", batch, appends }));
  }

  /** Answers up to where the file's index of streams goes. */
  async apply(links: readonly NumberedBytes[]): Promise<number> {
    return expect("applied", await this.#ask({ type: "apply", links })).filed;
  }

  async save(name: string, snapshot: Snapshot): Promise<void> {
    expect("done", await this.#ask({ type: "save", name, snapshot }));
  }

  /** Answers with the version of the guard's stream when that keeps it from erasing. */
  async erase(texts: Texts, guard: Guard | undefined): Promise<number | undefined> {
    return expect("erased", await this.#ask({ type: "erase", texts, guard })).fencedAt;
  }

  async close(): Promise<void> {
    const reply = await this.#ask({ type: "close" });
    await this.ended;
    expect("done", reply);
  }

  /** The next reply that no one waits for yet. */
  reply(): Promise<WorkerReply> {
    const waiting = Promise.withResolvers<WorkerReply>();
    if (this.#fault === undefined) this.#waiting.push(waiting);
    else waiting.reject(this.#fault);
    return waiting.promise;
  }

  #ask(request: WorkerRequest): Promise<WorkerReply> {
    const reply = this.reply();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(request);
    return reply;
  }

  #refuse(fault: LogFault): void {
    this.#fault = fault;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(fault);
  }
}

/** What to enable in the thread, to share it: Node reports the folder it made inside of that. */
function compileCache(): string | undefined {
  const folder = getCompileCacheDir();
  return folder === undefined ? undefined : dirname(folder);
}

function expect<Type extends WorkerReply["type"]>(
  type: Type,
  reply: WorkerReply,
): Extract<WorkerReply, { type: Type }> {
  if (reply.type === "fault") throw new LogFault(reply.code, reply.message);
  if (reply.type !== type) throw new LogFault("failed", `expected ${type}, got ${reply.type}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tag was just compared
  return reply as Extract<WorkerReply, { type: Type }>;
}
