/**
 * What connected nodes offer, as tools for agents: one for each command that is offered, approved and not for admins
 * only. They are there while their node is.
 *
 *   tool call -> people are asked, where the command is theirs to allow -> invoker (durable) -> the node
 *
 * Whatever rules the node itself has hold besides. A name that was given out stays its command's, so that an agent in the middle of a turn is told that the node has
 * gone, and not that there never was such a tool.
 */
import { BoundedMap, type NodeRow, type Nodes } from "@atrium/core";
import { readPermission, type ToolResult } from "../../../agents/turn/agent-runtime.ts";
import type { ToolCallContext } from "../../../runs/agent-policy.ts";
import type { TurnHumanInput } from "../../../runs/run-driver.ts";
import { defineToolFor, objection, refusedResult } from "../../../tools/define-tool.ts";
import type { Tool, ToolSource } from "../../../tools/toolbox.ts";
import { isForAgents, mustBeAskedFor } from "./command-scopes.ts";
import { whyFailed } from "./invoke-reply.ts";
import type { Invoker } from "./invoker.ts";
import { knownCommand } from "./known-commands.ts";
import type { LiveNode, LiveNodes } from "./live-nodes.ts";

export interface NodeToolsDeps {
  readonly nodes: Pick<Nodes, "get">;
  readonly live: Pick<LiveNodes, "list">;
  readonly invoker: Pick<Invoker, "invoke" | "left">;
  readonly humanInput: Pick<TurnHumanInput, "requestPermission">;
  readonly newId: () => string;
}

/** One command of one node. */
interface Offered {
  readonly nodeId: string;
  readonly nodeName: string;
  readonly command: string;
}

export const NODE_TOOL_PREFIX = "node_";

const MAX_NAME_CHARS = 64;
const MAX_NODE_NAME_CHARS = 24;
const SHORT_ID = 6;
const MAX_REMEMBERED = 1_000;
const TIMEOUT_MS = 2 * 60_000;
/** More would crowd out everything else an agent knows. */
const MAX_RESULT_CHARS = 100_000;

export function createNodeTools(deps: NodeToolsDeps): ToolSource {
  let listed = new Set<Offered>();
  const named = new BoundedMap<string, Offered>(MAX_REMEMBERED, {
    mayEvict: (offered) => !listed.has(offered),
  });

  function nameOf(offered: Offered, slug: string): string {
    const wished = `${NODE_TOOL_PREFIX}${slug}_${plain(offered.command)}`.slice(0, MAX_NAME_CHARS);
    for (let n = 1; ; n++) {
      const name = n === 1 ? wished : `${wished.slice(0, MAX_NAME_CHARS - 4)}_${n}`;
      const holder = named.get(name);
      if (holder !== undefined && !isSame(holder, offered)) continue;
      listed.add(offered);
      named.setNewest(name, offered);
      return name;
    }
  }

  function list(): readonly Tool[] {
    listed = new Set();
    const here = deps.live.list().map((live) => ({ live, row: deps.nodes.get(live.nodeId) }));
    const slugs = slugsOf(here.map(({ live, row }) => [live.nodeId, displayName(live, row)]));
    const tools = here.flatMap(({ live, row }) =>
      usable(live, row).map((command) => {
        const { nodeId } = live;
        const offered = { nodeId, nodeName: displayName(live, row), command };
        return toolOf(nameOf(offered, slugs.get(nodeId) ?? plain(nodeId)), offered, deps);
      }),
    );
    return tools;
  }

  return {
    list,
    find(name) {
      if (!name.startsWith(NODE_TOOL_PREFIX)) return undefined;
      const offered = named.get(name);
      return offered === undefined ? undefined : toolOf(name, offered, deps);
    },
  };
}

function toolOf(name: string, offered: Offered, deps: NodeToolsDeps): Tool {
  const { command, nodeName } = offered;
  const { description, input } = knownCommand(command);
  const isAsked = mustBeAskedFor(command);
  return defineToolFor(input, {
    name,
    description: `${description} on the node "${nodeName}".${isAsked ? " People are asked first." : ""}`,
    ...(isAsked && { waitsForPeople: true }),
    async call(given, context) {
      const refusal = isAsked ? await whyNot(name, offered, given, context, deps) : undefined;
      return refusal ?? run(offered, given, context, deps);
    },
  });
}

