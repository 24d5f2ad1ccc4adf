/** Settings of an ACP agent as the runtime uses them. */
export interface AcpSettings {
  readonly command: readonly string[];
  /** An absolute path: where it works, and all of the file system it may reach through us. */
  readonly cwd: string;
  /** All of the server's environment that the program is given. */
  readonly env: Readonly<Record<string, string>>;
  readonly startTimeoutMs?: number | undefined;
  readonly idleMs?: number | undefined;
  readonly maxProcesses?: number | undefined;
  readonly maxOutputBytes?: number | undefined;
  readonly contextTokens?: number | undefined;
}

export type CompleteAcpSettings = {
  readonly [Key in keyof AcpSettings]-?: Exclude<AcpSettings[Key], undefined>;
};

export function withDefaults(given: AcpSettings): CompleteAcpSettings {
  return {
    command: given.command,
    cwd: given.cwd,
    env: given.env,
    // Some are fetched from the network before they first start.
    startTimeoutMs: given.startTimeoutMs ?? 120_000,
    idleMs: given.idleMs ?? 10 * 60_000,
    maxProcesses: given.maxProcesses ?? 8,
    maxOutputBytes: given.maxOutputBytes ?? 8 * 1024 * 1024,
    contextTokens: given.contextTokens ?? 200_000,
  };
}
