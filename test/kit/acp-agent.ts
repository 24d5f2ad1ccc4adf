/**
 * A real ACP agent for tests: the SDK's own agent side on standard input and output, doing what the
 * prompt says. A prompt holds its steps as JSON between `<<` and `>>`.
 *
 *   node acp-agent.ts [load|resume] [image] [context] [http]    what it can do beyond the least
 *   node acp-agent.ts [old] [child]    what is wrong with it: an old protocol, a process beside it that ignores SIGTERM
 *
 * With `load` or `resume`, sessions are kept in the folder it works in, with `home` in its HOME, and outlive the process.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import {
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type AgentContext,
  type ContentBlock,
  type McpServer,
  type PermissionOptionKind,
  type RequestPermissionRequest,
  type ResumeSessionRequest,
  type SessionUpdate,
  type StopReason,
  type ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { ChannelHost } from "./channel-host.ts";
import { openHttpTools } from "./tool-server/http-tools.ts";

export type AcpStep =
  | { readonly say: string; readonly messageId?: string }
  | { readonly think: string }
  | { readonly update: SessionUpdate }
  | {
      readonly permit: string;
      readonly tool?: string;
      readonly kinds?: readonly PermissionOptionKind[];
      /** What else the protocol says of the call; `$PWD` in it is the folder it works in. */
      readonly about?: Omit<ToolCallUpdate, "toolCallId">;
    }
  /** Asks the user by this request, offered or not, and answers with what became of it. */
  | { readonly question: string; readonly params?: object }
  /** Calls a tool of the session's MCP server and answers with its result. */
  | { readonly useTool: string; readonly input?: object }
  | { readonly read: string; readonly line?: number; readonly limit?: number }
  | { readonly write: string; readonly text: string }
  /** Writes a file in the folder it works in by itself, as a tool of its own. */
  | { readonly make: string; readonly content: string }
  | { readonly complain: string }
  /** Answers with all the text of this prompt, or of all prompts of the session. */
  | { readonly echo: "prompt" | "session" }
  /** Answers with its process id, the environment's names, what the client said it can do, or its MCP tools. */
  | { readonly tell: "pid" | "env" | "client" | "tools" | "tool servers" }
  | { readonly exit: number }
  | { readonly refuse: string; readonly code?: number }
  | { readonly end: StopReason }
  /** What the answer to this prompt says that was used, however it ends. */
  | { readonly count: readonly [input: number, output: number, cached?: number] }
  | { readonly talkOn: true }
  /** Waits to be cancelled; when deaf, does not listen to that either. `last`: what it tells before it stops. */
  | { readonly hang: "cancellable" | "deaf"; readonly last?: SessionUpdate };

function aboutHere(about: object = {}): object {
  return JSON.parse(JSON.stringify(about).replaceAll("$PWD", process.cwd())) as object;
}

export function acpPrompt(...steps: readonly AcpStep[]): string {
  return `<<${JSON.stringify(steps)}>>`;
}

if (import.meta.main) serve(new Set(process.argv.slice(2)));

