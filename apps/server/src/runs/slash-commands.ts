/**
 * Commands that people type where they talk to agents ("/status"). The house answers them itself, as a
 * turn like any other, so that they are logged, queued and told in the same way.
 */
import {
  conversation,
  describeCost,
  type ConversationRow,
  type Conversations,
  type CrewMember,
  type Dispatch,
  type Ids,
} from "@atrium/core";
import type { AgentRuntime, Turn, TurnEvent } from "../agents/turn/agent-runtime.ts";

export interface SlashCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
}

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: "help", aliases: ["commands"], description: "Show the commands there are." },
  { name: "status", aliases: [], description: "Show how this conversation stands." },
  { name: "agents", aliases: [], description: "Show who works here." },
  { name: "new", aliases: ["reset"], description: "Begin this conversation afresh." },
  { name: "stop", aliases: [], description: "Stop what is under way in this conversation." },
];

export interface SlashCommandDeps {
  readonly dispatch: Dispatch;
  readonly conversations: Pick<Conversations, "get">;
  readonly crew: readonly CrewMember[];
  readonly modelOf: (handle: string) => { readonly provider: string; readonly id: string };
  readonly ids: Ids;
}

export function isSlashCommand(text: string): boolean {
  return commandIn(text) !== undefined;
}

/** Only a message that is nothing but a command, so that "/new ideas for lunch?" reaches the agent. */
function commandIn(text: string): SlashCommand | undefined {
  const name = /^\/([a-z]+)$/.exec(text.trim().toLowerCase())?.[1];
  if (name === undefined) return undefined;
  return SLASH_COMMANDS.find((command) => command.name === name || command.aliases.includes(name));
}

export function createSlashCommands(deps: SlashCommandDeps): AgentRuntime {
  async function answer(turn: Turn): Promise<string> {
    const { key } = turn.conversation;
    switch (commandIn(turn.prompt)?.name ?? "help") {
      case "status":
        return describe(deps.conversations.get(key), deps);
      case "agents":
        return deps.crew.map(({ name, role, handle }) => `${name} (${handle}): ${role}`).join("\n");
      case "new": {
        const reset = { type: "reset", reason: "new", expectedSessionId: null } as const;
        const sessionId = deps.ids.next();
        await deps.dispatch(conversation, key, { ...reset, sessionId, by: turn.runId });
        return "A new conversation begins.";
      }
      case "stop":
        return "Stopped.";
      default:
        return SLASH_COMMANDS.map(({ name, description }) => `/${name}: ${description}`).join("\n");
    }
  }

  return {
    name: "house",
    type: "house",
    model: { provider: "atrium", id: "house", contextTokens: 1 },
    async *start(turn): AsyncGenerator<TurnEvent> {
      yield { type: "text", delta: await answer(turn) };
      yield { type: "completed", stopReason: "stop" };
    },
  };
}

function describe(row: ConversationRow | undefined, { modelOf }: SlashCommandDeps): string {
  if (row === undefined) return "Nothing has been said here yet.";
  const { provider, id } = modelOf(row.handle);
  const { inputTokens, outputTokens } = row.usage;
  return [
    `Conversation ${row.key}${row.settings.label === null ? "" : ` (${row.settings.label})`}`,
    `Answered by ${provider}/${row.settings.model ?? id}`,
    `${row.messages} messages, ${inputTokens} tokens in, ${outputTokens} out, ${describeCost(row.usage)}`,
    `${row.runs.queue.length} waiting`,
  ].join("\n");
}
