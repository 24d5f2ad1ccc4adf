/** A log at NATS servers. Loaded only where the settings name them. */
export { connectNats, NoStream, type NatsPeers } from "./connect-nats.ts";
export type { NatsPlace } from "./nats-connection.ts";
export { openNatsLog, type NatsLogOptions } from "./open-nats-log.ts";
export { readServers, type ServerCopy, type ServerReport } from "./server-reports.ts";
