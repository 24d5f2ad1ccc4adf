/** Which nodes there are, what was agreed to and what waits for it, and which invocations are open. */
import { idIn, owns } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import { invocation } from "../node/invocation.ts";
import { node, type NodeEvent, type NodeInfo } from "../node/node.ts";
import type { NodeOffer } from "../node/surface.ts";

export interface NodeRequest {
  readonly requestId: string;
  readonly surface: NodeOffer;
  readonly info: NodeInfo;
  readonly isSilent: boolean;
  readonly requestedAt: number;
}

export interface NodeApproval extends NodeRequest {
  readonly approvedAt: number;
}

export interface NodeRow {
  readonly nodeId: string;
  /** What someone named it, whatever it calls itself. */
  readonly name: string | null;
  readonly waiting: NodeRequest | null;
  readonly approved: NodeApproval | null;
}

export interface Nodes extends Projection<Saved> {
  get(nodeId: string): NodeRow | undefined;
  list(): readonly NodeRow[];
  /** Whose request that is, waiting or approved. */
  ownerOf(requestId: string): string | undefined;
  /** Invocations that have not ended, and the server that each was asked of; null where there is one only. */
  openInvocations(): readonly OpenInvocation[];
}

export interface OpenInvocation {
  readonly invokeId: string;
  readonly server: string | null;
}

interface Saved {
  readonly rows: readonly NodeRow[];
  readonly open: readonly OpenInvocation[];
}

export function createNodes(): Nodes {
  let rows = new Map<string, NodeRow>();
  let open = new Map<string, OpenInvocation>();

  return {
    name: "nodes",
    version: 2,
    get: (nodeId) => rows.get(nodeId),
    list: () => [...rows.values()],
    ownerOf(requestId) {
      for (const { nodeId, waiting, approved } of rows.values()) {
        if (waiting?.requestId === requestId || approved?.requestId === requestId) return nodeId;
      }
      return undefined;
    },
    openInvocations: () => [...open.values()],
    apply(entry) {
      if (owns(node, entry.stream)) {
        const event = node.read(entry);
        const row = fold(rows.get(event.nodeId), event, entry.at);
        if (row === undefined) rows.delete(event.nodeId);
        else rows.set(event.nodeId, row);
      } else if (owns(invocation, entry.stream)) {
        const event = invocation.read(entry);
        const { invokeId } = event;
        if (event.type === "invocation.requested") {
          open.set(invokeId, { invokeId, server: event.server ?? null });
        } else open.delete(invokeId);
      }
    },
    // It may have been that the node is no longer allowed what it was.
    distrust({ stream }) {
      const nodeId = idIn(node, stream);
      if (nodeId !== undefined) rows.delete(nodeId);
      const invokeId = idIn(invocation, stream);
      if (invokeId !== undefined) open.delete(invokeId);
    },
    save: (): Saved => ({ rows: [...rows.values()], open: [...open.values()] }),
    load(kept) {
      rows = new Map(kept.rows.map((row) => [row.nodeId, row]));
      open = new Map(kept.open.map((each) => [each.invokeId, each]));
    },
  };
}

function fold(known: NodeRow | undefined, event: NodeEvent, at: number): NodeRow | undefined {
  const { nodeId } = event;
  const row = known ?? { nodeId, name: null, waiting: null, approved: null };
  switch (event.type) {
    case "node.requested": {
      const { requestId, surface, info, isSilent } = event;
      return { ...row, waiting: { requestId, surface, info, isSilent, requestedAt: at } };
    }
    case "node.approved":
      if (row.waiting === null) return row;
      return { ...row, waiting: null, approved: { ...row.waiting, approvedAt: at } };
    case "node.withdrawn":
      return { ...row, waiting: null };
    case "node.rejected":
      return row.approved === null ? undefined : { ...row, waiting: null };
    case "node.renamed":
      return { ...row, name: event.displayName };
    case "node.removed":
      return undefined;
  }
}
