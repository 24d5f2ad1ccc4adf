/**
 * One `codex app-server`: a process, the connection to it, and the one thread it has here.
 *
 *   start -> initialize -> logged in? -> thread found and resumed, else started -> turn, turn, ... -> stop
 *
 * However it ends, everything it has started ends with it: Codex runs commands in sessions of their own, which its
 * process group does not hold, so they are found by a mark in their environment.
 */
import manifest from "../../../../package.json" with { type: "json" };
import { kill, markedProcesses } from "../../../confinement/process-tree.ts";
import { describeEnd, type Child } from "../../../confinement/program/child.ts";
import { AgentGone } from "../../process/agent-gone.ts";
import type { WarmAgent } from "../../process/agent-pool.ts";
import type { Skill } from "../../turn/agent-runtime.ts";
import { fieldsOf, listOf, textIn, type Fields } from "../../turn/json-fields.ts";
import type { CodexInput } from "./codex-input.ts";
import { DEFAULT_MODE } from "./codex-settings.ts";
import {
  AppServerRefusal,
  connectByLines,
  METHOD_NOT_FOUND,
  type AppServerConnection,
  type Breakage,
  type RequestId,
} from "./connection.ts";
import {
  breakageFailure,
  endFailure,
  NOT_LOGGED_IN,
  TAKES_NO_SKILLS,
  TELLS_NO_SETTINGS,
} from "./failure.ts";
import type { ThreadSpec } from "./thread-params.ts";
import type { CodexToolServer } from "./tool-server.ts";

/** Who hears what Codex tells during a turn. */
export interface CodexListener {
  onNotification(method: string, params: Fields): void;
  onRequest(method: string, params: Fields, id: RequestId): Promise<object>;
}

export interface CodexProcessOptions {
  readonly program: string;
  readonly maxOutputBytes: number;
  /** `NAME=value`, in the environment of all that belongs to it. */
  readonly mark: string;
  /** Is closed with it. */
  readonly toolServer: CodexToolServer;
}

interface RunningTurn {
  readonly id: PromiseWithResolvers<string>;
  readonly end: PromiseWithResolvers<Fields>;
}

export class CodexProcess implements WarmAgent {
  sessionId = "";
  /** What the thread was started with, for turns that wish for nothing else. */
  model: string | undefined;
  effort: string | undefined;
  /** The mode that it was in before. */
  mode: string = DEFAULT_MODE;
  /** What the thread is known to have been told of who it is. */
  instructions: string | undefined;
  /** Of the turn under way, once Codex has begun it. */
  turnId: string | undefined;
  /** Whether its thread remembers nothing; true until the first turn. */
  isFresh = true;
  isAlive = true;
  readonly toolServer: CodexToolServer;
  readonly ended: Promise<void>;
  readonly #options: CodexProcessOptions;
  readonly #child: Child;
  readonly #connection: AppServerConnection;
  readonly #broken = Promise.withResolvers<Breakage | undefined>();
  #listener: CodexListener | undefined;
  #turn: RunningTurn | undefined;

