/**
 * The daemon of Codex with the terminals that are open on it, in the shapes that were recorded from version 0.166.0:
 * WebSocket over a Unix socket, what it tells of threads, what it asks of whoever is subscribed, and who is first.
 */
import { EventEmitter, once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocketServer, type WebSocket } from "ws";

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of the protocol
type Json = any;

export interface DaemonOptions {
  /** Left out: the process of the test. */
  readonly pid?: number;
  /** What it does in place of what it should. */
  readonly flaw?: "hangs" | "garbage" | "megabytes";
}

export interface AskedCommand {
  /** The decision, or the answers as JSON, whoever gave them. */
  readonly decision: Promise<string>;
  answerInTerminal(decision: string): void;
}

export interface FakeThread {
  readonly id: string;
  /** Texts of turns and of what was added to them. */
  readonly heard: readonly string[];
  readonly subscribers: number;
  /** The user types, or somebody else starts a turn. */
  begin(): void;
  ask(command: string): AskedCommand;
  askForChange(path: string, diff: string): AskedCommand;
  /** As in its plan mode. */
  askQuestions(...questions: readonly Json[]): AskedCommand;
  finish(): void;
  close(): void;
}

export interface FakeDaemon extends AsyncDisposable {
  readonly requests: readonly { readonly method: string; readonly params: Json }[];
  /** How many clients are connected. */
  readonly clients: number;
  openThread(id?: string, more?: object): FakeThread;
  /** Drops whoever is connected. */
  dropClients(): void;
  /** Resolves once it was asked this. */
  asked(method: string): Promise<void>;
  /** Resolves once someone has connected. */
  met(): Promise<void>;
}

/** The folder of Codex's settings, which goes away with the test; a record says that it has joined. */
export interface CodexFolder extends Disposable {
  readonly path: string;
  join(home: string): void;
  leave(home: string): void;
  openDaemon(options?: DaemonOptions): Promise<FakeDaemon>;
}

const QUESTIONS = "item/tool/requestUserInput";
const recordIn = (home: string): string => join(home, "joined", "codex.json");