function serve(abilities: ReadonlySet<string>): void {
  if (abilities.has("child")) spawn("sh", ["-c", "trap '' TERM; while :; do sleep 1; done"]);
  const sessions = new Map<string, string[]>();
  const cancelled = new Map<string, AbortController>();
  let clientSaid: unknown;
  const keeps = abilities.has("load") || abilities.has("resume");
  const fileOf = (cwd: string, id: string): string => {
    const base = abilities.has("home") ? (process.env["HOME"] ?? "") : cwd;
    return join(base, ".sessions", `${id}.json`);
  };
  const folders = new Map<string, string>();
  const toolServers = new Map<string, () => Promise<ToolClient>>();
  const serverNames = new Map<string, readonly string[]>();
  const takeUp = ({ cwd, sessionId: id, mcpServers }: ResumeSessionRequest): readonly string[] => {
    toolServers.set(id, toolServerOf(mcpServers ?? []));
    const file = fileOf(cwd, id);
    if (!existsSync(file)) throw RequestError.invalidParams(undefined, `no session ${id}`);
    const past = JSON.parse(readFileSync(file, "utf8")) as string[];
    sessions.set(id, past);
    folders.set(id, cwd);
    return past;
  };

  agent({ name: "test-agent" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      clientSaid = params;
      return {
        protocolVersion: abilities.has("old") ? 0 : PROTOCOL_VERSION,
        agentCapabilities: {
          mcpCapabilities: { http: abilities.has("http") },
          loadSession: abilities.has("load"),
          promptCapabilities: {
            image: abilities.has("image"),
            embeddedContext: abilities.has("context"),
          },
          ...(abilities.has("http") && { mcpCapabilities: { http: true } }),
          ...(abilities.has("resume") && { sessionCapabilities: { resume: {} } }),
        },
      };
    })
    .onRequest(methods.agent.session.new, ({ params }) => {
      const sessionId = crypto.randomUUID();
      sessions.set(sessionId, []);
      folders.set(sessionId, params.cwd);
      toolServers.set(sessionId, toolServerOf(params.mcpServers));
      const names = params.mcpServers.map(({ name }) => name);
      serverNames.set(sessionId, names);
      return { sessionId };
    })
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      // A session that is loaded tells its past.
      for (const text of takeUp(params)) {
        const content = { type: "text" as const, text };
        const update = { sessionUpdate: "agent_message_chunk" as const, content };
        await client.notify(methods.client.session.update, { sessionId: params.sessionId, update });
      }
      return {};
    })
    .onRequest(methods.agent.session.resume, ({ params }) => {
      takeUp(params);
      return {};
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => {
      cancelled.get(params.sessionId)?.abort();
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const { sessionId, prompt } = params;
      const text = prompt.map(textOf).join("\n");
      const past = sessions.get(sessionId) ?? [];
      past.push(text);
      const folder = folders.get(sessionId) ?? "";
      if (keeps) {
        mkdirSync(dirname(fileOf(folder, sessionId)), { recursive: true });
        writeFileSync(fileOf(folder, sessionId), JSON.stringify(past));
      }
      const stop = new AbortController();
      cancelled.set(sessionId, stop);
      const steps = JSON.parse(/<<(.*)>>/s.exec(text)?.[1] ?? "[]") as readonly AcpStep[];
      const openTools = toolServers.get(sessionId) ?? toolServerOf([]);
      const named = serverNames.get(sessionId) ?? [];
      const asked = { client, sessionId, text, past, clientSaid, openTools };
      const stage = { ...asked, toolServers: named, signal: stop.signal };
      const usage = steps.flatMap((step) => ("count" in step ? [usageOf(step.count)] : []));
      for (const step of steps) {
        const stopReason = await play(step, stage);
        if (stopReason !== undefined) return { stopReason, ...usage.at(-1) };
      }
      return { stopReason: "end_turn", ...usage.at(-1) };
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(process.stdout),
        Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
      ),
    );
}

function usageOf([inputTokens, outputTokens, cachedReadTokens]: readonly [
  input: number,
  output: number,
  cached?: number,
]): object {
  const totalTokens = inputTokens + outputTokens;
  return { usage: { inputTokens, outputTokens, cachedReadTokens, totalTokens } };
}

const EVERY_KIND: readonly PermissionOptionKind[] = [
  "allow_always",
  "allow_once",
  "reject_always",
  "reject_once",
];

type ToolClient = Pick<ChannelHost, "toolNames" | "callTool">;

interface Stage {
  readonly client: AgentContext;
  readonly sessionId: string;
  readonly text: string;
  readonly past: readonly string[];
  readonly clientSaid: unknown;
  readonly openTools: () => Promise<ToolClient>;
  /** By name. */
  readonly toolServers: readonly string[];
  readonly signal: AbortSignal;
}

