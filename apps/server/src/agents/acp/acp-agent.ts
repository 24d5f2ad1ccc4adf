/**
 * One ACP agent: a process, the connection to it, and the one session it has here.
 *
 *   start -> initialize -> session resumed or loaded, else new -> prompt, prompt, ... -> stop
 *
 * What it tells between prompts (a session that is loaded tells its whole past) is not of any turn and
 * passed over.
 */
import { Readable, Writable } from "node:stream";
import type {
  ClientConnection,
  ContentBlock,
  InitializeResponse,
  NewSessionRequest,
  PromptCapabilities,
  PromptResponse,
  RequestPermissionOutcome,
  RequestPermissionRequest,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import manifest from "../../../package.json" with { type: "json" };
import { describeEnd, type Child } from "../../confinement/program/child.ts";
import { PathRefused } from "../../platform/folder-files.ts";
import { AgentGone } from "../process/agent-gone.ts";
import { openProgram, type ProgramDeps } from "../process/program.ts";
import type { Turn, TurnHost } from "../turn/agent-runtime.ts";
import { RunningTotal } from "../turn/running-total.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import type { CompleteAcpSettings } from "./acp-settings.ts";
import type { AcpToolServer } from "./acp-tool-server.ts";
import { acpServers, unreachableServers } from "./configured-servers.ts";
import { costIn } from "./session-cost.ts";
import { createWorkspace } from "./workspace.ts";

export interface PromptListener {
  update(update: SessionUpdate): void;
  decide(request: RequestPermissionRequest): Promise<RequestPermissionOutcome>;
}

type Sdk = typeof import("@agentclientprotocol/sdk");

export interface AcpAgentDeps extends ProgramDeps {
  readonly settings: CompleteAcpSettings;
  /** For which it is started. */
  readonly turn: Turn;
  readonly host: TurnHost;
  /** Is closed with the agent. */
  readonly toolServer: AcpToolServer;
}

export async function openAcpAgent(
  deps: AcpAgentDeps,
  knownSession: string | undefined,
  signal: AbortSignal,
): Promise<AcpAgent> {
  const { timers, toolServer, turn } = deps;
  // Where it works, and all of the file system it may reach through us.
  const settings = { ...deps.settings, cwd: turn.workspace?.folder ?? deps.settings.cwd };
  const [program = ""] = settings.command;
  const { startTimeoutMs } = settings;
  const sdk = await import("@agentclientprotocol/sdk");
  const opened = await openProgram(deps.settings, deps, deps);
  if (!opened.ok) {
    await toolServer.close();
    throw new AgentGone(opened.reason);
  }
  const { child } = opened;
  const late = new AbortController();
  const cancel = timers.after(startTimeoutMs, () => late.abort());
  const agent = new AcpAgent(sdk, child, settings, toolServer);
  try {
    await untilAborted(AbortSignal.any([signal, late.signal]), agent.begin(knownSession));
    return agent;
  } catch (cause) {
    await agent.stop();
    if (!late.signal.aborted || signal.aborted) throw cause;
    const seconds = startTimeoutMs / 1000;
    throw new AgentGone(`"${program}" was not ready after ${seconds} s. Does it speak ACP?`);
  } finally {
    cancel();
  }
}

export class AcpAgent {
  sessionId = "";
  takes: PromptCapabilities = {};
  /** Whether its session remembers nothing; true until the first prompt. */
  isFresh = true;
  isAlive = true;
  /** What its session has cost, as far as it tells. */
  total = new RunningTotal(undefined);
  readonly toolServer: AcpToolServer;
  readonly ended: Promise<void>;
  readonly #sdk: Sdk;
  readonly #child: Child;
  readonly #settings: CompleteAcpSettings;
  readonly #connection: ClientConnection;
  #listener: PromptListener | undefined;

  constructor(sdk: Sdk, child: Child, settings: CompleteAcpSettings, toolServer: AcpToolServer) {
    this.#sdk = sdk;
    this.toolServer = toolServer;
    this.#child = child;
    this.#settings = settings;
    this.#connection = this.#connect();
    // An agent that hangs up without ending is as good as ended.
    this.ended = this.#end(Promise.race([child.ended, this.#connection.closed]));
  }

  async #end(over: Promise<unknown>): Promise<void> {
    await over;
    this.isAlive = false;
    void this.#child.stop();
    await this.toolServer.close();
  }

  #connect(): ClientConnection {
    const { client, methods, ndJsonStream, RequestError } = this.#sdk;
    const { stdin, stdout } = this.#child;
    const files = createWorkspace(this.#settings.cwd);
    const answer = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (cause) {
        if (cause instanceof PathRefused) throw new RequestError(-32_602, cause.message);
        throw cause;
      }
    };
    const stream = ndJsonStream(
      Writable.toWeb(stdin),
      Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
      { maxMessageBytes: this.#settings.maxOutputBytes },
    );
    return client({ name: "atrium" })
      .onNotification(methods.client.session.update, ({ params }) => {
        if (params.sessionId !== this.sessionId) return;
        if (this.#listener === undefined) costIn(this.total, params.update);
        else this.#listener.update(params.update);
      })
      .onRequest(methods.client.session.requestPermission, async ({ params }) => {
        const outcome = await this.#listener?.decide(params);
        return { outcome: outcome ?? { outcome: "cancelled" } };
      })
      .onRequest(methods.client.fs.readTextFile, async ({ params }) => {
        return { content: await answer(files.read(params.path, params.line, params.limit)) };
      })
      .onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
        await answer(files.write(params.path, params.content));
        return {};
      })
      .connect(stream);
  }

  async begin(knownSession: string | undefined): Promise<void> {
    const { methods, PROTOCOL_VERSION } = this.#sdk;
    const hello = await this.#whileAlive(
      this.#connection.agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: { name: "atrium", title: "Atrium", version: manifest.version },
        clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
      }),
    );
    this.takes = hello.agentCapabilities?.promptCapabilities ?? {};
    const { command, mcpServers } = this.#settings;
    const [missed] = unreachableServers(mcpServers, hello.agentCapabilities?.mcpCapabilities);
    if (missed !== undefined) {
      throw new AgentGone(
        `"${command[0]}" takes no MCP servers over HTTP. Remove "${missed}" from mcpServers, or name a program there.`,
      );
    }
    if (knownSession !== undefined && (await this.#takeUp(knownSession, hello))) return;
    const made = await this.#whileAlive(
      this.#connection.agent.request(methods.agent.session.new, this.#surroundings()),
    );
    this.sessionId = made.sessionId;
    this.total = new RunningTotal(0);
  }

  #surroundings(): NewSessionRequest {
    const { cwd, mcpServers } = this.#settings;
    return { cwd, mcpServers: [...this.toolServer.servers, ...acpServers(mcpServers)] };
  }

  /** False when the agent cannot, or has forgotten; a new session is told what was said. */
  async #takeUp(sessionId: string, { agentCapabilities }: InitializeResponse): Promise<boolean> {
    const { methods } = this.#sdk;
    const { agent } = this.#connection;
    const where = { sessionId, ...this.#surroundings() };
    const canResume = (agentCapabilities?.sessionCapabilities?.resume ?? null) !== null;
    if (!canResume && agentCapabilities?.loadSession !== true) return false;
    try {
      await this.#whileAlive(
        canResume
          ? agent.request(methods.agent.session.resume, where)
          : agent.request(methods.agent.session.load, where),
      );
    } catch (cause) {
      if (cause instanceof AgentGone) throw cause;
      return false;
    }
    this.sessionId = sessionId;
    this.isFresh = false;
    return true;
  }

  /** Rejects with AgentGone when the process ends, else with what the agent refuses with. */
  async prompt(prompt: ContentBlock[], listener: PromptListener): Promise<PromptResponse> {
    const { methods } = this.#sdk;
    const { sessionId } = this;
    this.#listener = listener;
    this.isFresh = false;
    this.total.begin();
    try {
      return await this.#whileAlive(
        this.#connection.agent.request(methods.agent.session.prompt, { sessionId, prompt }),
      );
    } finally {
      this.#listener = undefined;
    }
  }

  cancel(): void {
    const { sessionId } = this;
    this.#connection.agent
      .notify(this.#sdk.methods.agent.session.cancel, { sessionId })
      .catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.isAlive = false;
    this.#connection.close();
    await this.#child.stop();
    await this.toolServer.close();
  }

  /** A connection that closes rejects what is under way; why it closed is known to the process. */
  async #whileAlive<T>(request: Promise<T>): Promise<T> {
    try {
      return await request;
    } catch (cause) {
      if (!this.#connection.signal.aborted) throw cause;
      await this.#child.stop();
      const [program = ""] = this.#settings.command;
      const end = await this.#child.ended;
      throw new AgentGone(describeEnd(program, end, this.#child.complaint()));
    }
  }
}