export function openCodexFolder(): CodexFolder {
  const path = mkdtempSync(join(tmpdir(), "codex-"));
  for (const each of ["app-server-control", "app-server-daemon"]) mkdirSync(join(path, each));
  return {
    path,
    join(home) {
      mkdirSync(join(home, "joined"), { recursive: true });
      writeFileSync(recordIn(home), JSON.stringify({ folder: path, before: {}, after: {} }));
    },
    leave: (home) => rmSync(recordIn(home)),
    openDaemon: (options = {}) => openDaemon(path, options),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

async function openDaemon(folder: string, { pid, flaw }: DaemonOptions): Promise<FakeDaemon> {
  const path = join(folder, "app-server-control", "app-server-control.sock");
  const http = createServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  const daemon = new Daemon(server, http, path);
  server.on("connection", (socket) => {
    if (flaw === "garbage") socket.send("Usage: codex [OPTIONS]");
    else if (flaw === "megabytes") socket.send(JSON.stringify({ method: "x".repeat(9_000_000) }));
    else if (flaw === undefined) daemon.serve(socket);
  });
  http.listen(path);
  await once(http, "listening");
  writeFileSync(
    join(folder, "app-server-daemon", "daemon.pid"),
    JSON.stringify({ pid: pid ?? process.pid }),
  );
  // As if its terminal had been there first.
  const before = new Date(Date.now() - 60_000);
  utimesSync(path, before, before);
  return daemon;
}

interface OpenRequest {
  readonly message: { readonly id: number; readonly method: string; readonly params: Json };
  settle(decision: string): void;
}

class Daemon implements FakeDaemon {
  readonly requests: { method: string; params: Json }[] = [];
  readonly threads = new Map<string, Thread>();
  readonly #server: WebSocketServer;
  readonly #http: Server;
  readonly #path: string;
  readonly #news = new EventEmitter();
  #lastRequest = 0;
  readonly #open = new Map<number, OpenRequest>();

  constructor(server: WebSocketServer, http: Server, path: string) {
    this.#server = server;
    this.#http = http;
    this.#path = path;
  }

  get clients(): number {
    return this.#server.clients.size;
  }

  serve(socket: WebSocket): void {
    socket.on("message", (data: Buffer) => {
      const message: Json = JSON.parse(data.toString());
      if (message.method === undefined) {
        const { decision, answers } = message.result;
        return this.#open.get(message.id)?.settle(decision ?? JSON.stringify(answers));
      }
      if (message.id === undefined) return;
      const { id } = message;
      const answer = this.#answer(socket, message.method, message.params);
      const sent =
        answer instanceof Error
          ? { error: { code: -32_600, message: answer.message } }
          : { result: answer };
      socket.send(JSON.stringify({ id, ...sent }));
      this.requests.push({ method: message.method, params: message.params });
      this.#news.emit("request");
      if (message.method === "thread/resume" && !(answer instanceof Error)) {
        for (const { message: asked } of this.#open.values()) {
          if (asked.params.threadId === message.params.threadId) socket.send(JSON.stringify(asked));
        }
      }
    });
    socket.on("close", () => {
      for (const thread of this.threads.values()) thread.sockets.delete(socket);
    });
  }

  #answer(socket: WebSocket, method: string, params: Json): Json {
    const thread = this.threads.get(params.threadId);
    switch (method) {
      case "initialize":
        return { userAgent: "codex-tui/0.166.0", codexHome: "/home/ann/.codex" };
      case "thread/loaded/list":
        return { data: [...this.threads.keys()], nextCursor: null };
    }
    if (thread === undefined) return new Error(`no rollout found for thread id ${params.threadId}`);
    switch (method) {
      case "thread/read":
        return { thread: thread.described() };
      case "thread/resume":
        if (!thread.isWritten) return new Error(`no rollout found for thread id ${thread.id}`);
        thread.sockets.add(socket);
        return { thread: thread.described(), initialTurnsPage: { data: thread.turns() } };
      case "thread/unsubscribe":
        return { status: thread.sockets.delete(socket) ? "unsubscribed" : "notSubscribed" };
      case "turn/start":
        thread.heard.push(params.input[0].text);
        thread.begin();
        return { turn: thread.turns()[0] };
      case "turn/steer":
        if (params.expectedTurnId !== thread.turnId) return new Error("no active turn to steer");
        thread.heard.push(params.input[0].text);
        return { turnId: thread.turnId };
    }
    return new Error(`unknown variant ${method}`);
  }

  tellAll(method: string, params: object): void {
    const text = JSON.stringify({ method, params });
    for (const client of this.#server.clients) client.send(text);
  }

  ask(thread: Thread, method: string, params: object): AskedCommand {
    const id = this.#lastRequest++;
    const { promise: decision, resolve } = Promise.withResolvers<string>();
    const flag = method === QUESTIONS ? "waitingOnUserInput" : "waitingOnApproval";
    const message = {
      id,
      method,
      params: { threadId: thread.id, turnId: thread.turnId, ...params },
    };
    const settle = (made: string): void => {
      if (!this.#open.delete(id)) return;
      thread.tell("serverRequest/resolved", { requestId: id });
      thread.changeStatus("active", this.#isAsked(thread) ? [flag] : []);
      resolve(made);
    };
    this.#open.set(id, { message, settle });
    thread.changeStatus("active", [flag]);
    for (const socket of thread.sockets) socket.send(JSON.stringify(message));
    return { decision, answerInTerminal: settle };
  }

  #isAsked({ id }: Thread): boolean {
    return [...this.#open.values()].some(({ message }) => message.params.threadId === id);
  }

  openThread(id = "01a1e1a1-8480-72d1-ad33-e24b31d36526", more: object = {}): FakeThread {
    const thread = new Thread(this, id, more);
    this.threads.set(id, thread);
    this.tellAll("thread/started", { thread: thread.described() });
    return thread;
  }

  async met(): Promise<void> {
    if (this.#server.clients.size === 0) await once(this.#server, "connection");
  }

  async asked(method: string): Promise<void> {
    while (!this.requests.some((each) => each.method === method)) await once(this.#news, "request");
  }

  dropClients(): void {
    for (const client of this.#server.clients) client.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.dropClients();
    this.#server.close();
    this.#http.close();
    rmSync(this.#path, { force: true });
  }
}

class Thread implements FakeThread {
  readonly heard: string[] = [];
  readonly sockets = new Set<WebSocket>();
  readonly id: string;
  readonly #daemon: Daemon;
  readonly #more: object;
  isWritten = false;
  turnId: string | undefined;
  #turns = 0;
  #items = 0;
  #status: object = { type: "idle" };

  constructor(daemon: Daemon, id: string, more: object) {
    this.#daemon = daemon;
    this.id = id;
    this.#more = more;
  }

  get subscribers(): number {
    return this.sockets.size;
  }

  described(): object {
    const own = { id: this.id, ephemeral: false, parentThreadId: null, model: "test-model" };
    return { ...own, cwd: "/home/ann/shop", gitInfo: null, status: this.#status, ...this.#more };
  }

  turns(): readonly object[] {
    return this.turnId === undefined ? [] : [{ id: this.turnId, status: "inProgress" }];
  }

  changeStatus(type: string, activeFlags: readonly string[] = []): void {
    this.#status = type === "active" ? { type, activeFlags } : { type };
    this.#daemon.tellAll("thread/status/changed", { threadId: this.id, status: this.#status });
  }

  tell(method: string, params: object): void {
    const text = JSON.stringify({ method, params: { threadId: this.id, ...params } });
    for (const socket of this.sockets) socket.send(text);
  }

  begin(): void {
    this.turnId = `turn-${++this.#turns}`;
    this.isWritten = true;
    this.changeStatus("active");
    this.tell("turn/started", { turn: { id: this.turnId } });
  }

  ask(command: string): AskedCommand {
    const itemId = `call-${++this.#items}`;
    const said = { command: `/bin/bash -lc '${command}'`, cwd: "/home/ann/shop" };
    const item = { type: "commandExecution", id: itemId, ...said, commandActions: [{ command }] };
    this.tell("item/started", { turnId: this.turnId, item });
    const asked = { kind: "command", itemId, reason: "need it", ...said };
    return this.#daemon.ask(this, "item/commandExecution/requestApproval", asked);
  }

  askForChange(path: string, diff: string): AskedCommand {
    const itemId = `call-${++this.#items}`;
    const changes = [{ path, kind: { type: "add" }, diff }];
    this.tell("item/started", {
      turnId: this.turnId,
      item: { type: "fileChange", id: itemId, changes },
    });
    return this.#daemon.ask(this, "item/fileChange/requestApproval", { itemId, reason: null });
  }

  askQuestions(...questions: readonly Json[]): AskedCommand {
    const itemId = `call-${++this.#items}`;
    const asked = { itemId, questions, isBlocking: true, autoResolutionMs: null };
    return this.#daemon.ask(this, QUESTIONS, asked);
  }

  finish(): void {
    this.tell("turn/completed", { turn: { id: this.turnId, status: "completed" } });
    this.turnId = undefined;
    this.changeStatus("idle");
  }

  close(): void {
    this.#daemon.threads.delete(this.id);
    this.changeStatus("notLoaded");
    this.#daemon.tellAll("thread/closed", { threadId: this.id });
  }
}