/** Started by the first who needs it, as agents do. */
function toolServerOf([server]: readonly McpServer[]): () => Promise<ToolClient> {
  let opening: Promise<ToolClient> | undefined;
  const open = async (): Promise<ToolClient> => {
    if (server !== undefined && "url" in server) return openHttpTools(server);
    if (server === undefined) throw new Error("no tool server was given");
    const { command, args, env } = server;
    const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const { stdin, stdout } = spawn(command, args, {
      env: { PATH: process.env["PATH"], ...given },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const host = new ChannelHost(stdin, stdout);
    await host.begin();
    return host;
  };
  return () => (opening ??= open());
}

async function play(step: AcpStep, stage: Stage): Promise<StopReason | undefined> {
  const { client, sessionId, signal } = stage;
  const tell = (update: SessionUpdate): Promise<void> =>
    client.notify(methods.client.session.update, { sessionId, update });
  const say = (text: string, messageId?: string): Promise<void> =>
    tell({
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text },
      ...(messageId !== undefined && { messageId }),
    });
  if ("say" in step) await say(step.say, step.messageId);
  else if ("think" in step) {
    const content = { type: "text" as const, text: step.think };
    await tell({ sessionUpdate: "agent_thought_chunk", content });
  } else if ("update" in step) await tell(step.update);
  else if ("permit" in step) {
    const { kinds = EVERY_KIND } = step;
    const toolCall = {
      toolCallId: "permit",
      title: step.permit,
      name: step.tool ?? "shell",
      rawInput: { n: 1 },
      ...aboutHere(step.about),
    };
    const options = kinds.map((kind) => ({ optionId: `option ${kind}`, name: kind, kind }));
    const request: RequestPermissionRequest = { sessionId, toolCall, options };
    const answer = await client.request(methods.client.session.requestPermission, request);
    await say(JSON.stringify(answer.outcome));
  } else if ("question" in step) {
    const answer = await client
      .request(step.question, { sessionId, ...step.params })
      .catch((cause: unknown) => ({ refused: cause instanceof RequestError ? cause.code : cause }));
    await say(JSON.stringify(answer));
  } else if ("read" in step || "write" in step) await say(await useFile(step, stage));
  else if ("make" in step) {
    const toolCallId = crypto.randomUUID();
    await tell({
      sessionUpdate: "tool_call",
      toolCallId,
      title: `make ${step.make}`,
      status: "in_progress",
    });
    writeFileSync(step.make, step.content);
    await tell({ sessionUpdate: "tool_call_update", toolCallId, status: "completed" });
  } else if ("complain" in step) process.stderr.write(step.complain);
  else if ("echo" in step) {
    await say(step.echo === "prompt" ? stage.text : stage.past.join("\n---\n"));
  } else if ("tell" in step) {
    const told = {
      pid: process.pid,
      env: Object.keys(process.env),
      client: stage.clientSaid,
      "tool servers": stage.toolServers,
    };
    const tools = step.tell === "tools" ? await (await stage.openTools()).toolNames() : [];
    await say(JSON.stringify(step.tell === "tools" ? tools : told[step.tell]));
  } else if ("useTool" in step) {
    const tools = await stage.openTools();
    await say(JSON.stringify(await tools.callTool(step.useTool, step.input)));
  } else if ("count" in step) return undefined;
  else if ("exit" in step) process.exit(step.exit);
  else if ("refuse" in step) throw new RequestError(step.code ?? -32_603, step.refuse);
  else if ("end" in step) return step.end;
  else if ("talkOn" in step) {
    while (!signal.aborted) {
      await say("and on ");
      await setTimeout(5);
    }
    return "cancelled";
  } else if (step.hang === "deaf") await new Promise(() => undefined);
  else {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    if (step.last !== undefined) await tell(step.last);
    return "cancelled";
  }
  return undefined;
}

async function useFile(
  step: Extract<AcpStep, { readonly read: string } | { readonly write: string }>,
  { client, sessionId }: Stage,
): Promise<string> {
  try {
    if ("write" in step) {
      const { write: path, text: content } = step;
      await client.request(methods.client.fs.writeTextFile, { sessionId, path, content });
      return "written";
    }
    const { read: path, line, limit } = step;
    const range = { ...(line !== undefined && { line }), ...(limit !== undefined && { limit }) };
    const got = await client.request(methods.client.fs.readTextFile, { sessionId, path, ...range });
    return got.content;
  } catch (cause) {
    return cause instanceof Error ? `refused: ${cause.message}` : String(cause);
  }
}

function textOf(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  if (block.type === "resource" && "text" in block.resource) {
    return `resource ${block.resource.text}`;
  }
  return block.type === "image" ? `image ${block.data}` : block.type;
}
