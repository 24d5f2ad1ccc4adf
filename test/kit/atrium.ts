/** A whole Atrium in this process, on a free port and a home of its own that is gone afterwards. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fault } from "@atrium/core";
import type { Log } from "@atrium/log";
import { openAtrium, type Atrium } from "@atrium/server/compose";
import { readConfig, type Config } from "@atrium/server/config";
import { openHome } from "@atrium/server/home";
import {
  connectPeer,
  openPeer,
  type Connected,
  type ConnectOptions,
  type RawPeer,
} from "./raw-peer.ts";

export interface TestAtrium extends AsyncDisposable {
  readonly url: string;
  readonly wsUrl: string;
  readonly port: number;
  readonly token: string;
  readonly home: string;
  readonly faults: readonly Fault[];
  /** What the journal would have besides. */
  readonly notes: readonly Readonly<Record<string, unknown>>[];
  readonly bridge: Atrium["bridge"];
  readonly lost: Atrium["lost"];
  /** A socket that has said nothing yet. */
  open(): Promise<RawPeer>;
  /** A peer that is in, with the shared token unless told otherwise. */
  connect(options?: ConnectOptions): Promise<Connected>;
  close(): Promise<void>;
}

export interface TestOptions {
  readonly home?: string;
  readonly args?: readonly string[];
  /** What its settings file says. */
  readonly settings?: unknown;
  readonly limits?: Readonly<Record<string, number>>;
  /** How people walk and meet; left out: in no time that matters. */
  readonly office?: Partial<Config["office"]>;
  /** The environment of the server. */
  readonly env?: Readonly<Record<string, string>>;
  readonly allowedHosts?: readonly string[];
  /** Where keys are; left out: there are none. */
  readonly readEnv?: (name: string) => string | undefined;
  readonly allowedOrigins?: readonly string[];
  readonly trustedProxies?: readonly string[];
  /** Another log than one in memory. */
  readonly openLog?: () => Promise<Log>;
}

export async function openTestAtrium(options: TestOptions = {}): Promise<TestAtrium> {
  const folder = options.home ?? (await mkdtemp(join(tmpdir(), "atrium-")));
  if (options.settings !== undefined) {
    await writeFile(join(folder, "atrium.config.json"), JSON.stringify(options.settings));
  }
  const faults: Fault[] = [];
  const notes: Readonly<Record<string, unknown>>[] = [];
  const args = ["--port", "0", "--home", folder, "--log", "memory", ...(options.args ?? [])];
  const inputs = { args, env: {}, cwd: folder };
  const config = readConfig(inputs);
  const atrium = await openAtrium({
    config: {
      ...config,
      limits: { ...config.limits, ...options.limits },
      office: { walkingSpeedMps: 12, meetingMs: 0, ...options.office },
      allowedHosts: [...(options.allowedHosts ?? [])],
      allowedOrigins: [...(options.allowedOrigins ?? [])],
      trustedProxies: [...(options.trustedProxies ?? [])],
    },
    inputs,
    home: openHome(config.home, config.shared),
    version: "0.0.0-test",
    ...(options.openLog && { openLog: options.openLog }),
    readEnv: options.readEnv ?? ((name) => options.env?.[name]),
    report: (fault) => void faults.push(fault),
    note: (what, context) => void notes.push({ what, ...context }),
  });
  const wsUrl = atrium.url.replace(/^http/, "ws");
  const token = atrium.token ?? "";
  const close = async (): Promise<void> => {
    await atrium.close();
    if (options.home !== undefined) return;
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  };
  return {
    url: atrium.url,
    wsUrl,
    port: atrium.port,
    token,
    home: folder,
    faults,
    notes,
    bridge: atrium.bridge,
    lost: atrium.lost,
    open: () => openPeer(wsUrl),
    connect: (how = {}) => connectPeer(wsUrl, { auth: { token }, ...how }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
