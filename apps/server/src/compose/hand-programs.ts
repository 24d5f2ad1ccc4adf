/**
 * Programs that serve an agent and that someone else starts. Part of compose.ts, and imported by its parts alone.
 *
 * Such a program has a session that stays open while the server is: opened by its first hello with the secret of its agent's
 * runtime, or by the first message, whichever comes first. Turns come and go in it. Between them it may say something and
 * ask for permissions, also when it comes back to a server that was started again.
 */
import { resolveKey, type CrewMember } from "@atrium/core";
import { isSameSecret } from "../access/secrets.ts";
import { withReply } from "../agents/claude-code/protocol/bridge-reply.ts";
import { claudeSessionId } from "../agents/claude-code/protocol/claude-session-id.ts";
import { BridgedClaude } from "../agents/claude-code/transports/bridged.ts";
import type { OpenBridgePorts } from "../agents/claude-code/transports/starter.ts";
import type { ToolDeclaration } from "../agents/turn/agent-runtime.ts";
import type { McpToolServer, McpToolServerOptions } from "../agents/turn/mcp-tool-server.ts";
import { nameTools } from "../agents/turn/tool-names.ts";
import type { Timers } from "../platform/timers.ts";
import type { BridgeBinding, BridgeSession } from "../rooms/bridge/sessions/bridge-session.ts";
import type { BridgeSessions } from "../rooms/bridge/sessions/bridge-sessions.ts";
import { bindTo, doorTo } from "./tool-server.ts";

export interface HandProgramDeps {
  readonly sessions: () => BridgeSessions;
  readonly crew: readonly CrewMember[];
  /** Undefined: the agent is not served in this way. */
  readonly secretOf: (agentId: string) => string | undefined;
  readonly toolsOf: (agentId: string) => readonly ToolDeclaration[];
  readonly openPorts: OpenBridgePorts;
  readonly timers: Timers;
  readonly now: () => number;
}

export interface HandPrograms {
  readonly open: (options: McpToolServerOptions) => McpToolServer;
  /** For a hello to a session that is not open: what it is to be opened for, if its secret is right. */
  readonly bind: (conversationKey: string, token: string) => BridgeBinding | undefined;
}

interface HandProgram {
  readonly token: string;
  readonly binding: BridgeBinding;
  readonly session: () => BridgeSession;
  /** Who serves it in a turn; undefined between turns. */
  serving: McpToolServerOptions | undefined;
}

export function createHandPrograms(deps: HandProgramDeps): HandPrograms {
  const { sessions, crew } = deps;
  const known = new Map<string, HandProgram>();

  function programFor(conversationKey: string): HandProgram | undefined {
    const found = known.get(conversationKey);
    if (found !== undefined) return found;
    const key = resolveKey(crew, conversationKey);
    // Under another name it would be another session of the same conversation.
    if (!key.ok || key.value.text !== conversationKey) return undefined;
    const member = crew.find(({ handle }) => handle === key.value.handle);
    const token = member && deps.secretOf(member.id);
    if (member === undefined || token === undefined) return undefined;
    const program = make(conversationKey, member, token);
    known.set(conversationKey, program);
    return program;
  }

  function make(conversationKey: string, member: CrewMember, token: string): HandProgram {
    const claudeSession = claudeSessionId({ key: conversationKey, sessionId: "" });
    const session = (): BridgeSession => {
      const found = sessions().find(conversationKey, token);
      return typeof found === "string" ? sessions().open(program.binding) : found;
    };
    let between: McpToolServerOptions | undefined;
    const serving = (): McpToolServerOptions =>
      program.serving ?? (between ??= betweenTurns(member, session(), claudeSession));
    const program: HandProgram = {
      token,
      binding: bindTo({ conversationKey, claudeSession, token }, serving, (code) =>
        session().replyPermission(code, "deny"),
      ),
      session,
      serving: undefined,
    };
    return program;
  }

  function betweenTurns(
    member: CrewMember,
    session: BridgeSession,
    claudeSession: string,
  ): McpToolServerOptions {
    const { conversationKey } = session.binding;
    const idle = new BridgedClaude({
      ...deps.openPorts(conversationKey, member),
      conversationKey,
      cwd: undefined,
      secrets: new Set([session.env["SYNTHESIS_BRIDGE_TOKEN"] ?? ""]),
      after: deps.timers.after,
      now: deps.now,
    });
    idle.open(
      doorTo(session, conversationKey, () => Promise.resolve()),
      undefined,
    );
    const { declarations } = nameTools(withReply(deps.toolsOf(member.id)));
    return {
      conversationKey,
      claudeSession,
      tools: declarations,
      meta: { transport: "bridge", agent: member.id, agent_name: member.name },
      callTool: (name, input) => idle.callTool(name, input),
      onPermission: (request) => idle.onRequest(request),
    };
  }

  return {
    open(options) {
      const program = programFor(options.conversationKey);
      if (program === undefined) return { command: [], env: {}, close: () => Promise.resolve() };
      program.serving = options;
      const session = program.session();
      if (session.isConnected) options.onFound?.(0);
      return doorTo(session, options.conversationKey, async () => {
        if (program.serving === options) program.serving = undefined;
      });
    },
    bind(conversationKey, token) {
      const program = programFor(conversationKey);
      return isSameSecret(token, program?.token ?? "") ? program?.binding : undefined;
    },
  };
}
