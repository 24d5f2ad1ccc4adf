/**
 * A client of the world that reconnects and goes on where it was.
 *
 *   socket -> hello (with the cursor) -> hello_ack -> subscribe -> what was missed -> snapshot -> live
 *
 * It delivers nothing twice, reports when something was missed for good, and keeps its state while it is disconnected.
 * Works in browsers and in Node.
 */
import {
  WORLD_VERSIONS,
  type ResumeReason,
  type WORLD_CLIENT_MESSAGES,
  type WorldChannel,
  type WorldCommandData,
  type WorldCommandName,
  type WorldMessageOf,
} from "@atrium/wire/world";
import { readAddress } from "../base/address.ts";
import { defaultDeps, type ClientDeps } from "../base/deps.ts";
import { ConnectionLost } from "../base/errors.ts";
import { Listeners, type Unsubscribe } from "../base/listeners.ts";
import { rethrowLater } from "../base/problem.ts";
import { Commands, WorldStale, type WorldAck } from "./commands.ts";
import { readMessage, type ServerMessage, type ServerMessageType } from "./message.ts";
import type { WorldStatus } from "./status.ts";
import { WorldLink } from "./world-link.ts";
import { WorldState, type AgentGoal, type Snapshot, type StreamSoFar } from "./world-state.ts";

export interface WorldClientInfo {
  readonly name: string;
  readonly build?: string;
  readonly platform?: string;
}

export interface WorldClientOptions {
  /** `ws://` or `wss://`, up to and with `/ws/world`; or the address as the server prints it. */
  readonly url: string;
  /** The name that others see. */
  readonly client?: WorldClientInfo | undefined;
  /** Not needed where a browser has the cookie. */
  readonly token?: string | undefined;
  readonly sceneId?: string;
  readonly channels?: { readonly [Channel in WorldChannel]?: boolean };
  readonly deps?: Partial<ClientDeps>;
}

/** Something was missed for good; the snapshot that follows is where to begin again. */
export interface WorldGap {
  readonly reason: ResumeReason;
  readonly lastSeq: number;
}

const SCENE = "cozy_office_v0";
const CHANNELS = { events: true, snapshots: true, goals: true, chat: true, agent_stream: true };

export function createWorldClient(options: WorldClientOptions): WorldClient {
  return new WorldClient(options);
}

export class WorldClient implements Disposable {
  readonly #options: WorldClientOptions;
  readonly #deps: ClientDeps;
  readonly #state = new WorldState();
  readonly #link: WorldLink;
  readonly #commands: Commands;
  readonly #statuses = new Listeners<[WorldStatus]>(rethrowLater);
  readonly #gaps = new Listeners<[WorldGap]>(rethrowLater);
  readonly #token: string | undefined;
  #info: WorldClientInfo;
  readonly #listeners = new Map<ServerMessageType, Listeners<[ServerMessage]>>();

  constructor(options: WorldClientOptions) {
    const { socketUrl, token: inUrl } = readAddress(options.url, "/ws/world");
    this.#options = options;
    this.#token = options.token ?? inUrl;
    this.#info = options.client ?? { name: "a program" };
    this.#deps = { ...defaultDeps(), ...options.deps };
    const handlers = {
      opened: () => {
        this.#state.opened();
        this.#hello();
      },
      receive: (data: unknown) => this.#receive(data),
      ping: () => this.#send("ping", {}),
      changed: (status: WorldStatus) => this.#changed(status),
    };
    this.#link = new WorldLink(socketUrl, handlers, this.#deps);
    this.#commands = new Commands((text) => this.#link.send(text));
  }

  get status(): WorldStatus {
    return this.#link.status;
  }

  /** The latest snapshot; null before the first. */
  get snapshot(): Snapshot | null {
    return this.#state.snapshot;
  }

  /** Where each agent was last sent. */
  get goals(): ReadonlyMap<string, AgentGoal> {
    return this.#state.goals;
  }

  /** What agents are saying right now. */
  get streams(): ReadonlyMap<string, StreamSoFar> {
    return this.#state.streams;
  }

