/**
 * Open invocations: sends each to its node, waits, and makes sure that it ends.
 *
 *   invoke --durable--> node.invoke.request --> the node's answer ----.
 *                                          \--> its disappearance -----\
 *                                           \-> too long ---------------+-> settled, durable --> answer
 *                                            \> everyone who asked left /
 *
 * A call with a key that was used before waits for the same end, or gets its result. Invocations that a
 * crash left open are settled at the next start and never sent to the node a second time.
 */
import {
  accept,
  Fault,
  invocation,
  owns,
  refuse,
  type BatchListener,
  type Devices,
  type Dispatch,
  type Ids,
  type InvocationOutcome,
  type Nodes,
  type Offer,
  type Outcome,
  type ReadInvocation,
} from "@atrium/core";
import { nodeInvokeCancel, nodeInvokeRequest } from "@atrium/wire/gateway";
import type { CallKey } from "../../../pipeline/idempotency.ts";
import { encodeEvent } from "../frames/encode.ts";
import { peerOf, type LiveNodes } from "./live-nodes.ts";

export interface InvokeRequest {
  readonly nodeId: string;
  readonly command: string;
  readonly params?: unknown;
  readonly timeoutMs?: number | undefined;
  /** The caller's key, which the node gets too, so that it can recognize a repeated call. */
  readonly idempotencyKey: string;
  /** The conversation that it belongs to, if any: the result is erased with it. */
  readonly conversationKey?: string | undefined;
}

export interface InvokerDeps {
  readonly dispatch: Dispatch;
  readonly ids: Ids;
  readonly nodes: Pick<Nodes, "get" | "openInvocations">;
  readonly devices: Pick<Devices, "get">;
  readonly live: Pick<LiveNodes, "get">;
  readonly readInvocation: ReadInvocation;
  readonly report: (fault: Fault) => void;
  /** The name of this server among those of the same log; undefined when it is the only one. */
  readonly server?: string | undefined;
}

interface Open {
  readonly request: InvokeRequest;
  readonly callers: Set<string>;
  readonly ended: PromiseWithResolvers<Outcome<InvocationOutcome>>;
  /** The connection that it was sent to; undefined until the request is durable. */
  nodePeerId?: string;
  timer?: NodeJS.Timeout;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 15 * 60_000;
/** The params must fit into the frame that a node accepts, with room for the rest of it. */
const MAX_PARAMS_BYTES = 8 * 1024 * 1024;

export class Invoker {
  readonly #deps: InvokerDeps;
  readonly #opens = new Map<string, Open>();
  #isClosed = false;

  constructor(deps: InvokerDeps) {
    this.#deps = deps;
  }

  /** Resolves with its outcome once it has ended; a refusal means that it never began. */
  async invoke(
    request: InvokeRequest,
    key: CallKey | undefined,
    callerId: string,
  ): Promise<Outcome<InvocationOutcome>> {
    const { nodeId, command, params, conversationKey = null } = request;
    const { server } = this.#deps;
    const paramsJson = params === undefined ? undefined : JSON.stringify(params);
    if (Buffer.byteLength(paramsJson ?? "") > MAX_PARAMS_BYTES) {
      return refuse("invocation.oversize", command);
    }
    const invokeId = this.#deps.ids.next();
    const ended = Promise.withResolvers<Outcome<InvocationOutcome>>();
    const open: Open = { request, callers: new Set([callerId]), ended };
    // Registered before it is durable, so that a call with the same key finds it from then on.
    this.#opens.set(invokeId, open);
    try {
      const offer = this.#offerOf(nodeId);
      const about = { invokeId, nodeId, command, conversationKey, ...(server && { server }) };
      const start = { type: "request", ...about, offer } as const;
      const done = await this.#deps.dispatch(invocation, invokeId, start, key);
      if (!done.ok) return done;
      const [first] = done.value.events;
      if (first === undefined) return refuse("internal");
      if (first.invokeId !== invokeId) return await this.#join(first.invokeId, callerId);
      this.#send(invokeId, open, paramsJson);
      return await ended.promise;
    } finally {
      this.#opens.delete(invokeId);
    }
  }

  /** The node's answer; false when it had already ended, or was sent to another connection. */
  answer(
    invokeId: string,
    peerId: string,
    outcome: InvocationOutcome,
    key: CallKey | undefined,
  ): Promise<Outcome<boolean>> {
    const isTheirs = this.#opens.get(invokeId)?.nodePeerId === peerId;
    return isTheirs ? this.#settle(invokeId, outcome, key) : Promise.resolve(accept(false));
  }

  /** A connection has closed: a node's, or that of a caller who waits. */
  left(peerId: string): void {
    for (const [invokeId, open] of this.#opens) {
      if (open.nodePeerId === peerId) this.#cut(invokeId, "disconnected");
      if (!open.callers.delete(peerId) || open.callers.size > 0) continue;
      if (open.nodePeerId !== undefined) this.#cut(invokeId, "abandoned");
    }
  }

