/**
 * A client of the gateway that stays connected.
 *
 *   link (socket, timers, table) -> frame -> response -> requests
 *                                         \-> event ----> challenge, feed
 *
 * It puts the parts together and decides nothing itself: when to come back is in connection/, what a
 * frame means in rpc/, how a run is followed in runs/. A request is never repeated by itself; only
 * `agent` and `chat`, which happen once by their key, are sent again after a connection was lost.
 */
import type { Contract, ParamsOf, ResultOf } from "@atrium/wire";
import {
  agentRun as agent,
  connect,
  connectChallenge,
  type ConnectParams,
  type EventFrame,
  type HelloOk,
} from "@atrium/wire/gateway";
import { ConnectionLost, GatewayError, connectError } from "./base/errors.ts";
import { describeFailure } from "./base/failure.ts";
import { Listeners, type Unsubscribe } from "./base/listeners.ts";
import { settingsFrom, type GatewayClientOptions, type ClientSettings } from "./base/options.ts";
import { rethrowLater, type Problem } from "./base/problem.ts";
import { followBuild, type BuildUpdate, type FollowBuild } from "./builds/follow-build.ts";
import type { Challenge, ConnectionState } from "./connection/connection.ts";
import { connectParams } from "./connection/handshake.ts";
import { waitForHello } from "./connection/hello-wait.ts";
import { Link } from "./connection/link.ts";
import {
  withKey,
  type CallParams,
  type CallResult,
  type EventPayloads,
  type MethodName,
} from "./rpc/catalogue.ts";
import { Feed, type EventHandler, type Gap } from "./rpc/feed.ts";
import { readFrame, type UnknownFrame } from "./rpc/inbound.ts";
import { Requests, type RequestOptions } from "./rpc/requests.ts";
import type { RunConnection } from "./rpc/run-connection.ts";
import { SchemaChecks } from "./rpc/schema-checks.ts";
import { Subscriptions } from "./rpc/subscriptions.ts";
import { agentRun, type AgentFinished, type AgentOptions } from "./runs/agent-run.ts";
import { chatRun } from "./runs/chat-run.ts";
import { followRun } from "./runs/follow-run.ts";
import type { RunUpdate } from "./runs/run-update.ts";

/** Makes a client that is idle until `connect` is called. */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  return new GatewayClient(options);
}

export class GatewayClient implements AsyncDisposable {
  readonly #settings: ClientSettings;
  readonly #checks = new SchemaChecks();
  readonly #states: Listeners<[ConnectionState]>;
  readonly #problems: Listeners<[Problem]>;
  readonly #unknown: Listeners<[UnknownFrame]>;
  readonly #feed: Feed;
  readonly #requests: Requests;
  readonly #subscriptions: Subscriptions;
  readonly #line: RunConnection;
  readonly #link: Link;

