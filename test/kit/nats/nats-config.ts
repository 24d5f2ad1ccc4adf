/** The configuration of the servers that tests start: what docs/cluster.md tells people, on this machine. */

export interface NatsPorts {
  readonly client: number;
  readonly monitor: number;
  readonly route: number;
}

export interface NatsTls {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
  /** Clients must show a certificate of the same authority. */
  readonly isVerified: boolean;
}

export interface NatsSettings {
  readonly name: string;
  /** Servers of another test, should they meet, are not let in. */
  readonly cluster: string;
  readonly ports: NatsPorts;
  /** Of all servers; with one there is no cluster. */
  readonly routes: readonly number[];
  readonly storeFolder: string;
  /** False leaves the server's own two minutes between two syncs. */
  readonly isSynced: boolean;
  readonly maxPayload: string;
  readonly hasJetStream: boolean;
  readonly tls: NatsTls | undefined;
  /** The public key of a user that comes with a credentials file. */
  readonly userKey: string | undefined;
}

/** In the account of the log; the others are for what may go wrong with an account. */
export const NATS_USERS = {
  writer: { user: "writer", password: "writer" },
  /** May read and not write. */
  reader: { user: "reader", password: "reader" },
  /** In an account without JetStream. */
  guest: { user: "guest", password: "guest" },
  /** In another account with JetStream, whose streams may have the same names. */
  neighbor: { user: "neighbor", password: "neighbor" },
  system: { user: "system", password: "system" },
} as const;

export function natsConfig(settings: NatsSettings): string {
  const { name, cluster, ports, routes, storeFolder, isSynced, maxPayload, hasJetStream } =
    settings;
  const { writer, reader, guest, neighbor, system } = NATS_USERS;
  const sync = isSynced ? ", sync_interval: always" : "";
  const key = settings.userKey === undefined ? "" : `, { nkey: ${settings.userKey} }`;
  const urls = routes.map((port) => `"nats-route://127.0.0.1:${port}"`);
  return [
    `server_name: ${name}`,
    `listen: "127.0.0.1:${ports.client}"`,
    `http: "127.0.0.1:${ports.monitor}"`,
    `max_payload: ${maxPayload}`,
    // The disk and not the limit is what can be full.
    hasJetStream
      ? `jetstream { store_dir: "${storeFolder}", max_file_store: 10GB, max_memory_store: 64MB${sync} }`
      : "",
    // Clients come by the addresses they were given: one that is cut off does not find another way.
    routes.length < 2
      ? ""
      : `cluster { name: ${cluster}, listen: "127.0.0.1:${ports.route}", no_advertise: true, routes: [${urls.join(", ")}] }`,
    "accounts {",
    hasJetStream ? "  LOG { jetstream: enabled, users: [" : "  LOG { users: [",
    `    { user: ${writer.user}, password: ${writer.password} }${key},`,
    `    { user: ${reader.user}, password: ${reader.password}, permissions: {`,
    '      publish: { deny: ["atrium.>", "$JS.API.STREAM.CREATE.>"] } } } ] }',
    hasJetStream
      ? `  BESIDE { jetstream: enabled, users: [{ user: ${neighbor.user}, password: ${neighbor.password} }] }`
      : "",
    `  OTHER { users: [{ user: ${guest.user}, password: ${guest.password} }] }`,
    `  SYS { users: [{ user: ${system.user}, password: ${system.password} }] }`,
    "}",
    "system_account: SYS",
    settings.tls === undefined ? `no_auth_user: ${writer.user}` : tlsBlock(settings.tls),
    "",
  ].join("\n");
}

function tlsBlock({ certFile, keyFile, caFile, isVerified }: NatsTls): string {
  return `tls { cert_file: "${certFile}", key_file: "${keyFile}", ca_file: "${caFile}", verify: ${isVerified}, timeout: 5 }`;
}
