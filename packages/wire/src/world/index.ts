export * from "./calls.ts";
export * from "./close.ts";
export * from "./commands.ts";
export * from "./entities.ts";
export * from "./events.ts";
export * from "./ids.ts";
export * from "./limits.ts";
export * from "./messages.ts";
