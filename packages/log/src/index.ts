export * from "./log.ts";
export { openMemoryLog } from "./log-memory.ts";
export { openSqliteLog } from "./sqlite/log-sqlite.ts";
