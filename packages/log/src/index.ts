export * from "./log.ts";
export { openMemoryLog, type MemoryLogOptions } from "./log-memory.ts";
export { openSqliteLog, type SqliteLogOptions } from "./log-sqlite.ts";
