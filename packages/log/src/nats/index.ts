/** A log at NATS servers. Loaded only where the settings name them. */
export { connectNats, NoStream } from "./connect-nats.ts";
export { openNatsLog, type NatsLogOptions } from "./open-nats-log.ts";
export { readServers, type ServerCopy } from "./server-reports.ts";
