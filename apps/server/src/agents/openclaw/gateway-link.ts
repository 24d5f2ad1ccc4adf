/**
 * The connection to a gateway, shared by all turns: opened by the first, opened again when it is lost,
 * and closed when none has needed it for a while.
 *
 *   closed -> connecting <-> connected          refused (wrong token, wrong protocol): until the next turn
 */
import type { GatewayClient } from "@openclaw/gateway-client";
import manifest from "../../../package.json" with { type: "json" };
import type { Timers } from "../../platform/timers.ts";
import { redact } from "../turn/mask.ts";
import type { OpenClawSettings } from "./openclaw-settings.ts";

/** The gateway cannot be used; the message is for a person. */
export class GatewayRefused extends Error {
  override readonly name = "GatewayRefused";
}

export interface LinkListener {
  event(name: string, payload: unknown): void;
  lost(): void;
}

const IDLE_MS = 60_000;
const SCOPES = ["operator.read", "operator.write", "operator.approvals"];

export class GatewayLink {
  readonly #settings: OpenClawSettings;
  readonly #timers: Timers;
  readonly #listeners = new Set<LinkListener>();
  #client: GatewayClient | undefined;
  #ready = Promise.withResolvers<void>();
  #isConnected = false;
  #problem = "it did not answer";
  #stopIdling = (): void => undefined;

  constructor(settings: OpenClawSettings, timers: Timers) {
    this.#settings = settings;
    this.#timers = timers;
  }

  /** Holds the connection open until the function it returns is called. */
  hold(listener: LinkListener): () => void {
    this.#stopIdling();
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stopIdling = this.#timers.after(IDLE_MS, () => this.close());
    };
  }

  /** Resolves as soon as there is a connection; rejects with GatewayRefused when there will be none. */
  async connected(): Promise<void> {
    if (this.#client === undefined) await this.#open();
    await this.#ready.promise;
  }

  problem(): string {
    return redact(this.#problem, this.#settings.token);
  }

  async request(method: string, params: object): Promise<unknown> {
    if (this.#client === undefined) throw new GatewayRefused("There is no connection.");
    return this.#client.request<unknown>(method, params);
  }

  close(): void {
    this.#stopIdling();
    const client = this.#client;
    this.#client = undefined;
    this.#isConnected = false;
    client?.stop();
  }

  async #open(): Promise<void> {
    const { GatewayClient } = await import("@openclaw/gateway-client");
    // Another turn may have been faster.
    if (this.#client !== undefined) return;
    this.#renew();
    const { url, token } = this.#settings;
    const client: GatewayClient = new GatewayClient({
      url,
      ...(token !== undefined && { token }),
      clientName: "gateway-client",
      clientDisplayName: "Atrium",
      clientVersion: manifest.version,
      mode: "backend",
      role: "operator",
      scopes: SCOPES,
      caps: ["tool-events"],
      // Left alone, it would read settings of its own from the server's environment.
      env: {},
      onHelloOk: () => {
        if (this.#client !== client) return;
        this.#isConnected = true;
        this.#ready.resolve();
      },
      onConnectError: (error) => void (this.#problem = error.message),
      onClose: (_code, reason) => {
        if (this.#client === client) this.#lose(reason);
      },
      onReconnectPaused: ({ reason }) => {
        if (this.#client === client) this.#refuse(reason);
      },
      onEvent: ({ event, payload }) => {
        for (const listener of this.#listeners) listener.event(event, payload);
      },
    });
    this.#client = client;
    try {
      client.start();
    } catch (cause) {
      // It will not send a token over an open network in the clear, for one.
      this.#refuse(cause instanceof Error ? cause.message : String(cause));
    }
  }

  #renew(): void {
    this.#ready = Promise.withResolvers<void>();
    // Nobody may be waiting.
    this.#ready.promise.catch(() => undefined);
  }

  #lose(reason: string): void {
    if (reason !== "") this.#problem = reason;
    if (!this.#isConnected) return;
    this.#isConnected = false;
    this.#renew();
    for (const listener of this.#listeners) listener.lost();
  }

  #refuse(reason: string): void {
    const { token, url } = this.#settings;
    const shownReason = redact(reason === "" ? this.#problem : reason, token);
    this.#ready.reject(
      new GatewayRefused(`The gateway at ${url} does not let us in: ${shownReason}`),
    );
    this.close();
  }
}
