/**
 * The real Claude Code, offline: a model server on loopback, fake keys, and a home of its own, all in a folder that
 * goes away with the stage.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClaudeCodeRuntime } from "../../../apps/server/src/agents/claude-code/claude-code.ts";
import {
  withDefaults,
  type WrittenClaudeSettings,
} from "../../../apps/server/src/agents/claude-code/protocol/claude-settings.ts";
import type { PermissionsOf } from "../../../apps/server/src/agents/process/workspace-preset.ts";
import type { AgentRuntime } from "../../../apps/server/src/agents/turn/agent-runtime.ts";
import type { OpenMcpToolServer } from "../../../apps/server/src/agents/turn/mcp-tool-server.ts";
import { systemTimers } from "../../../apps/server/src/platform/timers.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import {
  openModelServer,
  type Body,
  type ModelServer,
} from "../../kit/model-server/model-server.ts";
import { openToolServer } from "../../kit/tool-server/tool-server.ts";

export interface ClaudeStage extends AsyncDisposable {
  readonly folder: string;
  readonly model: ModelServer;
  /** Closed with the stage. */
  readonly runtime: AgentRuntime;
  /** Another server with the same home: what a restart makes. */
  another(settings?: WrittenClaudeSettings): AgentRuntime;
}

export interface ClaudeStageOptions {
  readonly command: string;
  readonly settings?: WrittenClaudeSettings;
  readonly secretFolders?: readonly string[];
  readonly permissionsOf?: PermissionsOf;
  readonly openMcpToolServer?: OpenMcpToolServer;
  readonly answer?: (asked: Asked) => Behavior;
  /** Of the server, of which Claude Code must see only what is named. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What the model is asked for, as far as a test cares. */
export interface Asked {
  /** The last thing a person said. */
  readonly said: string;
  /** What tools have returned since. */
  readonly returned: readonly string[];
  readonly body: Body;
}

export const USAGE = { inputTokens: 11, outputTokens: 7 };

export async function openClaudeStage(options: ClaudeStageOptions): Promise<ClaudeStage> {
  const folder = mkdtempSync(join(tmpdir(), "atrium-claude-"));
  const { answer = echo } = options;
  const model = await openModelServer(({ body }) => answer(askedIn(body)));
  const env = environment(folder, model.baseUrl, options.env);
  const opened: { close?(): Promise<void> }[] = [];
  const another = (settings: WrittenClaudeSettings = {}): AgentRuntime => {
    const written = {
      command: options.command,
      cwd: folder,
      env: Object.keys(env).filter((name) => !name.startsWith("ATRIUM_")),
      ...options.settings,
      ...settings,
    };
    const runtime = createClaudeCodeRuntime(
      "claude",
      withDefaults(written, folder, (name) => env[name]),
      {
        openMcpToolServer: options.openMcpToolServer ?? openToolServer,
        secretFolders: options.secretFolders,
        permissionsOf: options.permissionsOf,
        now: () => Date.now(),
        after: systemTimers.after,
        newSecret: randomUUID,
      },
    );
    opened.push(runtime);
    return runtime;
  };
  return {
    folder,
    model,
    runtime: another(),
    another,
    async [Symbol.asyncDispose]() {
      for (const runtime of opened) await runtime.close?.();
      await model[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export function environment(
  folder: string,
  baseUrl: string,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    CLAUDE_CONFIG_DIR: join(folder, ".claude-config"),
    CLAUDE_CODE_TMPDIR: folder,
    ANTHROPIC_BASE_URL: baseUrl.replace(/\/v1$/, ""),
    ANTHROPIC_AUTH_TOKEN: "fake-token-of-the-tests",
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ...more,
  };
}

export function askedIn(body: Body): Asked {
  const messages: Body[] = body.messages.filter(({ role }: Body) => role === "user");
  const parts = (message: Body): Body[] =>
    typeof message.content === "string"
      ? [{ type: "text", text: message.content }]
      : message.content;
  const textsIn = (message: Body): string[] =>
    parts(message)
      .filter(({ type, text }) => type === "text" && !text.trim().startsWith("<system-reminder>"))
      .map(({ text }) => text);
  const at = messages.findLastIndex((message) => textsIn(message).length > 0);
  const returned = messages
    .slice(Math.max(at, 0))
    .flatMap((message) => parts(message).filter(({ type }) => type === "tool_result"))
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
  return { said: textsIn(messages[at] ?? { content: [] }).join("\n"), returned, body };
}

function echo({ said }: Asked): Behavior {
  return { type: "answer", chunks: ["You said: ", said], usage: USAGE };
}
