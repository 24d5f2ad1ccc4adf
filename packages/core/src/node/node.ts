/**
 * Node: a paired device that offers commands, and what of its offer someone has agreed to.
 *
 * A node declares its surface whenever it connects. What goes beyond the approved surface waits as one
 * request; what stays within it needs no one. Whether the node is connected is not known here.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { TaggedUnion } from "../engine/tagged-union.ts";
import { NODE_EVENTS } from "./node-shapes.ts";
import { isSameSurface, isWider, type NodeOffer } from "./surface.ts";

export interface NodeInfo {
  readonly displayName: string | null;
  readonly platform: string | null;
  readonly version: string | null;
  readonly deviceFamily: string | null;
  readonly modelIdentifier: string | null;
  readonly clientId: string | null;
  readonly clientMode: string | null;
  readonly address: string | null;
}

export interface Declare {
  readonly type: "declare";
  readonly nodeId: string;
  /** For the request, should one be needed. */
  readonly requestId: string;
  readonly surface: NodeOffer;
  readonly info: NodeInfo;
  /** The device behind it was let in without a question. */
  readonly isSilent: boolean;
}

export type NodeCommand =
  | TaggedUnion<{
      approve: { requestId: string };
      reject: { requestId: string };
      rename: { displayName: string };
      remove: object;
    }>
  | Declare;

export type NodeEvent =
  /** Takes the place of an earlier request that is still waiting. */
  TaggedUnion<{
    /** Takes the place of an earlier request that is still waiting. */
    "node.requested": {
      nodeId: string;
      requestId: string;
      surface: NodeOffer;
      info: NodeInfo;
      isSilent: boolean;
    };
    /** The node asks for no more than it has; its request is void. */
    "node.withdrawn": { nodeId: string; requestId: string };
    "node.approved": { nodeId: string; requestId: string };
    "node.rejected": { nodeId: string; requestId: string };
    "node.renamed": { nodeId: string; displayName: string };
    "node.removed": { nodeId: string };
  }>;

interface Waiting {
  readonly requestId: string;
  readonly surface: NodeOffer;
}

export type Node =
  | { readonly state: "absent" }
  | {
      readonly state: "known";
      readonly nodeId: string;
      readonly waiting: Waiting | null;
      /** With the request by which it was approved last. */
      readonly approved: Waiting | null;
    };

function decide(node: Node, command: NodeCommand): Outcome<readonly NodeEvent[]> {
  switch (command.type) {
    case "declare":
      return accept(declare(node, command));
    case "approve":
      return approve(node, command.requestId);
    case "reject": {
      const { requestId } = command;
      if (node.state === "absent" || node.waiting?.requestId !== requestId) {
        return refuse("request.unknown", requestId);
      }
      return accept([{ type: "node.rejected", nodeId: node.nodeId, requestId }]);
    }
    case "rename": {
      if (node.state === "absent") return refuse("node.unknown");
      const { nodeId } = node;
      return accept([{ type: "node.renamed", nodeId, displayName: command.displayName }]);
    }
    case "remove":
      if (node.state === "absent") return refuse("node.unknown");
      return accept([{ type: "node.removed", nodeId: node.nodeId }]);
  }
}

function declare(node: Node, command: Declare): readonly NodeEvent[] {
  const { nodeId, requestId, surface, info, isSilent } = command;
  const { waiting, approved } = node.state === "known" ? node : { waiting: null, approved: null };
  if (approved !== null && !isWider(surface, approved.surface)) {
    if (waiting === null) return [];
    return [{ type: "node.withdrawn", nodeId, requestId: waiting.requestId }];
  }
  if (waiting !== null && isSameSurface(surface, waiting.surface)) return [];
  return [{ type: "node.requested", nodeId, requestId, surface, info, isSilent }];
}

function approve(node: Node, requestId: string): Outcome<readonly NodeEvent[]> {
  if (node.state === "absent") return refuse("request.unknown", requestId);
  const { nodeId, waiting, approved } = node;
  if (waiting?.requestId === requestId) {
    return accept([{ type: "node.approved", nodeId, requestId }]);
  }
  // Two people who agree do not disagree: the second finds it done.
  return approved?.requestId === requestId ? accept([]) : refuse("request.unknown", requestId);
}

function evolve(node: Node, event: NodeEvent): Node {
  const { nodeId } = event;
  const known =
    node.state === "known"
      ? node
      : ({ state: "known", nodeId, waiting: null, approved: null } as const);
  switch (event.type) {
    case "node.requested": {
      const { requestId, surface } = event;
      return { ...known, waiting: { requestId, surface } };
    }
    case "node.approved":
      return { ...known, waiting: null, approved: known.waiting };
    case "node.withdrawn":
      return { ...known, waiting: null };
    case "node.rejected":
      return known.approved === null ? { state: "absent" } : { ...known, waiting: null };
    case "node.renamed":
      return known;
    case "node.removed":
      return { state: "absent" };
  }
}

export const node: Aggregate<Node, NodeCommand, NodeEvent> = {
  name: "node",
  initial: { state: "absent" },
  decide,
  evolve,
  ...createCodec<NodeEvent>(NODE_EVENTS),
  distrust: () => ({ state: "absent" }),
};