  constructor(options: GatewayClientOptions) {
    this.#settings = settingsFrom(options);
    const { deps } = this.#settings;
    const report = (problem: Problem): void => this.#problems.notify(problem);
    this.#problems = new Listeners(rethrowLater);
    this.#states = new Listeners((cause) => report({ kind: "handler", cause }));
    this.#unknown = new Listeners((cause) => report({ kind: "handler", cause }));
    this.#feed = new Feed(this.#checks, report);
    this.#requests = new Requests({
      setTimer: deps.setTimer,
      checks: this.#checks,
      send: (text) => this.#link.send(text),
      maxBytes: () => this.hello?.policy.maxPayload ?? Infinity,
    });
    const send = (name: string, params: unknown) => this.requestByName(name, params);
    this.#subscriptions = new Subscriptions(send, report);
    this.#line = {
      call: (name, params, how) => this.call(name, params, how),
      onEvent: (name, handler) => this.onEvent(name, handler),
      onState: (handler) => this.onState(handler),
      ready: (signal) => this.#ready(signal),
      setTimer: deps.setTimer,
    };
    this.#link = new Link(
      this.#settings,
      {
        authenticate: (challenge) => void this.#authenticate(challenge),
        receive: (data) => this.#receive(data),
        changed: (state) => this.#changed(state),
      },
      deps,
    );
  }

  get state(): ConnectionState {
    return this.#link.state;
  }

  /** The server's hello; null while there is no connection. */
  get hello(): HelloOk | null {
    return this.state.state === "ready" ? this.state.hello : null;
  }

  /**
   * Connects, and resolves when the server has said hello. Attempts that fail are repeated for as
   * long as that makes sense; it rejects when it no longer does. While the client waits between two
   * attempts, or after it has given up, calling this makes it try at once. The signal ends the
   * wait, not the attempts.
   */
  connect({ signal }: { readonly signal?: AbortSignal } = {}): Promise<HelloOk> {
    const hello = waitForHello(this.#states, this.state, signal);
    if (signal?.aborted !== true) this.#link.dispatch({ type: "start" });
    return hello;
  }

  /**
   * Calls a method by its name; what goes in and comes out follows from the name. A method that must
   * carry an idempotency key gets one when none is given. Rejects with a `ClientError`.
   */
  async call<Name extends MethodName>(
    name: Name,
    params: CallParams<Name>,
    options: RequestOptions = {},
  ): Promise<CallResult<Name>> {
    const keyed = withKey(name, params, this.#settings.deps.newKey);
    const result = await this.requestByName(name, keyed, options);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked by the contract of that name
    return result as CallResult<Name>;
  }

  /**
   * Has an agent work and resolves with how it ended, also when the connection is lost on the way.
   * Rejects with a `GatewayError` when the work failed.
   */
  async agent(params: CallParams<"agent">, options: AgentOptions = {}): Promise<AgentFinished> {
    const idempotencyKey = params.idempotencyKey ?? this.#settings.deps.newKey();
    const keyed = { ...params, idempotencyKey };
    const ask = (how: RequestOptions) =>
      this.#requests.call(agent, keyed, this.#sendable(agent.name, how));
    return agentRun(this.#line, ask, options);
  }

  /**
   * Sends a message to a conversation and follows the answer: text as it comes, then one `end`. When the connection is
   * lost it waits for the next one; the message counts once, and missed updates are delivered then. To stop listening,
   * leave the loop; to stop the agent, call `chat.abort`.
   */
  chat(
    params: CallParams<"chat.send">,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<RunUpdate, void> {
    const idempotencyKey = params.idempotencyKey ?? this.#settings.deps.newKey();
    return chatRun(this.#line, { ...params, idempotencyKey }, signal);
  }

  /** Follows a run that someone has started, like `chat`. Throws `RunUnknown` when there is none. */
  followRun(
    runId: string,
    { sessionKey, signal }: { readonly sessionKey?: string; readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<RunUpdate, void> {
    return followRun(this.#line, { place: { runId, sessionKey }, signal });
  }

  /**
   * Follows a build: its past events, then new ones, up to its end. Events that were missed while the connection was
   * lost are delivered after it. Start, answer and cancel it with `call`.
   */
  followBuild(id: string, how: FollowBuild = {}): AsyncGenerator<BuildUpdate, void> {
    return followBuild(this.#line, id, how);
  }

  /** Subscribes to every conversation: `sessions.changed`, `session.message`. */
  subscribeSessions(): Promise<Unsubscribe> {
    return this.#subscriptions.add({
      subscribe: "sessions.subscribe",
      unsubscribe: "sessions.unsubscribe",
      params: {},
    });
  }

  /** Subscribes to the messages of one conversation: `session.message`. */
  subscribeMessages(key: string): Promise<Unsubscribe> {
    return this.#subscriptions.add({
      subscribe: "sessions.messages.subscribe",
      unsubscribe: "sessions.messages.unsubscribe",
      params: { key },
    });
  }

  /** Calls a method that the wire declares. Rejects with a `ClientError`. */
  async request<C extends Contract>(
    contract: C,
    params: ParamsOf<C>,
    options: RequestOptions = {},
  ): Promise<ResultOf<C>> {
    return this.#requests.call(contract, params, this.#sendable(contract.name, options));
  }

  /** Calls any method; what the wire does not declare is passed on unchecked. */
  async requestByName(
    name: string,
    params: unknown = {},
    options: RequestOptions = {},
  ): Promise<unknown> {
    return this.#requests.callByName(name, params, this.#sendable(name, options));
  }

  /** Called with every event of that name, or with all of them for `*`. */
  onEvent<Name extends keyof EventPayloads>(
    name: Name,
    handler: EventHandler<EventPayloads[Name]>,
  ): Unsubscribe;
  onEvent(name: string, handler: EventHandler<unknown>): Unsubscribe;
  onEvent(name: string, handler: EventHandler<never>): Unsubscribe {
    return this.#feed.on(name, handler);
  }

  /** Called when events were missed: state that was built from them has to be read again. */
  onGap(handler: (gap: Gap) => void): Unsubscribe {
    return this.#feed.onGap(handler);
  }

  onState(handler: (state: ConnectionState) => void): Unsubscribe {
    return this.#states.add(handler);
  }

  /** A frame of a kind that this version does not know, as it came: a newer server may send one. */
  onUnknownFrame(handler: (frame: UnknownFrame) => void): Unsubscribe {
    return this.#unknown.add(handler);
  }

  onProblem(handler: (problem: Problem) => void): Unsubscribe {
    return this.#problems.add(handler);
  }

  /** Ends the client for good; may be called any number of times. */
  async close(): Promise<void> {
    await this.#link.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #ready(signal: AbortSignal | undefined): Promise<unknown> {
    const { state } = this;
    if (state.state === "failed") throw connectError(state.failure);
    if (state.state === "idle") throw new ConnectionLost("not connected", false);
    return waitForHello(this.#states, state, signal);
  }

  #sendable<Options extends RequestOptions>(method: string, options: Options): Options {
    if (this.state.state !== "ready") {
      throw new ConnectionLost(`${method} was not sent: not connected`, false);
    }
    return { ...options, timeoutMs: options.timeoutMs ?? this.#settings.requestTimeoutMs };
  }

  async #authenticate(challenge: Challenge): Promise<void> {
    const before = this.state;
    let params: ConnectParams;
    try {
      params = await connectParams(this.#settings, challenge);
    } catch (cause) {
      if (this.state === before) this.#link.dispatch({ type: "broken", cause });
      return;
    }
    // Signing takes time, and the socket that was asked may be gone by now.
    if (this.state !== before) return;
    this.#requests.ask(connect, params, {}, (outcome) => {
      if (outcome.ok) this.#link.dispatch({ type: "hello", hello: outcome.value });
      else if (outcome.error instanceof GatewayError) {
        this.#link.dispatch({ type: "refused", error: outcome.error.shape });
      } else this.#link.dispatch({ type: "broken", cause: outcome.error });
    });
  }

  #receive(data: unknown): void {
    const inbound = readFrame(this.#checks, data);
    switch (inbound.kind) {
      case "malformed":
        this.#problems.notify({ kind: "frame", issue: inbound.issue });
        break;
      case "unknown":
        this.#unknown.notify(inbound.frame);
        break;
      case "response": {
        const { id, error } = inbound.frame;
        if (this.#requests.answer(inbound.frame)) break;
        this.#problems.notify({ kind: "reply", id, issue: error?.message ?? "never asked for" });
        break;
      }
      case "event":
        this.#onFrame(inbound.frame);
    }
  }

  #onFrame(frame: EventFrame): void {
    this.#feed.deliver(frame);
    if (frame.event !== connectChallenge.name) return;
    if (!this.#checks.is(connectChallenge.payload, frame.payload)) return;
    this.#link.dispatch({ type: "challenged", challenge: frame.payload });
  }

  #changed(state: ConnectionState): void {
    switch (state.state) {
      case "opening":
        this.#feed.restart();
        break;
      case "waiting":
      case "failed":
        this.#requests.loseAll(describeFailure(state.failure));
        break;
      case "stopped":
        this.#requests.loseAll("the client was closed");
        break;
      case "ready":
        this.#subscriptions.restore();
        break;
      case "idle":
      case "greeting":
      case "authenticating":
        break;
    }
    this.#states.notify(state);
  }
}
