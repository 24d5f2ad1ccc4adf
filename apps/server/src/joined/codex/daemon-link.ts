/**
 * The link to the daemon of Codex: a socket, the protocol of `codex app-server` on it, and an end. A daemon that does not
 * answer is as good as gone.
 */
import manifest from "../../../package.json" with { type: "json" };
import {
  AppServerConnection,
  type AppServerHandlers,
} from "../../agents/codex/app-server/connection.ts";
import { AgentGone } from "../../agents/process/agent-gone.ts";
import type { Fields } from "../../agents/turn/json-fields.ts";
import type { Timers } from "../../platform/timers.ts";
import { openDaemonSocket, type DaemonSocket } from "./daemon-socket.ts";

export interface DaemonLinkHandlers extends Omit<AppServerHandlers, "onBroken"> {
  /** It can be asked. */
  readonly onReady: () => Promise<void>;
  readonly onClosed: () => void;
  readonly onFault: (cause: unknown) => void;
}

/** For what a daemon may take to answer. */
const PATIENCE_MS = 20_000;
/** What a session says and puts out is not read here. */
const UNREAD = [
  "item/agentMessage/delta",
  "item/plan/delta",
  "item/reasoning/summaryTextDelta",
  "item/reasoning/summaryPartAdded",
  "item/reasoning/textDelta",
  "item/commandExecution/outputDelta",
  "item/fileChange/outputDelta",
  "turn/diff/updated",
  "turn/plan/updated",
  "thread/tokenUsage/updated",
  "account/rateLimits/updated",
  "hook/started",
  "hook/completed",
];

export class DaemonLink {
  readonly #timers: Timers;
  readonly #handlers: DaemonLinkHandlers;
  readonly #connection: AppServerConnection;
  readonly #socket: DaemonSocket;
  readonly #lost = new AbortController();

  constructor(path: string, timers: Timers, handlers: DaemonLinkHandlers) {
    this.#timers = timers;
    this.#handlers = handlers;
    const onBroken = (): void => this.close();
    this.#connection = new AppServerConnection((message) => this.#socket.send(message), {
      ...handlers,
      onBroken,
    });
    this.#socket = openDaemonSocket(path, {
      onOpen: () => void this.#begin(),
      onText: (text) => this.#connection.read(text),
      onClosed: () => this.#end(),
    });
  }

  /** Aborted when it is over. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Rejects with an AppServerRefusal, or with AgentGone. */
  async request(method: string, params: object): Promise<Fields> {
    const cancel = this.#timers.after(PATIENCE_MS, () => this.close());
    try {
      return await this.#connection.request(method, params);
    } finally {
      cancel();
    }
  }

  close(): void {
    this.#socket.close();
    this.#end();
  }

  async #begin(): Promise<void> {
    try {
      await this.request("initialize", {
        clientInfo: { name: "atrium", title: "Atrium", version: manifest.version },
        capabilities: { experimentalApi: true, optOutNotificationMethods: UNREAD },
      });
      this.#connection.notify("initialized");
      await this.#handlers.onReady();
    } catch (cause) {
      if (!this.lost.aborted) this.#handlers.onFault(cause);
      this.close();
    }
  }

  #end(): void {
    if (this.lost.aborted) return;
    this.#connection.close(new AgentGone("The daemon of Codex is gone."));
    this.#lost.abort();
    this.#handlers.onClosed();
  }
}
