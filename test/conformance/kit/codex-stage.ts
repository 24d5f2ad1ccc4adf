/**
 * The real Codex, offline: a model server on loopback, a fake key, and a home of its own, all in a folder that goes away
 * with the stage. Not below the temporary folder: there Codex installs no helpers, and its commands fail.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CodexSettings } from "../../../apps/server/src/agents/codex/app-server/codex-settings.ts";
import type { CodexDeps } from "../../../apps/server/src/agents/codex/app-server/open-codex.ts";
import { createCodexRuntime } from "../../../apps/server/src/agents/codex/codex.ts";
import type { AgentRuntime } from "../../../apps/server/src/agents/turn/agent-runtime.ts";
import { systemTimers } from "../../../apps/server/src/platform/timers.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import {
  openModelServer,
  type Body,
  type ModelServer,
} from "../../kit/model-server/model-server.ts";
import { startedWith } from "../../kit/processes.ts";
import { openToolServer } from "../../kit/tool-server/tool-server.ts";
import type { Answer, OwnServer } from "./agent-stage.ts";

export interface CodexStage extends AsyncDisposable {
  readonly folder: string;
  /** Where it works. */
  readonly work: string;
  readonly codexHome: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model: ModelServer;
  /** Closed with the stage. */
  readonly runtime: AgentRuntime;
  /** Another server with the same home: what a restart makes. */
  another(settings?: Partial<CodexSettings>): AgentRuntime;
  /** The numbers of Codex and of all that it has started. */
  processes(): readonly number[];
}

export interface CodexStageOptions {
  readonly command: string;
  readonly settings?: Partial<CodexSettings>;
  readonly secretFolders?: readonly string[];
  readonly permissionsOf?: CodexDeps["permissionsOf"];
  readonly answer?: (asked: CodexRequest) => Behavior;
  /** Left out: a provider on loopback. */
  readonly config?: string;
}

/** What the model is asked for, as far as a test cares. */
export interface CodexRequest {
  /** The last thing a person said. */
  readonly said: string;
  /** What tools have returned since. */
  readonly returned: readonly string[];
  readonly body: Body;
}

export const USAGE = { inputTokens: 11, outputTokens: 7 };
export const KEY = "fake-key-of-the-tests-0001";
/** Not below the temporary folder. */
export const CODEX_BASE = join(import.meta.dirname, "../../../node_modules/.cache");

export async function openCodexStage(options: CodexStageOptions): Promise<CodexStage> {
  mkdirSync(CODEX_BASE, { recursive: true });
  const folder = mkdtempSync(join(CODEX_BASE, "codex-"));
  const { answer = echo } = options;
  const model = await openModelServer(({ body }) => answer(requestIn(body)));
  const codexHome = join(folder, "codex-home");
  const work = join(folder, "work");
  for (const each of [codexHome, work, join(folder, "tmp")]) mkdirSync(each);
  writeFileSync(join(codexHome, "config.toml"), options.config ?? providerConfig(model.baseUrl));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    LANG: "C.UTF-8",
    TMPDIR: join(folder, "tmp"),
    CODEX_HOME: codexHome,
    FAKE_KEY: KEY,
  };
  const opened: AgentRuntime[] = [];
  const another = (settings: Partial<CodexSettings> = {}): AgentRuntime => {
    const written = { command: options.command, cwd: work, env, ...options.settings, ...settings };
    const runtime = createCodexRuntime("codex", written, {
      timers: systemTimers,
      openMcpToolServer: openToolServer,
      newMark: randomUUID,
      secretFolders: options.secretFolders,
      permissionsOf: options.permissionsOf,
    });
    opened.push(runtime);
    return runtime;
  };
  return {
    folder,
    work,
    codexHome,
    env,
    model,
    runtime: another(),
    another,
    processes: () => startedWith(`CODEX_HOME=${codexHome}`),
    async [Symbol.asyncDispose]() {
      for (const runtime of opened) await runtime.close?.();
      await model[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A model behind OpenAI's responses, for a program that is Codex inside. */
export function openCodexModel(answer: Answer): Promise<ModelServer> {
  return openModelServer(({ body }) => {
    const before = JSON.stringify(body.input.slice(0, -1));
    const whole = JSON.stringify(body);
    return answer({ ...requestIn(body), before, whole, model: body.model });
  });
}

export function providerConfig(baseUrl: string, model = "test-model"): string {
  return `model = "${model}"
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "${baseUrl}"
env_key = "FAKE_KEY"
wire_api = "responses"
stream_max_retries = 1
request_max_retries = 1
`;
}

/** As `codex mcp add` does. */
export function addCodexServer(home: string, name: string, { command, args }: OwnServer): void {
  const lines = [`[mcp_servers.${name}]`, `command = ${JSON.stringify(command)}`];
  const table = [...lines, `args = ${JSON.stringify(args)}`, ""].join("\n");
  appendFileSync(join(home, ".codex/config.toml"), table);
}

/** What Codex itself adds is no one's words. */
const CONTEXT = /^\s*<(?:environment_context|user_instructions|turn_aborted|system)/;

export function requestIn(body: Body): CodexRequest {
  const items: Body[] = body.input;
  const at = items.findLastIndex((item) => item.role === "user" && wordsIn(item).length > 0);
  const returned = items
    .slice(Math.max(at, 0))
    .filter(({ type }) => type.endsWith("_call_output"))
    .map(({ output }) => (typeof output === "string" ? output : JSON.stringify(output)));
  return { said: wordsIn(items[at] ?? {}).join("\n"), returned, body };
}

function wordsIn({ content = [] }: Body): string[] {
  return content
    .map(({ text }: Body) => text ?? "")
    .filter((text: string) => text !== "" && !CONTEXT.test(text));
}

function echo({ said }: CodexRequest): Behavior {
  return { type: "answer", chunks: ["You said: ", said], usage: USAGE };
}
