/**
 * A runtime whose agent cannot reach MCP servers by itself, with their tools: they are opened for each turn, offered
 * beside ours, and gone with the turn.
 *
 *   turn -> servers opened, each in its own time -> their tools in the host -> the runtime's turn -> servers closed
 *
 * In a workspace a server that is a program is confined like every program there. Whether people are asked about a call
 * depends on that and on the agent's preset (docs/decisions/0054).
 */
import { openProgram, type ProgramDeps } from "../process/program.ts";
import { allows, type PermissionsOf } from "../process/workspace-preset.ts";
import type { EquippedServer } from "../settings/mcp-server-settings.ts";
import {
  readPermission,
  type AgentRuntime,
  type ToolDeclaration,
  type ToolResult,
  type Turn,
  type TurnEvent,
  type TurnHost,
} from "../turn/agent-runtime.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import { openHttpLink } from "./http-link.ts";
import { McpServerFailure, type McpLink } from "./mcp-link.ts";
import { McpServer, PROTOCOL_VERSION } from "./mcp-server.ts";
import { openStdioLink } from "./stdio-link.ts";

export interface McpRuntimeDeps extends ProgramDeps {
  /** What an agent may do without asking; left out: everything that stays in the sandbox. */
  readonly permissionsOf?: PermissionsOf | undefined;
}

/** Where programs of servers work, and what they get besides their own variables. */
export interface McpPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

interface OpenServer {
  readonly settings: EquippedServer;
  readonly server: McpServer;
}

interface OfferedTool {
  readonly declaration: ToolDeclaration;
  readonly name: string;
  readonly at: OpenServer;
}

export function withMcpTools(
  runtime: AgentRuntime,
  servers: readonly EquippedServer[],
  place: McpPlace,
  deps: McpRuntimeDeps,
): AgentRuntime {
  return {
    ...runtime,
    async *start(turn, host) {
      const opened = await Promise.all(
        servers.map((each) => open(each, place, { turn, host }, deps)),
      );
      const ready = opened.filter((each) => typeof each !== "string");
      try {
        if (!host.signal.aborted) yield* notesOf(opened.filter((each) => typeof each === "string"));
        yield* runtime.start(turn, hostWith(ready, turn, host, deps));
      } finally {
        await Promise.all(ready.map(({ server }) => server.close()));
      }
    },
  };
}

function* notesOf(problems: readonly string[]): Generator<TurnEvent> {
  for (const problem of problems) yield { type: "text", delta: `${problem}\n\n` };
}

/** A text says why the turn goes on without it. */
async function open(
  settings: EquippedServer,
  place: McpPlace,
  about: { readonly turn: Turn; readonly host: TurnHost },
  deps: McpRuntimeDeps,
): Promise<OpenServer | string> {
  const { signal } = about.host;
  try {
    signal.throwIfAborted();
    const link = await connect(settings, place, about, deps);
    return { settings, server: await McpServer.open(link, deps.timers, signal) };
  } catch (cause) {
    const why = cause instanceof McpServerFailure ? cause.message : "was stopped";
    if (!(cause instanceof McpServerFailure) && !signal.aborted) throw cause;
    return `The MCP server "${settings.name}" ${why}. This answer does without it.`;
  }
}

async function connect(
  settings: EquippedServer,
  { cwd, env }: McpPlace,
  about: { readonly turn: Turn; readonly host: TurnHost },
  deps: McpRuntimeDeps,
): Promise<McpLink> {
  if ("url" in settings) return openHttpLink(settings, PROTOCOL_VERSION);
  const { command, args, readable = [] } = settings;
  const program = {
    command: [command, ...args],
    cwd,
    env: { ...env, ...settings.env },
    sandbox: { readable: [...readable] },
  };
  const opened = await openProgram(program, about, deps);
  if (!opened.ok) throw new McpServerFailure(`cannot be started: ${opened.reason}`);
  return openStdioLink(command, opened.child);
}

function hostWith(
  servers: readonly OpenServer[],
  turn: Turn,
  host: TurnHost,
  deps: McpRuntimeDeps,
): TurnHost {
  const offered = new Map<string, OfferedTool>();
  for (const at of servers) {
    for (const { name, description, input } of at.server.tools) {
      const seen = `mcp__${at.settings.name}__${name}`;
      offered.set(seen, { declaration: { name: seen, description, input }, name, at });
    }
  }
  return {
    ...host,
    tools: [...host.tools, ...[...offered.values()].map(({ declaration }) => declaration)],
    async callTool(seen, input, signal, callId) {
      const tool = offered.get(seen);
      if (tool === undefined) return host.callTool(seen, input, signal, callId);
      const either = signal === undefined ? host.signal : AbortSignal.any([host.signal, signal]);
      return callMcpTool(tool, input, { turn, host, signal: either }, deps);
    },
  };
}

async function callMcpTool(
  { name, at, declaration }: OfferedTool,
  input: unknown,
  {
    turn,
    host,
    signal,
  }: { readonly turn: Turn; readonly host: TurnHost; readonly signal: AbortSignal },
  deps: McpRuntimeDeps,
): Promise<ToolResult> {
  const { settings, server } = at;
  if (mustAsk(settings, turn, deps)) {
    const request = { tool: declaration.name, input, ...whereabouts(settings, turn) };
    const answer = readPermission(
      await untilAborted(signal, host.requestPermission(request, signal)),
    );
    if (answer.permission !== "allowed") {
      const why = answer.note === undefined ? "" : ` They said: ${answer.note}`;
      return { text: `Nobody allowed this call, so it was not made.${why}`, isError: true };
    }
  }
  try {
    return await server.call(name, input, signal);
  } catch (cause) {
    if (!(cause instanceof McpServerFailure)) throw cause;
    return { text: `The MCP server "${settings.name}" ${cause.message}.`, isError: true };
  }
}

/** Only what stays in the sandbox of a workspace is not asked. */
function mustAsk(
  server: EquippedServer,
  { workspace, agent }: Turn,
  deps: McpRuntimeDeps,
): boolean {
  const isConfined = workspace !== undefined && "command" in server;
  return !isConfined || !allows(deps.permissionsOf?.(agent.id) ?? "sandbox", "confined");
}

function whereabouts(server: EquippedServer, { workspace }: Turn): { cwd?: string; host?: string } {
  if ("url" in server) return { host: URL.parse(server.url)?.host ?? server.url };
  return workspace === undefined ? {} : { cwd: workspace.folder };
}
