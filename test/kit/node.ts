/** A node that runs what the test says: a raw peer in the role of one, with a device of its own. */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { createTestDevice, type TestDevice } from "./device.ts";
import { connectPeer, type Connected, type Frame } from "./raw-peer.ts";

export interface NodeOptions {
  readonly device?: TestDevice;
  readonly caps?: readonly string[];
  readonly commands?: readonly string[];
  readonly permissions?: Readonly<Record<string, boolean>>;
  readonly protocol?: number;
  readonly displayName?: string;
}

export interface TestNode extends Connected {
  nodeId: string;
  device: TestDevice;
}

export async function connectNode(
  server: { readonly wsUrl: string; readonly token: string },
  options: NodeOptions = {},
): Promise<TestNode> {
  const { device = createTestDevice(), protocol = 4, displayName = "test node" } = options;
  const { caps = ["system"], commands = ["say", "sing"], permissions = {} } = options;
  const { token } = server;
  const peer = await connectPeer(server.wsUrl, {
    minProtocol: protocol,
    maxProtocol: protocol,
    client: { displayName },
    role: "node",
    scopes: [],
    caps,
    commands,
    permissions,
    pathEnv: "/usr/bin",
    auth: { token },
    device: (challenge) => device.prove(challenge, { token, role: "node" }),
  });
  return Object.assign(peer, { nodeId: device.id, device });
}

/** A node whose whole offer has been approved by that operator. */
export async function connectApprovedNode(
  server: { readonly wsUrl: string; readonly token: string },
  operator: Connected,
  options: NodeOptions = {},
): Promise<TestNode> {
  const node = await connectNode(server, options);
  const { pending } = await operator.ask("node.pair.list", {});
  const mine = pending.find((request: { nodeId: string }) => request.nodeId === node.nodeId);
  await operator.ask("node.pair.approve", { requestId: mine.requestId });
  return node;
}

/** Requests that reached the node, oldest first. */
export function requestsTo(node: TestNode): readonly Frame["payload"][] {
  return node.frames
    .filter(({ event }) => event === "node.invoke.request")
    .map(({ payload }) => payload);
}

export async function answer(
  node: TestNode,
  request: { readonly id: string },
  said: Readonly<Record<string, unknown>> = { payload: { said: true } },
): Promise<Frame> {
  const { nodeId } = node;
  return node.request("node.invoke.result", { id: request.id, nodeId, ok: true, ...said });
}

/** What `node.invoke` is asked with, under a key of its own. */
export function invocation(
  nodeId: string,
  command: string,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return { nodeId, command, idempotencyKey: randomUUID(), ...more };
}

/** Resolves once that server knows it as connected and approved. */
export async function untilConnected(operator: Connected, nodeId: string): Promise<void> {
  for (;;) {
    const { payload } = await operator.request("node.describe", { nodeId });
    if (payload?.connected === true && payload.commands.length > 0) return;
    await setTimeout(20);
  }
}

/** A socket's end is known to its server a moment later than to who ended it. */
export async function untilGone(operator: Connected, nodeId: string): Promise<void> {
  while ((await operator.ask("node.describe", { nodeId })).connected === true);
}
