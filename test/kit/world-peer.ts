/**
 * A client of the world that knows nothing: it sends what it is told and remembers what comes back. Every
 * message it receives is held against the schema that the server publishes.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { WebSocket } from "ws";
import type { Closed } from "./raw-peer.ts";

export interface WorldMessage {
  readonly type: string;
  readonly id: string;
  readonly ts: number;
  readonly v: number;
  // Whatever it carries; tests look into it without a schema on purpose.
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly payload: any;
}

export const SCENE = "cozy_office_v0";
export const ALL_CHANNELS = {
  events: true,
  snapshots: true,
  goals: true,
  chat: true,
  agent_stream: true,
};

const schema = new URL("../../dist/world.schema.json", import.meta.url);
const document = JSON.parse(readFileSync(schema, "utf8")) as { readonly $id: string };
const ajv = new Ajv().addSchema(document);
const isFromServer = ajv.getSchema(`${document.$id}#/definitions/FromServer`);

export function assertWorldMessage(message: unknown): void {
  assert.ok(isFromServer);
  if (isFromServer(message) !== true) {
    const { type } = message as WorldMessage;
    const ofType = ajv.getSchema(`${document.$id}#/definitions/server_${type}`);
    void ofType?.(message);
    assert.fail(`${ajv.errorsText(ofType?.errors)}: ${JSON.stringify(message).slice(0, 2_000)}`);
  }
}

export class WorldPeer {
  readonly socket: WebSocket;
  readonly messages: WorldMessage[] = [];
  readonly closed: Promise<Closed>;
  #wanted: {
    readonly isIt: (message: WorldMessage) => boolean;
    readonly resolve: (message: WorldMessage) => void;
  }[] = [];
  #number = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    const { promise, resolve } = Promise.withResolvers<Closed>();
    this.closed = promise;
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as WorldMessage;
      assertWorldMessage(message);
      this.messages.push(message);
      const { met = [], left = [] } = Object.groupBy(this.#wanted, ({ isIt }) =>
        isIt(message) ? "met" : "left",
      );
      this.#wanted = left;
      for (const waiter of met) waiter.resolve(message);
    });
    socket.on("error", () => undefined);
    socket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
  }

  sendText(text: string): void {
    this.socket.send(text);
  }

  /** Sends a message and returns its id. */
  send(type: string, payload: unknown, id = `${type}_${++this.#number}`): string {
    this.sendText(JSON.stringify({ type, id, ts: Date.now(), v: 1, payload }));
    return id;
  }

  /** The first message, past or future, for which it holds. */
  async first(isIt: (message: WorldMessage) => boolean): Promise<WorldMessage> {
    return this.messages.find(isIt) ?? this.next(isIt);
  }

  async next(isIt: (message: WorldMessage) => boolean): Promise<WorldMessage> {
    const { promise, resolve } = Promise.withResolvers<WorldMessage>();
    this.#wanted.push({ isIt, resolve });
    const gone = this.closed.then((closed) => {
      throw new Error(`the socket closed: ${JSON.stringify(closed)}`);
    });
    return Promise.race([promise, gone]);
  }

  nextOf(type: string): Promise<WorldMessage> {
    return this.next((message) => message.type === type);
  }

  event(name: string): Promise<WorldMessage> {
    return this.first(({ type, payload }) => type === "event" && payload.name === name);
  }

  /** What was told of that type, in order. */
  told(type: string): readonly WorldMessage[] {
    return this.messages.filter((message) => message.type === type);
  }

  /** Says hello and gives back what was answered. */
  async hello(payload: object = {}): Promise<WorldMessage> {
    const answer = this.next(({ type }) => type === "hello_ack" || type === "error");
    this.send("hello", { client: { name: "tester", build: "dev", platform: "test" }, ...payload });
    return answer;
  }

  /** Subscribes and gives back the snapshot that follows, whatever was replayed before it. */
  async subscribe(channels: object = ALL_CHANNELS): Promise<WorldMessage> {
    const snapshot = this.nextOf("snapshot");
    this.send("subscribe", { scene_id: SCENE, channels });
    return snapshot;
  }

  /** Sends a command and gives back the one answer it gets. */
  async command(name: string, data: unknown, id?: string): Promise<WorldMessage> {
    const sent = id ?? `cmd_${++this.#number}`;
    const answer = this.next(
      ({ type, payload }) => (type === "ack" || type === "error") && payload.in_reply_to === sent,
    );
    this.send("command", { name, data }, sent);
    return answer;
  }

  /** A command that must be taken. */
  async ask(name: string, data: unknown): Promise<void> {
    const { type, payload } = await this.command(name, data);
    assert.equal(type, "ack", JSON.stringify(payload));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }
}

/** A socket that has said nothing yet. */
export async function openWorldPeer(
  wsUrl: string,
  token?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<WorldPeer> {
  const headers = { ...more, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const socket = new WebSocket(new URL("/ws/world", wsUrl), { headers });
  const peer = new WorldPeer(socket);
  await once(socket, "open");
  return peer;
}

const STILL_HERE_MS = 15_000;

/** A peer that is in and subscribed to everything. */
export async function enterWorld(
  server: { readonly wsUrl: string; readonly token: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<WorldPeer> {
  const peer = await openWorldPeer(server.wsUrl, server.token, headers);
  await peer.hello();
  await peer.subscribe();
  // A machine that has too much to do may keep it waiting for longer than a silent client is kept.
  const alive = setInterval(() => peer.send("ping", { nonce: "still here" }), STILL_HERE_MS);
  alive.unref();
  peer.socket.once("close", () => clearInterval(alive));
  return peer;
}

/** Asks for something the short way, as another client of the same office would. */
export async function askFor(
  atrium: Parameters<typeof enterWorld>[0],
  text: string,
): Promise<void> {
  await using peer = await enterWorld(atrium);
  await peer.ask("submit_request", { text });
  await peer.event("kickoff_finished");
}

/** The code of an answer; `ok` for an ack. */
export function codeOf({ type, payload }: WorldMessage): string {
  return type === "ack" ? "ok" : payload.code;
}

export interface PlannedProject {
  readonly projectId: string;
  readonly tasks: readonly string[];
}

/** A project whose tasks wait for someone. */
export async function plannedProject(peer: WorldPeer, text = "A page"): Promise<PlannedProject> {
  await peer.ask("submit_request", { text });
  const planned = await peer.event("tasks_created");
  await peer.event("kickoff_finished");
  const tasks = planned.payload.tasks.map(({ task_id }: { task_id: string }) => task_id);
  return { projectId: planned.payload.project_id, tasks };
}
