import { presetOf, type PermissionsOf } from "../../process/workspace-preset.ts";
/**
 * Starts Claude processes: opens the MCP server for our tools, and puts together what the process is given. Of the server's
 * environment that is only what the settings name.
 */
import { createSkillPlugins, type SkillPlugins } from "../../skills/skill-plugin.ts";
import type { ToolDeclaration, ToolResult, Turn, TurnHost } from "../../turn/agent-runtime.ts";
import type {
  OpenMcpToolServer,
  McpToolServer,
  McpToolServerOptions,
} from "../../turn/mcp-tool-server.ts";
import { secretsIn } from "../../turn/redact.ts";
import { nameTools } from "../../turn/tool-names.ts";
import { markOf, SESSION_VARIABLE } from "../process/mark.ts";
import type { PoolDeps, Running } from "../process/process-pool.ts";
import { isMarked, killMarked } from "../process/process-tree.ts";
import { createToolWatch } from "../process/tool-watch.ts";
import { withReply } from "../protocol/bridge-reply.ts";
import { ClaudeUnusable, type ClaudeProcess, type Launch } from "../protocol/claude-process.ts";
import { claudeSessionId } from "../protocol/claude-session-id.ts";
import type { ClaudeSettings, TransportName } from "../protocol/claude-settings.ts";
import { TOOL_SERVER } from "../protocol/command-line.ts";
import { startBridgeProgram } from "./bridge-program.ts";
import { BridgedClaude, type BridgePorts } from "./bridged.ts";
import { createChannelPermissions, type ChannelPermissions } from "./channel-permissions.ts";
import { createTransportChoice } from "./choose-transport.ts";
import { HeadlessClaude } from "./headless.ts";
import { openHooksServer, type HooksServer, type OnGuess } from "./hooks-server.ts";

export interface LaunchRequest {
  readonly turn: Turn;
  readonly tools: readonly ToolDeclaration[];
  readonly transport: TransportName;
  /** Of the turn's skills. */
  readonly skillPlugin?: string | undefined;
}

export interface Starter {
  /** The one of the settings; where that is `auto`, the one that is right now. */
  readonly transport: () => Promise<TransportName>;
  signatureOf(wish: LaunchRequest): string;
  start(wish: LaunchRequest & { readonly isResumed: boolean }): Promise<Running>;
  close(): Promise<void>;
}

/** What programs on the bridge may do beside a turn, in this conversation and as this agent. */
export type OpenBridgePorts = (
  conversationKey: string,
  agent: { readonly id: string },
) => BridgePorts;

export interface StarterDeps extends PoolDeps {
  readonly settings: ClaudeSettings;
  /** Of the server's, which no agent that has a workspace may reach. */
  readonly secretFolders?: readonly string[] | undefined;
  /** What agents may do in their workspaces without asking. */
  readonly permissionsOf?: PermissionsOf | undefined;
  /** Left out: nobody is reached by the bridge alone. */
  readonly openBridgePorts?: OpenBridgePorts | undefined;
  /** Left out: Claude Code has its own tools only. */
  readonly openMcpToolServer?: OpenMcpToolServer | undefined;
  readonly newSecret: () => string;
  readonly onGuess?: OnGuess | undefined;
  /** Has the secrets of the paths that hooks arrive at. */
  readonly hookSecrets?: Set<string> | undefined;
}

const EFFORTS = new Map([
  ["minimal", "low"],
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["xhigh", "xhigh"],
  ["max", "max"],
]);
const NO_BRIDGE = `This transport needs the bridge, which is not open here. Use "transport": "headless" or "interactive".`;
/** What the plugin tells Claude about who reads its words depends on it. */
const TRANSPORT_VARIABLE = "SYNTHESIS_TRANSPORT";
/** Of a turn's environment, what tells a program what it works on. */
const OWN_VARIABLE = /^TIDY_|^ATRIUM_(?:PROJECT|TASK|BUILD)_ID$/;
const PREFIX = `mcp__${TOOL_SERVER}__`;

