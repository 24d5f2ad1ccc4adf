import {
  accept,
  node,
  refuse,
  resolveKey,
  type CrewMember,
  type Devices,
  type Dispatch,
  type Ids,
  type InvocationOutcome,
  type Nodes,
} from "@atrium/core";
import type { ParamsOf } from "@atrium/wire";
import {
  execApprovalsNodeGet,
  nodeDescribe,
  nodeEvent,
  nodeInvoke,
  nodeInvokeProgress,
  nodeInvokeResult,
  nodeList,
  nodeRename,
} from "@atrium/wire/gateway";
import { FailedReply } from "../frames/encode.ts";
import { type GatewayCaller, type GatewayMethod, serve } from "../frames/peer.ts";
import { scopeToInvoke } from "../nodes/command-scopes.ts";
import type { Invocations } from "../nodes/invocations.ts";
import { invokeReply } from "../nodes/invoke-reply.ts";
import type { Invoker } from "../nodes/invoker.ts";
import { nodeIdOf, peerOf, type LiveNode, type LiveNodes } from "../nodes/live-nodes.ts";
import { takeNodeEvent } from "../nodes/node-events.ts";
import { nodeRow } from "../nodes/node-rows.ts";
import { type GatewayEgress } from "../outbound/egress.ts";

export interface NodesDeps {
  readonly nodes: Pick<Nodes, "get" | "list">;
  readonly devices: Pick<Devices, "get" | "list">;
  readonly live: LiveNodes;
  readonly invocations: Pick<Invocations, "invoke">;
  readonly invoker: Pick<Invoker, "answer">;
  readonly crew: readonly CrewMember[];
  readonly egress: Pick<GatewayEgress, "publish">;
  readonly dispatch: Dispatch;
  readonly ids: Ids;
  readonly now: () => number;
}

/** The results are in the log, so a call that is repeated gets the same one. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_CHUNK_BYTES = 16_384;

export function nodesMethods(deps: NodesDeps): readonly GatewayMethod[] {
  const { nodes, devices, live, invocations, invoker, dispatch, now } = deps;

  const rowOf = (nodeId: string) =>
    nodeRow({
      nodeId,
      row: nodes.get(nodeId),
      live: live.get(nodeId),
      visit: live.lastVisit(nodeId),
      pairedAt: devices.get(nodeId)?.grants.get("node")?.at,
    });

  function known(): ReadonlySet<string> {
    const paired = devices.list().filter(({ grants }) => grants.get("node") !== undefined);
    return new Set([
      ...live.list().map(({ nodeId }) => nodeId),
      ...nodes.list().map(({ nodeId }) => nodeId),
      ...paired.map(({ deviceId }) => deviceId),
    ]);
  }

  /** The calling node, if it is the one it names and this is its current connection. */
  function callerAs({ member }: GatewayCaller, nodeId = nodeIdOf(member)): LiveNode | undefined {
    const here = nodeId === undefined ? undefined : live.get(nodeId);
    return peerOf(here)?.id === member.peer.id ? here : undefined;
  }

  return [
    serve(nodeList, () =>
      accept({ ts: now(), nodes: [...known()].map(rowOf).toSorted(connectedFirst) }),
    ),

    serve(nodeDescribe, ({ nodeId }) =>
      known().has(nodeId) ? accept({ ts: now(), ...rowOf(nodeId) }) : refuse("node.unknown"),
    ),

    serve(nodeRename, async ({ nodeId, displayName: given }, { key }) => {
      const displayName = given.trim();
      if (displayName === "") return refuse("params.invalid", "displayName is blank");
      if (nodes.get(nodeId) === undefined) return refuse("node.unknown");
      const done = await dispatch(node, nodeId, { type: "rename", displayName }, key);
      return done.ok ? accept({ nodeId, displayName }) : done;
    }),

    serve(nodeInvoke, async (params, { caller, key }) => {
      const scope = scopeToInvoke(params.command);
      if (!caller.scopes.has(scope)) return refuse("scope.missing", scope);
      const wanted = { ...params, conversationKey: keyIn(deps.crew, params.sessionKey) };
      const ended = await invocations.invoke(wanted, key, caller.member.peer.id);
      return ended.ok ? accept(invokeReply(params, ended.value)) : ended;
    }),

    serve(execApprovalsNodeGet, async ({ nodeId }, { caller }) => {
      const command = "system.execApprovals.get";
      const request = { nodeId, command, params: {}, idempotencyKey: deps.ids.next() };
      const ended = await invocations.invoke(request, undefined, caller.member.peer.id);
      if (!ended.ok) return ended;
      const reply = invokeReply(request, ended.value);
      if (reply instanceof FailedReply) return accept(reply);
      const { payload } = reply;
      return isObject(payload) ? accept(payload) : refuse("command.unoffered", command);
    }),

    serve(nodeInvokeResult, async (params, { caller, key }) => {
      const from = callerAs(caller, params.nodeId);
      if (from === undefined) return refuse("node.mismatched");
      const outcome = outcomeOf(params);
      const taken = await invoker.answer(params.id, caller.member.peer.id, outcome, key);
      if (taken.ok && outcome.status === "cut") return refuse("invocation.oversize");
      return taken.ok ? accept({ ok: true, ...(!taken.value && { ignored: true }) }) : taken;
    }),

    // The protocol has no event for progress, so it is acknowledged and dropped.
    serve(nodeInvokeProgress, (params, { caller }) => {
      if (callerAs(caller, params.nodeId) === undefined) return refuse("node.mismatched");
      if (Buffer.byteLength(params.chunk) > MAX_CHUNK_BYTES) return refuse("invocation.oversize");
      return accept({ ok: true, ignored: true });
    }),

    serve(nodeEvent, (params, { caller }) => {
      const from = callerAs(caller);
      return from === undefined
        ? refuse("node.mismatched")
        : accept(takeNodeEvent(from, params, deps));
    }),
  ];
}

/** The conversation that a client names; undefined when the name is invalid. */
function keyIn(crew: readonly CrewMember[], named: string | undefined): string | undefined {
  if (named === undefined) return undefined;
  const key = resolveKey(crew, named);
  return key.ok ? key.value.text : undefined;
}

function outcomeOf(params: ParamsOf<typeof nodeInvokeResult>): InvocationOutcome {
  const { ok, payload, payloadJSON, error } = params;
  if (!ok) {
    return { status: "refused", code: error?.code ?? null, message: error?.message ?? null };
  }
  const text = payloadJSON ?? JSON.stringify(payload ?? null);
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) return { status: "cut", by: "oversize" };
  if (typeof payloadJSON === "string") return { status: "done", payloadJson: payloadJSON };
  return { status: "done", payload: payload ?? null };
}

function connectedFirst(
  one: ReturnType<typeof nodeRow>,
  other: ReturnType<typeof nodeRow>,
): number {
  if (one.connected !== other.connected) return one.connected ? -1 : 1;
  const [a, b] = [one, other].map(({ displayName, nodeId }) => displayName ?? nodeId);
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