  constructor(child: Child, options: CodexProcessOptions) {
    this.#child = child;
    this.#options = options;
    this.toolServer = options.toolServer;
    this.#connection = connectByLines(child, options.maxOutputBytes, {
      onNotification: (method, params) => this.#receive(method, params),
      onRequest: (method, params, id) => this.#serve(method, params, id),
      onBroken: (why) => this.#broken.resolve(why),
    });
    this.ended = this.#end();
  }

  async #end(): Promise<void> {
    // One that hangs up without ending is as good as ended.
    const breakage = await Promise.race([
      this.#broken.promise,
      this.#child.ended.then(() => undefined),
    ]);
    this.isAlive = false;
    const { program, maxOutputBytes, mark } = this.#options;
    await this.#child.stop();
    for (const pid of markedProcesses(mark)) kill(pid);
    const described = describeEnd(program, await this.#child.ended, this.#child.complaint());
    const why =
      breakage === undefined
        ? endFailure(program, described)
        : breakageFailure(program, breakage, maxOutputBytes);
    const gone = new AgentGone(why);
    this.#connection.close(gone);
    this.#turn?.end.reject(gone);
    await this.toolServer.close();
  }

  async initialize(skills: readonly Skill[]): Promise<void> {
    await this.#connection.request("initialize", {
      clientInfo: { name: "atrium", title: "Atrium", version: manifest.version },
      // Permission profiles are part of it.
      capabilities: { experimentalApi: true },
    });
    this.#connection.notify("initialized");
    await this.#checkLogin();
    if (skills.length > 0) await this.#addSkills(skills.map(({ folder }) => folder));
  }

  /** The names of the MCP servers that its user has configured. */
  async ownServers(): Promise<readonly string[]> {
    const read = await this.#connection.request("config/read", {}).catch(unlessGone);
    if (read === undefined) throw new AgentGone(TELLS_NO_SETTINGS);
    return Object.keys(fieldsOf(fieldsOf(read["config"])["mcp_servers"]));
  }

  /**
   * `known`: the thread it had. Without one it is looked for, unless another process may have it. Rejects with ThreadBusy
   * while another process writes it.
   */
  async begin(known: string | undefined, thread: ThreadSpec, isAlone: boolean): Promise<void> {
    const mayExist = known === undefined && isAlone && thread.hasHistory;
    const threadId = mayExist ? await this.#find(thread) : known;
    if (threadId !== undefined && (await this.#resume(threadId, thread))) return;
    this.#take(await this.#connection.request("thread/start", thread.params));
    this.instructions = thread.instructions;
    const { sessionId } = this;
    const named = { threadId: sessionId, name: thread.name };
    await this.#connection.request("thread/name/set", named).catch(unlessGone);
  }

  async #checkLogin(): Promise<void> {
    const account = await this.#connection.request("account/read", {}).catch(unlessGone);
    // A provider of the user's own needs no login there.
    if (account?.["requiresOpenaiAuth"] === true && account["account"] === null) {
      throw new AgentGone(NOT_LOGGED_IN);
    }
  }

  /** Before the thread begins, which lists what it has. */
  async #addSkills(extraRoots: readonly string[]): Promise<void> {
    const added = await this.#connection
      .request("skills/extraRoots/set", { extraRoots })
      .catch(unlessGone);
    if (added === undefined) throw new AgentGone(TAKES_NO_SKILLS);
  }

  async #find({ name }: ThreadSpec): Promise<string | undefined> {
    const params = { searchTerm: name, limit: 10 };
    const found = await this.#connection.request("thread/list", params).catch(unlessGone);
    const thread = listOf(found?.["data"]).find((one) => one["name"] === name);
    return thread === undefined ? undefined : textIn(thread, "id");
  }

  /** False when Codex has forgotten it; a new thread is told what was said. */
  async #resume(threadId: string, thread: ThreadSpec): Promise<boolean> {
    const params = { ...thread.params, threadId, excludeTurns: true };
    const resumed = await this.#connection
      .request("thread/resume", params)
      .catch((cause: unknown) => {
        if (cause instanceof AppServerRefusal && BUSY.test(cause.message)) throw new ThreadBusy();
        return unlessGone(cause);
      });
    if (resumed === undefined) return false;
    this.#take(resumed);
    this.isFresh = false;
    return true;
  }

  #take(answer: Fields): void {
    this.sessionId = textIn(fieldsOf(answer["thread"]), "id") ?? "";
    this.model = textIn(answer, "model");
    this.effort = textIn(answer, "reasoningEffort");
    this.mode = textIn(fieldsOf(answer["collaborationMode"]), "mode") ?? DEFAULT_MODE;
  }

  listen(listener: CodexListener): Disposable {
    this.#listener = listener;
    return { [Symbol.dispose]: () => void (this.#listener = undefined) };
  }

  /** Resolves with the turn as it ended. Rejects with AgentGone, or with what Codex refuses it with. */
  async runTurn(input: readonly CodexInput[], wishes: object): Promise<Fields> {
    const turn = { id: Promise.withResolvers<string>(), end: Promise.withResolvers<Fields>() };
    turn.id.promise.catch(() => undefined);
    turn.end.promise.catch(() => undefined);
    this.#turn = turn;
    this.isFresh = false;
    try {
      const params = { threadId: this.sessionId, input, ...wishes };
      const started = await this.#connection.request("turn/start", params);
      this.turnId = textIn(fieldsOf(started["turn"]), "id") ?? "";
      turn.id.resolve(this.turnId);
      return await turn.end.promise;
    } catch (cause) {
      turn.id.reject(cause);
      throw cause;
    } finally {
      this.#turn = this.turnId = undefined;
    }
  }

  /** Adds to the turn that is under way; rejects when there is none, or none any more. */
  async steer(input: readonly CodexInput[]): Promise<void> {
    const expectedTurnId = await this.#turn?.id.promise;
    if (expectedTurnId === undefined) throw new AppServerRefusal(0, "There is no turn to add to.");
    const params = { threadId: this.sessionId, expectedTurnId, input };
    await this.#connection.request("turn/steer", params);
  }

  async interrupt(): Promise<void> {
    const turnId = await this.#turn?.id.promise;
    if (turnId === undefined) return;
    await this.#connection.request("turn/interrupt", { threadId: this.sessionId, turnId });
  }

  /** Ends the commands that go on in the background: an interrupted turn leaves its own there. */
  async endCommands(): Promise<void> {
    const { sessionId: threadId } = this;
    await this.#connection.request("thread/backgroundTerminals/clean", { threadId });
  }

  async stop(): Promise<void> {
    this.isAlive = false;
    await this.#child.stop();
    await this.ended;
  }

  #receive(method: string, params: Fields): void {
    const isOwn = params["threadId"] === this.sessionId;
    const turn = fieldsOf(params["turn"]);
    if (isOwn && method === "turn/started" && this.#turn !== undefined) {
      this.turnId = textIn(turn, "id");
    }
    this.#listener?.onNotification(method, params);
    if (isOwn && method === "turn/completed") this.#turn?.end.resolve(turn);
  }

  async #serve(method: string, params: Fields, id: RequestId): Promise<object> {
    if (this.#listener === undefined) {
      throw new AppServerRefusal(METHOD_NOT_FOUND, "Nothing is asked for between turns.");
    }
    return this.#listener.onRequest(method, params, id);
  }
}

/** As Codex says it of a thread that its daemon, or a terminal, has open. */
const BUSY = /already has an active writer/;

/** Another process has the thread, and will let go of it. */
export class ThreadBusy extends Error {
  override readonly name = "ThreadBusy";
}

/** What it refuses, it does not have. */
function unlessGone(cause: unknown): undefined {
  if (cause instanceof AppServerRefusal) return undefined;
  throw cause;
}