export function createStarter(deps: StarterDeps): Starter {
  const { settings, openMcpToolServer, after, now } = deps;
  const opener = createOpener(deps);
  const plugins = createSkillPlugins();
  return {
    transport: createTransportChoice(settings, now),
    signatureOf: (wish) => signatureOf(deps, wish),
    async start(wish) {
      const { conversation } = wish.turn;
      const claudeSession = claudeSessionId(conversation);
      const secrets = new Set<string>();
      const bridged = wish.transport === "bridge" ? openBridged(deps, wish, secrets) : undefined;
      const channel = createChannelPermissions({ after, now });
      const tools = nameTools(bridged === undefined ? wish.tools : withReply(wish.tools));
      let host: TurnHost | undefined;
      const mark = markOf({ ...settings.env, [SESSION_VARIABLE]: claudeSession });
      const watch = createToolWatch({ after, isAlive: (pid) => isMarked(pid, mark) });
      const mcpServer = await openMcpToolServer?.({
        conversationKey: conversation.key,
        claudeSession,
        tools: tools.declarations,
        callTool(seen, input, signal) {
          const name = tools.nameOf(seen);
          if (bridged === undefined) return callFor(host, name, input, signal);
          return bridged.callTool(name, input, (one) => callFor(one, name, input, signal));
        },
        onFound(pid) {
          watch.found(pid);
          bridged?.connected();
        },
        onLost: watch.lost,
        isByHand: settings.isByHand,
        ...talkOf(wish, bridged ?? channel),
      });
      const equipped = { ...wish, skillPlugin: await pluginFor(plugins, wish.turn) };
      const launch = launchOf(deps, equipped, wish.isResumed, mcpServer);
      for (const secret of secretsIn(launch.env)) secrets.add(secret);
      // A server that was killed may have left some behind, and a session is for one process.
      if (!settings.isByHand) await killMarked(mark);
      channel.reply = (code, behavior) => mcpServer?.replyPermission?.(code, behavior);
      const process = await opener
        .open({ launch, wish, mcpServer, channel, bridged })
        .catch(async (cause: unknown) => {
          await mcpServer?.close();
          throw cause;
        });
      watch.onDead(() => process.loseTools());
      return {
        process,
        signature: this.signatureOf(wish),
        secrets: [...secrets],
        attach(next) {
          host = next;
          bridged?.attach(next);
          return {
            nameOf: (seen) =>
              seen.startsWith(PREFIX) ? tools.nameOf(seen.slice(PREFIX.length)) : seen,
            [Symbol.dispose]() {
              host = undefined;
              bridged?.attach(undefined);
            },
          };
        },
        async stop() {
          watch.stop();
          await process.stop();
          await mcpServer?.close();
        },
      };
    },
    async close() {
      await opener.close();
      await plugins[Symbol.asyncDispose]();
    },
  };
}

/** Of what a process is started with. */
function signatureOf(deps: StarterDeps, wish: LaunchRequest): string {
  const launch = launchOf(deps, wish, true);
  const { model, effort, instructions, env, cwd, confinement } = launch;
  const { transport, tools, turn } = wish;
  const preset = confinement?.preset;
  const all = [transport, model, effort, instructions, env, tools, cwd, turn.skills, preset];
  return JSON.stringify(all);
}

async function pluginFor(
  plugins: SkillPlugins,
  { skills = [] }: Turn,
): Promise<string | undefined> {
  return skills.length === 0 ? undefined : plugins.folderFor(skills);
}

interface Opening {
  readonly launch: Launch;
  readonly wish: LaunchRequest;
  readonly mcpServer: McpToolServer | undefined;
  readonly channel: ChannelPermissions;
  readonly bridged: BridgedClaude | undefined;
}

