/**
 * One node asks another to do something, and gets its answer.
 *
 *   call --request--> the other node does it --answer--> what came of it
 *       \--cancel---> (its signal is aborted)
 *
 * Whatever happens, a call ends: the other node is gone, or takes too long. Then it is not known whether it was done,
 * so whoever may be called twice takes a key. An answer names the newest entry its node knew, and is given once that
 * is folded here too: whoever looks then sees what was done.
 */
import { randomUUID } from "node:crypto";
import { accept, Fault, refuse, type Outcome } from "@atrium/core";
import type { Bus, Log } from "@atrium/log";
import { Compile, Type, type Static } from "@atrium/schema";
import { parseJson } from "@atrium/wire";
import { sleep, type Timers } from "../platform/timers.ts";
import type { Cluster } from "./cluster.ts";
import { Pieces, piecesOf, TextPiece } from "./pieces.ts";
import { watchGone } from "./watch-gone.ts";

export type CallHandler = (
  args: unknown,
  /** Aborted when whoever called does not wait any more. */
  signal: AbortSignal,
) => Promise<Outcome<unknown>>;

export interface CallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface CallsDeps {
  readonly cluster: Pick<Cluster, "node" | "members" | "onChange">;
  readonly bus: Pick<Bus, "publish" | "subscribe">;
  readonly log: Pick<Log, "head">;
  readonly settled: (seq: number) => Promise<void> | void;
  readonly timers: Timers;
  readonly report: (fault: Fault) => void;
}

const CallType = Type.Union([
  Type.Literal("request"),
  Type.Literal("answer"),
  Type.Literal("cancel"),
]);
const CallPiece = Compile(Type.Object({ type: CallType, ...TextPiece.properties }));
const CallRequest = Compile(
  Type.Object({ name: Type.String(), args: Type.Optional(Type.Unknown()) }),
);
const CallAnswer = Compile(
  Type.Object({
    outcome: Type.Object({ ok: Type.Boolean() }),
    seq: Type.Optional(Type.Number()),
  }),
);

interface Waiting {
  readonly node: string;
  readonly end: (outcome: Outcome<unknown>) => void;
}

const MAX_CHARS = 32 * 1024 * 1024;
const TOO_MUCH = refuse("cluster.oversize");
/** However far this node is behind, the answer is given in the end. */
const MAX_SETTLING_MS = 2_000;

export class Calls implements Disposable {
  readonly #deps: CallsDeps;
  readonly #held = new DisposableStack();
  readonly #handlers = new Map<string, CallHandler>();
  readonly #pieces = new Pieces();
  /** Calls of this node. */
  readonly #waiting = new Map<string, Waiting>();
  /** Calls of others that are being answered. */
  readonly #working = new Map<string, { readonly from: string; readonly work: AbortController }>();

  constructor(deps: CallsDeps) {
    this.#deps = deps;
    const { bus, cluster } = deps;
    this.#held.use(bus.subscribe(subjectOf(cluster.node), (bytes) => this.#receive(bytes)));
    this.#held.use(watchGone(cluster, (node) => this.#drop(node)));
  }

  /** `name` is the same on all nodes. */
  serve(name: string, handler: CallHandler): void {
    this.#handlers.set(name, handler);
  }

  /** Arguments and the value of the outcome are JSON. */
  call(
    node: string,
    name: string,
    args: unknown,
    { timeoutMs, signal }: CallOptions,
  ): Promise<Outcome<unknown>> {
    const { cluster, timers } = this.#deps;
    if (node === cluster.node) return this.#handle(name, args, signal ?? NEVER);
    const text = JSON.stringify({ name, args });
    if (text.length > MAX_CHARS) return Promise.resolve(TOO_MUCH);
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<Outcome<unknown>>();
    const giveUp = (): void => {
      this.#send(node, "cancel", id, "");
      end(refuse("cluster.silent", node));
    };
    const stopTimer = timers.after(timeoutMs, giveUp);
    const end = (outcome: Outcome<unknown>): void => {
      if (!this.#waiting.delete(id)) return;
      stopTimer();
      this.#pieces.forget(id);
      signal?.removeEventListener("abort", giveUp);
      resolve(outcome);
    };
    this.#waiting.set(id, { node, end });
    signal?.addEventListener("abort", giveUp, { once: true });
    this.#send(node, "request", id, text);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#held.dispose();
    for (const { end } of this.#waiting.values()) end(refuse("server.closing"));
    for (const { work } of this.#working.values()) work.abort();
  }

  #send(to: string, type: Static<typeof CallType>, id: string, text: string): void {
    if (this.#held.disposed) return;
    const { bus, cluster } = this.#deps;
    for (const piece of piecesOf(id, cluster.node, text)) {
      bus.publish(subjectOf(to), Buffer.from(JSON.stringify({ type, ...piece })));
    }
  }

  #receive(bytes: Uint8Array): void {
    const piece = parseJson(Buffer.from(bytes).toString());
    if (!CallPiece.Check(piece)) return;
    const { type, id, from } = piece;
    if (type === "cancel") {
      this.#pieces.forget(id);
      this.#working.get(id)?.work.abort();
      return;
    }
    // Nobody waits for that answer any more.
    if (type === "answer" && !this.#waiting.has(id)) return;
    const text = this.#pieces.add(piece);
    if (text === undefined) return;
    if (type === "request") void this.#answer(from, id, text);
    else void this.#end(id, text);
  }

  async #answer(from: string, id: string, text: string): Promise<void> {
    const request = parseJson(text);
    if (!CallRequest.Check(request)) return;
    const { name, args } = request;
    const work = new AbortController();
    this.#working.set(id, { from, work });
    const outcome = await this.#handle(name, args, work.signal);
    this.#working.delete(id);
    const answer = JSON.stringify({ outcome, seq: this.#deps.log.head });
    const isTooMuch = answer.length > MAX_CHARS;
    this.#send(from, "answer", id, isTooMuch ? JSON.stringify({ outcome: TOO_MUCH }) : answer);
  }

  async #handle(name: string, args: unknown, signal: AbortSignal): Promise<Outcome<unknown>> {
    const handler = this.#handlers.get(name);
    // It may be one of a newer release.
    if (handler === undefined) return refuse("method.unknown", name);
    try {
      return await handler(args, signal);
    } catch (cause) {
      this.#deps.report(new Fault("a call of another node failed", { name }, cause));
      return refuse("internal");
    }
  }

  async #end(id: string, text: string): Promise<void> {
    const answer = parseJson(text);
    if (!CallAnswer.Check(answer)) return;
    const { seq = 0 } = answer;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- told by `ok`
    const outcome = answer.outcome as Outcome<unknown>;
    const settled = this.#deps.settled(seq);
    if (settled !== undefined) {
      await Promise.race([settled.catch(() => undefined), sleep(MAX_SETTLING_MS)]);
    }
    // JSON has no undefined.
    const isVoid = outcome.ok && !("value" in outcome);
    this.#waiting.get(id)?.end(isVoid ? accept(undefined) : outcome);
  }

  /** Whoever is gone neither answers nor waits. */
  #drop(gone: string): void {
    for (const { node, end } of this.#waiting.values()) {
      if (node === gone) end(refuse("cluster.silent", node));
    }
    for (const { from, work } of this.#working.values()) if (from === gone) work.abort();
    this.#pieces.forgetFrom(gone);
  }
}

const NEVER = new AbortController().signal;

/** A name may have characters that mean something in a subject. */
function subjectOf(node: string): string {
  return `call.${Buffer.from(node).toString("hex")}`;
}
