/**
 * Nodes as a channel: a message is sent by one of the node's own commands, and is delivered once the node
 * confirms it. The address is the node's id or its name.
 */
import { accept, refuse, type NodeRow, type Nodes } from "@atrium/core";
import type { Channel, OutgoingMessage } from "../../../channels/channel.ts";
import type { Invocations } from "./invocations.ts";

export interface NodeChannelDeps {
  readonly nodes: Pick<Nodes, "get" | "list">;
  readonly invoker: Pick<Invocations, "invoke">;
  readonly newId: () => string;
}

type Wording = (message: OutgoingMessage) => Readonly<Record<string, string>>;

/** Commands that show a person a message, the best first. */
const MESSAGE_COMMANDS: ReadonlyMap<string, Wording> = new Map<string, Wording>([
  ["message.send", ({ to, text, from }) => ({ to, text, from })],
  ["system.notify", ({ text, from }) => ({ title: from, body: text })],
]);

export function createNodeChannel({ nodes, invoker, newId }: NodeChannelDeps): Channel {
  const find = (to: string): NodeRow | undefined =>
    nodes.get(to) ?? nodes.list().find((row) => nameOf(row) === to.trim().toLowerCase());

  return {
    id: "node",
    label: "Node",
    async deliver(message) {
      const row = find(message.to);
      if (row === undefined) return refuse("node.unknown", message.to);
      const offered = row.approved?.surface.commands ?? [];
      const command = [...MESSAGE_COMMANDS.keys()].find((name) => offered.includes(name));
      const words = command === undefined ? undefined : MESSAGE_COMMANDS.get(command);
      if (command === undefined || words === undefined) {
        return refuse("channel.incapable", `${message.to} offers no message command`);
      }
      const { nodeId } = row;
      const messageId = message.key?.id ?? newId();
      const params = words(message);
      const request = { nodeId, command, params, idempotencyKey: messageId };
      const done = await invoker.invoke(request, message.key, `channel:${messageId}`);
      if (!done.ok) return done;
      if (done.value.status === "done") return accept({ messageId, to: nodeId });
      return refuse("channel.failed", describe(done.value));
    },
  };
}

function nameOf({ name, approved }: NodeRow): string | undefined {
  return (name ?? approved?.info.displayName)?.toLowerCase();
}

function describe(
  outcome:
    | { readonly status: "refused"; readonly message: string | null }
    | { readonly status: "cut"; readonly by: string },
): string {
  return outcome.status === "cut" ? outcome.by : (outcome.message ?? "the node refused");
}
