/**
 * Invocations of nodes, wherever they are connected: a node of this server is invoked here, any other by the server
 * that it is connected to. There its invocation begins, is waited for and ends, so it happens once.
 */
import type { InvocationOutcome, Outcome } from "@atrium/core";
import type { CallHandler, CallOptions } from "../../../cluster/calls.ts";
import type { CallKey } from "../../../pipeline/idempotency.ts";
import { patience, type Invoker, type InvokeRequest } from "./invoker.ts";
import type { LiveNodes } from "./live-nodes.ts";

export interface InvocationsDeps {
  readonly invoker: Pick<Invoker, "invoke" | "left">;
  readonly live: Pick<LiveNodes, "get">;
  /** Undefined with one server. */
  readonly calls:
    | {
        serve(name: string, handler: CallHandler): void;
        call(
          node: string,
          name: string,
          args: unknown,
          options: CallOptions,
        ): Promise<Outcome<unknown>>;
      }
    | undefined;
  readonly newId: () => string;
}

export type Invocations = Pick<Invoker, "invoke" | "left">;

interface RemoteCall {
  readonly request: InvokeRequest;
  readonly key?: CallKey;
}

const INVOKE = "node.invoke";
/** For the way there and back. */
const MARGIN_MS = 10_000;

export function createInvocations(deps: InvocationsDeps): Invocations {
  const { invoker, live, calls, newId } = deps;
  if (calls === undefined) return invoker;
  /** Calls to other servers, by who waits for them. */
  const waiting = new Map<string, Set<AbortController>>();

  calls.serve(INVOKE, async (args, signal) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- put together below
    const { request, key } = args as RemoteCall;
    const callerId = `server:${newId()}`;
    const leave = (): void => invoker.left(callerId);
    signal.addEventListener("abort", leave, { once: true });
    return invoker.invoke(request, key, callerId);
  });

  return {
    async invoke(request, key, callerId) {
      const link = live.get(request.nodeId)?.link;
      if (link?.type !== "elsewhere") return invoker.invoke(request, key, callerId);
      const controller = new AbortController();
      const others = waiting.get(callerId) ?? new Set();
      waiting.set(callerId, others.add(controller));
      const { signal } = controller;
      const timeoutMs = patience(request.timeoutMs) + MARGIN_MS;
      const call: RemoteCall = { request, ...(key !== undefined && { key }) };
      try {
        const outcome = await calls.call(link.server, INVOKE, call, { timeoutMs, signal });
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an outcome of `invoker.invoke` there
        return outcome as Outcome<InvocationOutcome>;
      } finally {
        others.delete(controller);
        if (others.size === 0) waiting.delete(callerId);
      }
    },
    left(peerId) {
      invoker.left(peerId);
      for (const controller of waiting.get(peerId) ?? []) controller.abort();
    },
  };
}
