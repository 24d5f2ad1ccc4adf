/** Settings of an upstream gateway as the runtime uses them. */
export interface OpenClawSettings {
  readonly url: string;
  readonly token?: string | undefined;
  /** Which of its agents. */
  readonly agentId?: string | undefined;
  /** One session for everything, instead of one for each conversation. */
  readonly sessionKey?: string | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly reconnectTimeoutMs?: number | undefined;
  readonly contextTokens?: number | undefined;
}

export interface CompleteOpenClawSettings extends OpenClawSettings {
  readonly agentId: string;
  readonly connectTimeoutMs: number;
  readonly reconnectTimeoutMs: number;
  readonly contextTokens: number;
}

export function withDefaults(given: OpenClawSettings): CompleteOpenClawSettings {
  return {
    ...given,
    agentId: given.agentId ?? "main",
    connectTimeoutMs: given.connectTimeoutMs ?? 30_000,
    // A gateway that restarts may take half a minute, and one that is updated several.
    reconnectTimeoutMs: given.reconnectTimeoutMs ?? 5 * 60_000,
    contextTokens: given.contextTokens ?? 200_000,
  };
}