/** Undefined when a person has allowed it. */
async function whyNot(
  tool: string,
  { nodeId, command, nodeName }: Offered,
  input: unknown,
  { key, runId, agentId, signal }: ToolCallContext,
  { humanInput }: NodeToolsDeps,
): Promise<ToolResult | undefined> {
  if (runId === null) {
    return objection(`${command} needs a person's permission, which is asked in a turn only.`);
  }
  const details = `${command} on the node "${nodeName}"`;
  const request = { tool, input, details, host: "node", nodeId };
  const answer = await humanInput.requestPermission({ key, runId, agentId }, request, signal);
  const { permission, note } = readPermission(answer);
  switch (permission) {
    case "allowed":
      return undefined;
    case "denied":
      return objection(
        `A person said no to ${command} on ${nodeName}${note === undefined ? "." : `: ${note}`}`,
      );
    case "expired":
      return objection(`Nobody allowed ${command} on ${nodeName} in time.`);
  }
}

async function run(
  { nodeId, nodeName, command }: Offered,
  params: unknown,
  { key: conversationKey, signal }: ToolCallContext,
  { invoker, newId }: NodeToolsDeps,
): Promise<ToolResult> {
  const id = newId();
  const callerId = `tool:${id}`;
  const leave = (): void => invoker.left(callerId);
  signal.addEventListener("abort", leave, { once: true });
  try {
    signal.throwIfAborted();
    const timeoutMs = patience(params);
    const asked = { nodeId, command, params, timeoutMs, idempotencyKey: id, conversationKey };
    const done = await invoker.invoke(asked, undefined, callerId);
    if (!done.ok) {
      const isGone = done.code === "node.offline";
      return isGone
        ? objection(`The node "${nodeName}" is not connected any more.`)
        : refusedResult(done);
    }
    if (done.value.status !== "done") return objection(whyFailed(done.value));
    const text =
      "payloadJson" in done.value ? done.value.payloadJson : JSON.stringify(done.value.payload);
    return { text: shorten(text), isError: false };
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** A command that says how long it may take is waited for a little longer. */
function patience(params: unknown): number {
  const own = typeof params === "object" && params !== null && "timeoutMs" in params;
  const wanted = own && typeof params.timeoutMs === "number" ? params.timeoutMs + 5_000 : 0;
  return Math.max(TIMEOUT_MS, wanted);
}

/** What is agreed to and still offered, and not for admins only. */
function usable({ declared }: LiveNode, row: NodeRow | undefined): readonly string[] {
  const approved = row?.approved?.surface.commands ?? [];
  return declared.commands.filter((command) => approved.includes(command) && isForAgents(command));
}

function displayName({ nodeId, member }: LiveNode, row: NodeRow | undefined): string {
  return row?.name ?? member.params.client.displayName ?? nodeId.slice(0, SHORT_ID);
}

/** Nodes of the same name are told apart by their ids. */
function slugsOf(nodes: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const bySlug = Map.groupBy(nodes, ([, name]) => plain(name).slice(0, MAX_NODE_NAME_CHARS));
  return new Map(
    [...bySlug].flatMap(([slug, alike]) =>
      alike.map(([nodeId]) => [
        nodeId,
        alike.length === 1 && slug !== "" ? slug : `${slug}_${nodeId.slice(0, SHORT_ID)}`,
      ]),
    ),
  );
}

/** In letters that every provider of models allows. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
}

function isSame(one: Offered, other: Offered): boolean {
  return one.nodeId === other.nodeId && one.command === other.command;
}

function shorten(text: string): string {
  if (text.length <= MAX_RESULT_CHARS) return text;
  return `${text.slice(0, MAX_RESULT_CHARS)}\n(${text.length - MAX_RESULT_CHARS} more characters were left out.)`;
}
