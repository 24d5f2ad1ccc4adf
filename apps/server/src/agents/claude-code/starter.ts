/**
 * Starts Claude processes: chooses the transport, opens the door for our tools, and puts together what the process
 * is given. Of the server's environment that is only what the settings name.
 */
import type { ToolDeclaration, ToolResult, Turn, TurnHost } from "../agent-runtime.ts";
import { nameTools } from "../model/tool-names.ts";
import { secretsIn } from "../without-secret.ts";
import { ClaudeUnusable, type ClaudeProcess, type Launch } from "./claude-process.ts";
import { claudeSessionId } from "./claude-session-id.ts";
import type { ClaudeSettings, TransportName } from "./claude-settings.ts";
import { TOOL_SERVER } from "./command-line.ts";
import { openHeadless } from "./headless.ts";
import { openHooksServer, type HooksServer } from "./hooks-server.ts";
import { markOf, SESSION_VARIABLE } from "./mark.ts";
import type { Running } from "./process-pool.ts";
import { isMarked, killMarked } from "./process-tree.ts";
import type { OpenToolDoor, ToolDoor, ToolDoorOptions } from "./tool-door.ts";
import { createToolWatch } from "./tool-watch.ts";

export interface Wish {
  readonly turn: Turn;
  readonly tools: readonly ToolDeclaration[];
}

export interface Starter {
  /** Whether messages are text only. */
  readonly isTyped: boolean;
  /** What a process must have been started with to be fit for this. */
  signatureOf(wish: Wish): string;
  start(wish: Wish & { readonly isResumed: boolean }): Promise<Running>;
  close(): Promise<void>;
}

export interface StarterDeps {
  readonly settings: ClaudeSettings;
  /** Left out: Claude Code has its own tools only. */
  readonly openToolDoor?: OpenToolDoor | undefined;
  /** Cannot be guessed. */
  readonly newSecret: () => string;
  /** Runs it later, unless cancelled. */
  readonly after: (ms: number, run: () => void) => () => void;
}

const EFFORTS = new Map([
  ["minimal", "low"],
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["xhigh", "xhigh"],
  ["max", "max"],
]);
const NO_BRIDGE = `A channel needs the bridge, which is not open here. Use "transport": "headless" or "interactive".`;
const PREFIX = `mcp__${TOOL_SERVER}__`;

export function createStarter(deps: StarterDeps): Starter {
  const { settings, openToolDoor, newSecret, after } = deps;
  let hooks: Promise<HooksServer> | undefined;

  // Through its channel only where that is asked for: Claude Code wants a person to confirm it at every start.
  const transport: TransportName = settings.transport === "auto" ? "headless" : settings.transport;

  const open = async (launch: Launch, door: ToolDoor | undefined): Promise<ClaudeProcess> => {
    if (transport === "headless") return openHeadless(launch);
    const deliver = transport === "channel" ? door?.deliver : undefined;
    if (transport === "channel" && deliver === undefined) throw new ClaudeUnusable(NO_BRIDGE);
    hooks ??= openHooksServer(newSecret);
    // The terminal is loaded by who needs one.
    const { openInteractive } = await import("./interactive.ts");
    return openInteractive(launch, {
      hooks: await hooks,
      isFolderTrusted: settings.isFolderNamed,
      deliver,
    });
  };

  return {
    isTyped: transport !== "headless",
    signatureOf(wish) {
      const { model, effort, instructions, env } = launchOf(settings, wish, true, undefined);
      return JSON.stringify([model, effort, instructions, env, wish.tools]);
    },
    async start(wish) {
      const { conversation } = wish.turn;
      const claudeSession = claudeSessionId(conversation);
      const tools = nameTools(wish.tools);
      let host: TurnHost | undefined;
      const callTool: ToolDoorOptions["callTool"] = (seen, input, signal) =>
        callFor(host, tools.nameOf(seen), input, signal);
      const mark = markOf({ ...settings.env, [SESSION_VARIABLE]: claudeSession });
      const watch = createToolWatch({ after, isAlive: (pid) => isMarked(pid, mark) });
      const door = await openToolDoor?.({
        conversationKey: conversation.key,
        claudeSession,
        tools: tools.declarations,
        callTool,
        onFound: watch.found,
        onLost: watch.lost,
      });
      const launch = launchOf(settings, wish, wish.isResumed, door);
      // A server that was killed may have left some behind, and a session is for one process.
      await killMarked(mark);
      const process = await open(launch, door).catch(async (cause: unknown) => {
        await door?.close();
        throw cause;
      });
      watch.onDead(() => process.loseTools());
      return {
        process,
        signature: this.signatureOf(wish),
        secrets: secretsIn(launch.env),
        attach(next) {
          host = next;
          return {
            nameOf: (seen) =>
              seen.startsWith(PREFIX) ? tools.nameOf(seen.slice(PREFIX.length)) : seen,
            [Symbol.dispose]: () => (host = undefined),
          };
        },
        async stop() {
          watch.stop();
          await process.stop();
          await door?.close();
        },
      };
    },
    async close() {
      await (await hooks)?.close();
    },
  };
}

function launchOf(
  settings: ClaudeSettings,
  { turn }: Wish,
  isResumed: boolean,
  door: ToolDoor | undefined,
): Launch {
  const claudeSession = claudeSessionId(turn.conversation);
  const own = Object.entries(turn.env).filter(([name]) => name.startsWith("TIDY_"));
  return {
    ...settings,
    claudeSession,
    isResumed,
    model: modelOf(turn.wishes.model) ?? settings.model,
    effort: EFFORTS.get(turn.wishes.thinking ?? ""),
    instructions: turn.instructions,
    toolServer: door?.command,
    env: {
      ...settings.env,
      ...Object.fromEntries(own),
      ...door?.env,
      [SESSION_VARIABLE]: claudeSession,
      // Our tool server speaks the handshake every version knows.
      MCP_PROTOCOL_NEGOTIATION: "legacy",
    },
  };
}

/** A tool that fails tells why; it is not the end of the turn. */
async function callFor(
  host: TurnHost | undefined,
  name: string,
  input: unknown,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  if (host === undefined) return { text: "There is no turn to use a tool in.", isError: true };
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
