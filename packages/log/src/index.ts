export * from "./log.ts";
export { openMemoryLog } from "./log-memory.ts";
export { openSqliteLog } from "./sqlite/log-sqlite.ts";
export type * from "./chain/bus.ts";
export type * from "./chain/cluster-log.ts";
