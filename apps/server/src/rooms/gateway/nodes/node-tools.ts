/**
 * The commands of connected nodes as tools for agents: one for each command that is offered, approved and not
 * for admins only. They exist while their node is connected.
 *
 *   tool call -> a person is asked, where the command needs permission -> invoker (durable) -> the node
 *
 * The node's own rules apply as well. A tool name stays with its command, so that an agent in the
 * middle of a turn learns that the node has disconnected, and not that the tool does not exist.
 */
import { BoundedMap, type NodeRow, type Nodes } from "@atrium/core";
import { readPermission, type ToolResult } from "../../../agents/turn/agent-runtime.ts";
import type { ToolCallContext } from "../../../runs/agent-policy.ts";
import type { TurnHumanInput } from "../../../runs/run-driver.ts";
import { defineToolFor, objection, refusedResult } from "../../../tools/define-tool.ts";
import type { Tool, ToolSource } from "../../../tools/toolbox.ts";
import { isForAgents, mustBeAskedFor } from "./command-scopes.ts";
import type { Invocations } from "./invocations.ts";
import { whyFailed } from "./invoke-reply.ts";
import { knownCommand } from "./known-commands.ts";
import type { LiveNode, LiveNodes } from "./live-nodes.ts";

export interface NodeToolsDeps {
  readonly nodes: Pick<Nodes, "get">;
  readonly live: Pick<LiveNodes, "list">;
  readonly invoker: Invocations;
  readonly humanInput: Pick<TurnHumanInput, "requestPermission">;
  readonly newId: () => string;
}

/** One command of one node. */
interface NodeCommand {
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
/** More would crowd out the rest of an agent's context. */
const MAX_RESULT_CHARS = 100_000;

export function createNodeTools(deps: NodeToolsDeps): ToolSource {
  let listed = new Set<NodeCommand>();
  const named = new BoundedMap<string, NodeCommand>(MAX_REMEMBERED, {
    mayEvict: (target) => !listed.has(target),
  });

  function nameOf(target: NodeCommand, slug: string): string {
    const wished = `${NODE_TOOL_PREFIX}${slug}_${plain(target.command)}`.slice(0, MAX_NAME_CHARS);
    for (let n = 1; ; n++) {
      const name = n === 1 ? wished : `${wished.slice(0, MAX_NAME_CHARS - 4)}_${n}`;
      const holder = named.get(name);
      if (holder !== undefined && !isSame(holder, target)) continue;
      listed.add(target);
      named.setNewest(name, target);
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
        const target = { nodeId, nodeName: displayName(live, row), command };
        return toolOf(nameOf(target, slugs.get(nodeId) ?? plain(nodeId)), target, deps);
      }),
    );
    return tools;
  }

  return {
    list,
    find(name) {
      if (!name.startsWith(NODE_TOOL_PREFIX)) return undefined;
      const target = named.get(name);
      return target === undefined ? undefined : toolOf(name, target, deps);
    },
  };
}

function toolOf(name: string, target: NodeCommand, deps: NodeToolsDeps): Tool {
  const { command, nodeName } = target;
  const { description, input } = knownCommand(command);
  const isAsked = mustBeAskedFor(command);
  return defineToolFor(input, {
    name,
    description: `${description} on the node "${nodeName}".${isAsked ? " People are asked first." : ""}`,
    ...(isAsked && { waitsForPeople: true }),
    mayWrite: true,
    async call(given, context) {
      const refusal = isAsked ? await whyNot(name, target, given, context, deps) : undefined;
      return refusal ?? run(target, given, context, deps);
    },
  });
}

/** Undefined when a person has allowed it. */
async function whyNot(
  tool: string,
  { nodeId, command, nodeName }: NodeCommand,
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
  { nodeId, nodeName, command }: NodeCommand,
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
    const request = { nodeId, command, params, timeoutMs, idempotencyKey: id, conversationKey };
    const done = await invoker.invoke(request, undefined, callerId);
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

/** A command with a timeout of its own is given a little longer than that. */
function patience(params: unknown): number {
  const own = typeof params === "object" && params !== null && "timeoutMs" in params;
  const wanted = own && typeof params.timeoutMs === "number" ? params.timeoutMs + 5_000 : 0;
  return Math.max(TIMEOUT_MS, wanted);
}

/** The commands that are approved, still offered, and not for admins only. */
function usable({ declared }: LiveNode, row: NodeRow | undefined): readonly string[] {
  const approved = row?.approved?.surface.commands ?? [];
  return declared.commands.filter((command) => approved.includes(command) && isForAgents(command));
}

function displayName({ nodeId, client }: LiveNode, row: NodeRow | undefined): string {
  return row?.name ?? client.displayName ?? nodeId.slice(0, SHORT_ID);
}

/** Nodes of the same name are distinguished by their ids. */
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

/** In the characters that every model provider allows. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
}

function isSame(one: NodeCommand, other: NodeCommand): boolean {
  return one.nodeId === other.nodeId && one.command === other.command;
}

function shorten(text: string): string {
  if (text.length <= MAX_RESULT_CHARS) return text;
  return `${text.slice(0, MAX_RESULT_CHARS)}\n(${text.length - MAX_RESULT_CHARS} more characters were left out.)`;
}
