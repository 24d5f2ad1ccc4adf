/**
 * One ACP agent: a process, the connection to it, and the one session it has here.
 *
 *   start -> initialize -> session resumed or loaded, else new -> mode, model -> prompt, prompt, ... -> stop
 *
 * What it tells between prompts (a session that is loaded tells its whole past) is not of any turn and
 * passed over.
 */
import { existsSync } from "node:fs";
import type {
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
import { AgentGone } from "../process/agent-gone.ts";
import type { HomeRequest } from "../process/home/prepare-home.ts";
import type { ShownLogin } from "../process/home/shown-login.ts";
import { openProgram, type OpenedProgram, type ProgramDeps } from "../process/program.ts";
import type { SkillPlugins } from "../skills/skill-plugin.ts";
import type { Turn, TurnHost } from "../turn/agent-runtime.ts";
import type { OpenMcpToolServer } from "../turn/mcp-tool-server.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import { connect, type AcpConnection, type AcpSdk } from "./acp-connection.ts";
import {
  notAcp,
  notOffered,
  notReady,
  unreachable,
  wantsLogin,
  wrongVersion,
} from "./acp-failures.ts";
import type { CompleteAcpSettings } from "./acp-settings.ts";
import { acpServers, unreachableServers } from "./configured-servers.ts";
import { leaveOut, type LeftOut } from "./launch/own-servers.ts";
import { programLaunch } from "./launch/program-launch.ts";
import { commandWith, modelArgs, type AcpProgram } from "./launch/programs.ts";
import { SessionMeter } from "./session/session-meter.ts";
import {
  findValue,
  optionsIn,
  type OptionName,
  type SessionOptions,
} from "./session/session-options.ts";
import type { AcpToolServer, ToolTransport } from "./tools/acp-tool-server.ts";

export interface PromptListener {
  update(update: SessionUpdate): void;
  decide(request: RequestPermissionRequest): Promise<RequestPermissionOutcome>;
  takeSteering(): readonly string[];
}

export interface AcpAgentDeps extends ProgramDeps {
  readonly settings: CompleteAcpSettings;
  readonly program: AcpProgram;
  readonly skillPlugins: SkillPlugins;
  readonly home: HomeRequest;
  /** What the MCP server with our tools reads, where it is started beside the program. */
  readonly openMcpToolServer?: Pick<OpenMcpToolServer, "reads"> | undefined;
  /** For which it is started. */
  readonly turn: Turn;
  readonly host: TurnHost;
  /** What it opens is closed with the agent. */
  readonly openToolServer: (transport: ToolTransport) => Promise<AcpToolServer>;
}

export async function openAcpAgent(
  deps: AcpAgentDeps,
  knownSession: string | undefined,
  signal: AbortSignal,
): Promise<AcpAgent> {
  const { timers, turn } = deps;
  const { startTimeoutMs } = deps.settings;
  const [name = ""] = deps.settings.command;
  const sdk = await import("@agentclientprotocol/sdk");
  const leftOut = await leaveOut(deps, signal);
  const opened = await openProgram(await programWith(deps, leftOut), deps, deps);
  if (!opened.ok) throw new AgentGone(opened.reason);
  const late = new AbortController();
  const cancel = timers.after(startTimeoutMs, () => late.abort());
  // Where it works, and all of the file system it may reach through us.
  const cwd = turn.workspace?.folder ?? deps.settings.cwd;
  const agent = new AcpAgent(sdk, opened, { ...deps, settings: { ...deps.settings, cwd } });
  try {
    await untilAborted(AbortSignal.any([signal, late.signal]), agent.begin(knownSession));
    return agent;
  } catch (cause) {
    const { noise } = agent;
    await agent.stop();
    if (!late.signal.aborted || signal.aborted) {
      throw wantsLogin(cause, name, deps.program, opened.login) ?? cause;
    }
    throw notReady(name, startTimeoutMs / 1000, noise);
  } finally {
    cancel();
  }
}

/** Longer than any program's; what an agent invents beyond is not kept. */
const MAX_SESSION_ID_CHARS = 512;

/** The program with what it needs, its agent's skills and what its MCP servers read among it. */
async function programWith(deps: AcpAgentDeps, leftOut: LeftOut) {
  const { settings, program, turn, skillPlugins, home, openMcpToolServer } = deps;
  const ours = (openMcpToolServer?.reads ?? []).filter((file) => existsSync(file));
  const { sandbox, mcpServers } = settings;
  const servers = mcpServers.map(({ name }) => name);
  const { args, env, readable } = await programLaunch(
    program,
    { skills: turn.skills ?? [], servers, leftOut: leftOut.names },
    settings.env,
    skillPlugins,
  );
  const byServers = mcpServers.flatMap((server) =>
    "command" in server ? (server.readable ?? []) : [],
  );
  return {
    ...settings,
    command: [
      ...commandWith(settings.command, program),
      ...modelArgs(program, settings),
      ...leftOut.args,
      ...args,
    ],
    env: { ...settings.env, ...env },
    home,
    sandbox: {
      ...sandbox,
      readable: [...(sandbox.readable ?? []), ...readable, ...byServers, ...ours],
    },
  };
}

const CANCELLED: RequestPermissionOutcome = { outcome: "cancelled" };

type Started = Extract<OpenedProgram, { readonly ok: true }>;
type AgentParts = Pick<AcpAgentDeps, "settings" | "program" | "openToolServer">;

export class AcpAgent {
  sessionId = "";
  takes: PromptCapabilities = {};
  /** Whether its session remembers nothing; true until the first prompt. */
  isFresh = true;
  isAlive = true;
  /** Whether another process can go on with its session. */
  isKept = false;
  /** What its session has used, as far as it tells. */
  usage: SessionMeter;
  /** Whether a sandbox is around it. */
  readonly isConfined: boolean;
  /** What it has of its user's login there. */
  readonly login: ShownLogin | undefined;
  readonly ended: Promise<void>;
  readonly #sdk: AcpSdk;
  readonly #parts: AgentParts;
  readonly #connection: AcpConnection;
  #toolServer: AcpToolServer | undefined;
  #options: SessionOptions = new Map();
  /** What its session began with, for turns that wish for no other. */
  #usualModel: string | undefined;
  #listener: PromptListener | undefined;

  constructor(sdk: AcpSdk, { child, isConfined, login }: Started, parts: AgentParts) {
    this.#sdk = sdk;
    this.isConfined = isConfined;
    this.login = login;
    this.#parts = parts;
    this.usage = new SessionMeter(parts.program.usageOf, true);
    this.#connection = connect(sdk, child, parts.settings, {
      update: ({ sessionId, update }) => {
        if (sessionId !== this.sessionId) return;
        if (this.#listener === undefined) this.usage.update(update);
        else this.#listener.update(update);
      },
      decide: async (request) => (await this.#listener?.decide(request)) ?? CANCELLED,
      takeSteering: () => this.#listener?.takeSteering() ?? [],
    });
    this.ended = this.#end();
  }

  /** What it has printed that was no message. */
  get noise(): string {
    return this.#connection.noise();
  }

  /** Undefined until it has begun. */
  get toolServer(): AcpToolServer | undefined {
    return this.#toolServer;
  }

  async #end(): Promise<void> {
    await this.#connection.ended;
    this.isAlive = false;
    await this.#toolServer?.close();
  }

  async begin(knownSession: string | undefined): Promise<void> {
    const { settings, program, openToolServer } = this.#parts;
    const hello = await this.#greet();
    this.takes = hello.agentCapabilities?.promptCapabilities ?? {};
    const mcp = hello.agentCapabilities?.mcpCapabilities;
    const [missed] = unreachableServers(settings.mcpServers, mcp);
    if (missed !== undefined) throw unreachable(this.#name, missed);
    const takesHttp = mcp?.http === true;
    const toolServer = await openToolServer(takesHttp ? program.toolTransport : "stdio");
    this.#toolServer = toolServer;
    if (!this.isAlive) await toolServer.close();
    const way = program.keepsSessions ? wayToTakeUp(hello) : undefined;
    this.isKept = way !== undefined;
    if (!(await this.#takeUp(knownSession, way))) await this.#beginSession();
    this.#usualModel = this.#options.get("model")?.current;
    const mode = settings.mode ?? program.mode;
    if (mode !== undefined) await this.#set("mode", mode);
  }

  async #greet(): Promise<InitializeResponse> {
    const { methods, PROTOCOL_VERSION } = this.#sdk;
    const { readsFiles } = this.#parts.program;
    const answer = this.#connection.whileAlive(
      this.#connection.agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: { name: "atrium", title: "Atrium", version: manifest.version },
        clientCapabilities: {
          fs: { readTextFile: readsFiles, writeTextFile: true },
          terminal: false,
        },
      }),
    );
    const noisy = this.#connection.isNoisy.then(() => undefined);
    const hello = await Promise.race([answer, noisy]);
    if (hello === undefined) {
      answer.catch(() => undefined);
      throw notAcp(this.#name, this.noise);
    }
    const { protocolVersion } = hello;
    if (protocolVersion !== PROTOCOL_VERSION) {
      throw wrongVersion(this.#name, protocolVersion, PROTOCOL_VERSION);
    }
    return hello;
  }

  async #beginSession(): Promise<void> {
    const made = await this.#connection.whileAlive(
      this.#connection.agent.request(this.#sdk.methods.agent.session.new, this.#surroundings()),
    );
    this.sessionId = made.sessionId;
    this.isKept &&= made.sessionId.length <= MAX_SESSION_ID_CHARS;
    this.#options = optionsIn(made);
    this.usage = new SessionMeter(this.#parts.program.usageOf, true);
  }

  #surroundings(): NewSessionRequest {
    const { cwd, mcpServers } = this.#parts.settings;
    return { cwd, mcpServers: [...(this.#toolServer?.servers ?? []), ...acpServers(mcpServers)] };
  }

  /** False when the agent cannot, or has forgotten; a new session is told what was said. */
  async #takeUp(
    sessionId: string | undefined,
    way: "resume" | "load" | undefined,
  ): Promise<boolean> {
    if (sessionId === undefined || way === undefined) return false;
    const { agent } = this.#connection;
    const { session } = this.#sdk.methods.agent;
    const where = { sessionId, ...this.#surroundings() };
    let answer: unknown;
    try {
      answer = await this.#connection.whileAlive<unknown>(
        way === "resume"
          ? agent.request(session.resume, where)
          : agent.request(session.load, where),
      );
    } catch (cause) {
      if (cause instanceof AgentGone) throw cause;
      return false;
    }
    this.sessionId = sessionId;
    this.isFresh = false;
    this.#options = optionsIn(answer);
    this.usage = new SessionMeter(this.#parts.program.usageOf, false);
    return true;
  }

  /** Sets what a turn wants of the session. Rejects with AgentGone for what it does not have. */
  async choose({ model, thinking }: Turn["wishes"]): Promise<void> {
    const wanted = model ?? this.#parts.settings.model ?? this.#usualModel;
    if (wanted !== undefined && !this.#isStartedWith(wanted)) await this.#set("model", wanted);
    const option = this.#options.get("thinking");
    // How much it thinks is a wish: where there is no choice, it thinks as it does.
    if (thinking === undefined || option === undefined) return;
    if (findValue(option, thinking) !== undefined) await this.#set("thinking", thinking);
  }

  /** It offers no choice, and needs none. */
  #isStartedWith(model: string): boolean {
    const { settings, program } = this.#parts;
    const isGiven = modelArgs(program, settings).length > 0 && settings.model === model;
    return isGiven && !this.#options.has("model");
  }

  async #set(name: OptionName, wanted: string): Promise<void> {
    const option = this.#options.get(name);
    // What it has chosen itself need not be among what it offers.
    if (option?.current === wanted) return;
    const value = option === undefined ? undefined : findValue(option, wanted);
    if (option === undefined || value === undefined) {
      const offered = (option?.offered ?? []).map((each) => each.name);
      throw notOffered(this.#name, name, wanted, offered);
    }
    if (option.current === value) return;
    const { method, params } = option.request(value);
    const { sessionId } = this;
    await this.#connection.whileAlive(
      this.#connection.agent.request(method, { sessionId, ...params }),
    );
    this.#options = new Map(this.#options).set(name, { ...option, current: value });
  }

  /** Rejects with AgentGone when the process ends, else with what the agent refuses with. */
  async prompt(prompt: ContentBlock[], listener: PromptListener): Promise<PromptResponse> {
    const { methods } = this.#sdk;
    const { sessionId } = this;
    this.#listener = listener;
    this.isFresh = false;
    try {
      return await this.#connection.whileAlive(
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
    await this.#connection.stop();
    await this.#toolServer?.close();
  }

  get #name(): string {
    return this.#parts.settings.command[0] ?? "";
  }
}

/** A session that is loaded tells its whole past, which takes longer. */
function wayToTakeUp({ agentCapabilities }: InitializeResponse): "resume" | "load" | undefined {
  if ((agentCapabilities?.sessionCapabilities?.resume ?? null) !== null) return "resume";
  return agentCapabilities?.loadSession === true ? "load" : undefined;
}