  /** Starts, and resolves once connected; rejects when it cannot succeed, or after `close`. */
  async connect(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const settle = (status: WorldStatus): void => {
      if (status.state === "connected") resolve();
      else if (status.state === "failed") reject(new ConnectionLost(status.reason, false));
      else if (status.state === "stopped") {
        reject(new ConnectionLost("the client was closed", false));
      }
    };
    const unsubscribe = this.onStatus(settle);
    try {
      this.#link.start();
      settle(this.status);
      await promise;
    } finally {
      unsubscribe();
    }
  }

  /**
   * Asks for something; resolves when the server has taken it. Refused at once while there is no connection;
   * what was sent before it was lost is sent again, and happens once.
   */
  async command<Name extends WorldCommandName>(
    name: Name,
    data: WorldCommandData<Name>,
    id = `cmd_${this.#deps.newKey()}`,
  ): Promise<WorldAck> {
    if (this.status.state !== "connected") throw new WorldStale(name);
    return this.#commands.ask(id, this.#encode("command", { name, data }, id));
  }

  /** Called with every message of that type, each once, in order. */
  on<Type extends ServerMessageType>(
    type: Type,
    handler: (message: WorldMessageOf<Type>) => void,
  ): Unsubscribe {
    const listeners = this.#listeners.get(type) ?? new Listeners<[ServerMessage]>(rethrowLater);
    this.#listeners.set(type, listeners);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- told by type
    return listeners.add(handler as (message: ServerMessage) => void);
  }

  onStatus(handler: (status: WorldStatus) => void): Unsubscribe {
    return this.#statuses.add(handler);
  }

  onGap(handler: (gap: WorldGap) => void): Unsubscribe {
    return this.#gaps.add(handler);
  }

  /** Changes the name. The hello carries it, so a connected client reconnects at once and goes on. */
  introduce(info: WorldClientInfo): void {
    this.#info = info;
    this.#link.reopen();
  }

  /** Ends the client for good. */
  close(): void {
    this.#link.stop();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #hello(): void {
    const token = this.#token;
    const resume = this.#state.cursor;
    this.#send("hello", {
      client: this.#info,
      supported_versions: [...WORLD_VERSIONS],
      ...(token !== undefined && { auth: { token } }),
      ...(resume !== undefined && { resume }),
    });
  }

  #receive(data: unknown): void {
    const message = readMessage(data);
    if (message === undefined || !this.#state.take(message)) return;
    switch (message.type) {
      case "hello_ack":
        this.#welcomed(message);
        break;
      case "ack":
        this.#commands.taken(message);
        break;
      case "error":
        this.#commands.refused(message);
        break;
      case "snapshot":
        this.#caughtUp();
        break;
      case "event":
      case "agent_goal":
      case "chat":
      case "agent_stream":
      case "pong":
        break;
    }
    this.#listeners.get(message.type)?.notify(message);
  }

  #welcomed({ payload: { resume } }: WorldMessageOf<"hello_ack">): void {
    const { cursor } = this.#state;
    this.#state.reconnected();
    // A server that cannot resume means a gap too.
    if (cursor !== undefined && resume?.status !== "resumed") {
      this.#state.restart();
      this.#gaps.notify({
        reason: resume?.reason ?? "REPLAY_UNAVAILABLE",
        lastSeq: cursor.last_seq,
      });
    }
    const { sceneId = SCENE, channels = CHANNELS } = this.#options;
    this.#send("subscribe", { scene_id: sceneId, channels });
  }

  /** The snapshot closes what was replayed. */
  #caughtUp(): void {
    if (this.status.state === "connected") return;
    this.#link.caughtUp();
    this.#commands.resend();
  }

  #changed(status: WorldStatus): void {
    if (status.state === "failed" || status.state === "stopped") {
      this.#commands.loseAll(status.state === "failed" ? status.reason : "the client was closed");
    }
    this.#statuses.notify(status);
  }

  #send(type: keyof typeof WORLD_CLIENT_MESSAGES, payload: object): void {
    this.#link.send(this.#encode(type, payload, `${type}_${this.#deps.newKey()}`));
  }

  #encode(type: keyof typeof WORLD_CLIENT_MESSAGES, payload: object, id: string): string {
    return JSON.stringify({ type, id, ts: this.#deps.now(), v: 1, payload });
  }
}
