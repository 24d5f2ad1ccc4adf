export * from "./envelope.ts";
export * from "./frames.ts";
export * from "./payloads.ts";
export * from "./signal-limits.ts";
export * from "./signal-reader.ts";
