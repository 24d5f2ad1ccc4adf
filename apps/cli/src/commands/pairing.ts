/** `atrium devices` and `atrium nodes`: pairing requests and paired devices: approve, reject and remove them. */
import type { CallResult, GatewayClient } from "@atrium/client";
import { command, type Command } from "../command-line/command.ts";
import { SERVER_OPTIONS } from "../command-line/read-args.ts";
import type { CommandResult, Subcommands } from "../command-line/subcommands.ts";
import { columns } from "../terminal/columns.ts";
import { ago } from "../terminal/measures.ts";
import type { Paint } from "../terminal/paint.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { chooseRow, runSubcommand } from "./run-subcommand.ts";

/** One of either kind, waiting or let in. */
interface Row {
  /** What approving and rejecting go by; of those let in, what removing goes by. */
  readonly id: string;
  /** Of the machine itself. */
  readonly machine: string;
  readonly name: string;
  readonly wants: string;
  readonly sinceMs: number;
  readonly isConnected: boolean;
}

interface Lists {
  readonly json: unknown;
  readonly pending: readonly Row[];
  readonly paired: readonly Row[];
}

interface PairingKind {
  /** `device` or `node`. */
  readonly one: string;
  readonly about: string;
  readonly list: (client: GatewayClient) => Promise<Lists>;
  readonly approve: (client: GatewayClient, requestId: string) => Promise<unknown>;
  readonly reject: (client: GatewayClient, requestId: string) => Promise<unknown>;
  readonly remove: (client: GatewayClient, id: string) => Promise<unknown>;
}

/** Enough of an id to tell it from others. */
const SHORT_ID = 12;
const NAME_LENGTH = 40;
const WANTS_LENGTH = 60;

export const devices: Command = pairingCommand({
  one: "device",
  about: "programs and phones with a key of their own",
  async list(client) {
    const json = await client.call("device.pair.list", {});
    type Device = CallResult<"device.pair.list">["paired"][number];
    const named = ({
      displayName,
      clientId,
      platform,
    }: Pick<Device, "displayName" | "clientId" | "platform">) =>
      [displayName ?? clientId ?? "", platform].filter(Boolean).join(", ");
    return {
      json,
      pending: json.pending.map((each) => ({
        id: each.requestId,
        machine: each.deviceId,
        name: named(each),
        wants: [...each.roles, ...each.scopes].join(" "),
        sinceMs: each.ts,
        isConnected: false,
      })),
      paired: json.paired.map((each) => ({
        id: each.deviceId,
        machine: each.deviceId,
        name: named(each),
        wants: [...each.roles, ...each.scopes].join(" "),
        sinceMs: each.approvedAtMs,
        isConnected: each.connected,
      })),
    };
  },
  approve: (client, requestId) => client.call("device.pair.approve", { requestId }),
  reject: (client, requestId) => client.call("device.pair.reject", { requestId }),
  remove: (client, deviceId) => client.call("device.pair.remove", { deviceId }),
});

export const nodes: Command = pairingCommand({
  one: "node",
  about: "machines that offer commands",
  async list(client) {
    const [json, { nodes: known }] = await Promise.all([
      client.call("node.pair.list", {}),
      client.call("node.list", {}),
    ]);
    const connected = new Set(known.filter((each) => each.connected).map(({ nodeId }) => nodeId));
    type Node = CallResult<"node.pair.list">["paired"][number];
    const rowOf = (node: Pick<Node, "nodeId" | "displayName" | "platform" | "commands">) => ({
      machine: node.nodeId,
      name: [node.displayName ?? "", node.platform].filter(Boolean).join(", "),
      wants: node.commands.join(" "),
      isConnected: connected.has(node.nodeId),
    });
    return {
      json,
      pending: json.pending.map((each) => ({
        ...rowOf(each),
        id: each.requestId,
        sinceMs: each.ts,
      })),
      paired: json.paired.map((each) => ({
        ...rowOf(each),
        id: each.nodeId,
        sinceMs: each.approvedAtMs,
      })),
    };
  },
  approve: (client, requestId) => client.call("node.pair.approve", { requestId }),
  reject: (client, requestId) => client.call("node.pair.reject", { requestId }),
  remove: (client, nodeId) => client.call("node.pair.remove", { nodeId }),
});

function pairingCommand(kind: PairingKind): Command {
  const name = `${kind.one}s`;
  const subcommands = subcommandsAt(kind);
  return command({
    name,
    calls: [
      [`${name} [list]`, `list ${kind.about}: open requests and paired ones`],
      [`${name} approve ID`, "approve a request; the start of its id is enough"],
      [`${name} reject ID`, "reject a request"],
      [`${name} remove ID`, "remove a paired one"],
    ],
    options: { json: { type: "boolean", help: "print JSON" }, ...SERVER_OPTIONS },
    examples: [`atrium ${name} approve 3f1c`],
    takesWords: true,
    run: (given, environment) => runSubcommand(name, subcommands, given, environment),
  });
}

function subcommandsAt(kind: PairingKind): Subcommands {
  const settle =
    (
      which: "pending" | "paired",
      act: (client: GatewayClient, id: string) => Promise<unknown>,
      done: string,
    ) =>
    async (client: GatewayClient, [given = ""]: readonly string[]): Promise<CommandResult> => {
      const lists = await kind.list(client);
      const row = choose(kind, lists[which], given);
      const json = await act(client, row.id);
      const name = plainLine(row.name === "" ? row.machine : row.name, NAME_LENGTH);
      return { json, text: () => `${name} ${done}.\n` };
    };
  return {
    list: { takes: [], run: async (client) => renderLists(kind, await kind.list(client)) },
    approve: { takes: ["ID"], run: settle("pending", kind.approve, "is approved") },
    reject: { takes: ["ID"], run: settle("pending", kind.reject, "is rejected") },
    remove: { takes: ["ID"], run: settle("paired", kind.remove, "is removed") },
  };
}

/** By its id or the machine's, or the beginning of either. */
function choose({ one }: PairingKind, rows: readonly Row[], given: string): Row {
  const found = rows.filter(({ id, machine }) =>
    [id, machine].some((each) => each.startsWith(given)),
  );
  return chooseRow(`${one}s`, `No such ${one}`, given, found);
}

function renderLists(kind: PairingKind, { json, pending, paired }: Lists): CommandResult {
  const name = `${kind.one}s`;
  return {
    json,
    text(paint, now) {
      const isEmpty = pending.length + paired.length === 0;
      if (isEmpty) return `No ${name} and no open requests.\n`;
      const section = (title: string, rows: readonly Row[]): string =>
        rows.length === 0
          ? ""
          : `${paint.strong(title)}\n${columns(rows.map((row) => cellsOf(row, paint, now)))}`;
      const advice = pending.length === 0 ? "" : paint.quiet(`→ atrium ${name} approve ID\n`);
      const parts = [section("Waiting for you", pending) + advice, section("Paired", paired)];
      return parts.filter((part) => part !== "").join("\n");
    },
  };
}

function cellsOf(
  { id, name, wants, sinceMs, isConnected }: Row,
  paint: Paint,
  now: number,
): string[] {
  return [
    id.slice(0, SHORT_ID),
    plainLine(name, NAME_LENGTH),
    paint.quiet(plainLine(wants, WANTS_LENGTH)),
    paint.quiet(ago(now - sinceMs)),
    isConnected ? paint.good("connected") : "",
  ];
}