  /** Settles what a server left open when it stopped; null: it was the only one. */
  async settleLeftovers(isGone: (server: string | null) => boolean): Promise<void> {
    for (const { invokeId, server } of this.#deps.nodes.openInvocations()) {
      if (!isGone(server)) continue;
      await this.#settle(invokeId, { status: "cut", by: "interrupted" });
    }
  }

  /** What another server has settled, because it believed this one to be gone, is over here too. */
  readonly onBatch: BatchListener = (entries) => {
    if (this.#opens.size === 0) return;
    for (const entry of entries) {
      if (entry.type !== "invocation.settled" || !owns(invocation, entry.stream)) continue;
      const event = invocation.read(entry);
      if (event.type === "invocation.settled") this.#release(event.invokeId, accept(event.outcome));
    }
  };

  /** Open invocations stay open; the next start settles them. */
  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#opens.values()) clearTimeout(timer);
  }

  async #settle(
    invokeId: string,
    outcome: InvocationOutcome,
    key?: CallKey,
  ): Promise<Outcome<boolean>> {
    const done = await this.#deps.dispatch(invocation, invokeId, { type: "settle", outcome }, key);
    const isFirst = done.ok && done.value.events.length > 0 && !done.value.repeated;
    // Even if the log refused it there is nothing to wait for: the next call with the key finds it open and ends it.
    if (isFirst || !done.ok) this.#release(invokeId, done.ok ? accept(outcome) : done);
    return done.ok ? accept(isFirst) : done;
  }

  #release(invokeId: string, how: Outcome<InvocationOutcome>): void {
    const open = this.#opens.get(invokeId);
    if (open === undefined) return;
    this.#opens.delete(invokeId);
    clearTimeout(open.timer);
    open.ended.resolve(how);
  }

  /** For ends without a caller who would see the failure. */
  #cut(invokeId: string, by: "timeout" | "disconnected" | "abandoned"): void {
    if (this.#isClosed) return;
    const open = this.#opens.get(invokeId);
    if (open !== undefined && by !== "disconnected") this.#cancel(invokeId, open);
    this.#settle(invokeId, { status: "cut", by }).catch((cause: unknown) => {
      this.#deps.report(new Fault("an invocation could not be settled", { invokeId, by }, cause));
      this.#release(invokeId, refuse("internal"));
    });
  }

  #cancel(invokeId: string, { request: { nodeId }, nodePeerId }: Open): void {
    const peer = peerOf(this.#deps.live.get(nodeId));
    if (peer?.id === nodePeerId) peer?.send(encodeEvent(nodeInvokeCancel, { invokeId, nodeId }));
  }

  #send(invokeId: string, open: Open, paramsJson: string | undefined): void {
    const { nodeId, command, timeoutMs, idempotencyKey } = open.request;
    const peer = peerOf(this.#deps.live.get(nodeId));
    if (open.callers.size === 0) return this.#cut(invokeId, "abandoned");
    if (peer === undefined) return this.#cut(invokeId, "disconnected");
    open.nodePeerId = peer.id;
    const waitMs = patience(timeoutMs);
    open.timer = setTimeout(() => this.#cut(invokeId, "timeout"), waitMs);
    const request = {
      id: invokeId,
      nodeId,
      command,
      ...(paramsJson !== undefined && { paramsJSON: paramsJson }),
      timeoutMs: waitMs,
      idempotencyKey,
    };
    peer.send(encodeEvent(nodeInvokeRequest, request));
  }

  async #join(invokeId: string, callerId: string): Promise<Outcome<InvocationOutcome>> {
    const open = this.#opens.get(invokeId);
    if (open !== undefined) {
      open.callers.add(callerId);
      return open.ended.promise;
    }
    const { readInvocation } = this.#deps;
    const known = await readInvocation(invokeId);
    if (known.state === "settled") return accept(known.outcome);
    const done = await this.#settle(invokeId, { status: "cut", by: "interrupted" });
    if (!done.ok) return done;
    const settled = await readInvocation(invokeId);
    return settled.state === "settled" ? accept(settled.outcome) : refuse("invocation.unknown");
  }

  #offerOf(nodeId: string): Offer {
    const { nodes, devices, live } = this.#deps;
    const row = nodes.get(nodeId);
    const declared = live.get(nodeId)?.declared.commands ?? null;
    const isPaired = devices.get(nodeId)?.grants.get("node") !== undefined;
    if (row === undefined && declared === null && !isPaired) return { state: "unknown" };
    const approved = row?.approved?.surface.commands ?? [];
    return { state: "known", declared, approved, waiting: row?.waiting?.surface.commands ?? [] };
  }
}

export function patience(timeoutMs = DEFAULT_TIMEOUT_MS): number {
  return timeoutMs === 0 ? MAX_TIMEOUT_MS : Math.min(timeoutMs, MAX_TIMEOUT_MS);
}