function createOpener({ settings, newSecret, onGuess, hookSecrets, after }: StarterDeps) {
  let hooks: Promise<HooksServer> | undefined;
  return {
    async open({ launch, wish, mcpServer, channel, bridged }: Opening): Promise<ClaudeProcess> {
      const { transport } = wish;
      if (transport === "headless") return new HeadlessClaude(launch, after);
      if (bridged !== undefined && mcpServer?.deliver !== undefined) {
        bridged.open(mcpServer, settings.isByHand ? undefined : startBridgeProgram(launch));
        return bridged;
      }
      const deliver = transport === "interactive" ? undefined : mcpServer?.deliver;
      if (transport !== "interactive" && deliver === undefined) {
        throw new ClaudeUnusable(NO_BRIDGE);
      }
      hooks ??= openHooksServer(newSecret, onGuess, hookSecrets);
      // The terminal is loaded by who needs one.
      const { openInteractive } = await import("./interactive.ts");
      // In a workspace nothing of the folder's is run, so that there is nothing to trust.
      const isFolderTrusted = settings.isFolderNamed || launch.confinement !== undefined;
      return openInteractive(launch, { hooks: await hooks, isFolderTrusted, deliver, channel });
    },
    async close(): Promise<void> {
      await (await hooks)?.close();
    },
  };
}

function openBridged(
  { settings, openBridgePorts, after, now }: StarterDeps,
  { turn: { conversation, agent, workspace } }: LaunchRequest,
  secrets: ReadonlySet<string>,
): BridgedClaude {
  const { key: conversationKey } = conversation;
  const ports = openBridgePorts?.(conversationKey, agent);
  if (ports === undefined) throw new ClaudeUnusable(NO_BRIDGE);
  const cwd = settings.isByHand ? undefined : (workspace?.folder ?? settings.cwd);
  return new BridgedClaude({ ...ports, conversationKey, cwd, secrets, after, now });
}

function talkOf(
  { turn: { agent, instructions }, transport }: LaunchRequest,
  talker: BridgedClaude | ChannelPermissions,
): Pick<McpToolServerOptions, "meta" | "onPermission" | "onDropped"> {
  const meta = { transport, agent: agent.id, agent_name: agent.name, instructions };
  return {
    meta,
    onPermission: (request) => talker.onRequest(request),
    ...("dropped" in talker && { onDropped: (id, drop) => talker.dropped(id, drop) }),
  };
}

export function launchOf(
  {
    settings,
    secretFolders = [],
    permissionsOf,
  }: Pick<StarterDeps, "settings" | "secretFolders" | "permissionsOf">,
  { turn, transport, skillPlugin: pluginFolder }: LaunchRequest,
  isResumed: boolean,
  mcpServer?: McpToolServer,
): Launch {
  const claudeSession = claudeSessionId(turn.conversation);
  const own = Object.entries(turn.env).filter(([name]) => OWN_VARIABLE.test(name));
  const { workspace } = turn;
  return {
    ...settings,
    ...(workspace !== undefined && {
      cwd: workspace.folder,
      confinement: { workspace, secretFolders, preset: presetOf(turn, permissionsOf) },
    }),
    ...(pluginFolder !== undefined && { skills: { pluginFolder, list: turn.skills ?? [] } }),
    claudeSession,
    isResumed,
    model: modelOf(turn.wishes.model) ?? settings.model,
    effort: EFFORTS.get(turn.wishes.thinking ?? ""),
    instructions: turn.instructions,
    toolServer: mcpServer?.command,
    env: {
      ...settings.env,
      ...Object.fromEntries(own),
      ...(workspace !== undefined && { ATRIUM_WORKTREE: workspace.folder }),
      ...mcpServer?.env,
      [SESSION_VARIABLE]: claudeSession,
      // Our tool server speaks the handshake every version knows.
      MCP_PROTOCOL_NEGOTIATION: "legacy",
      // Else a call that waits for people for two minutes goes on behind the turn, which ends without it.
      CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: "0",
      [TRANSPORT_VARIABLE]: transport,
    },
  };
}

const NO_TURN: ToolResult = { text: "This tool can only be called during a turn.", isError: true };

/** A tool that fails tells why; it is not the end of the turn. */
async function callFor(
  host: TurnHost | undefined,
  name: string,
  input: unknown,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  if (host === undefined) return NO_TURN;
  try {
    return await host.callTool(name, input, signal);
  } catch (cause) {
    return { text: cause instanceof Error ? cause.message : String(cause), isError: true };
  }
}

/** A wish may name the provider, too, as the gateway's clients do. */
function modelOf(wish: string | undefined): string | undefined {
  const model = wish?.replace(/^(?:claude-code|anthropic)\//, "");
  return model === "default" ? undefined : model;
}
