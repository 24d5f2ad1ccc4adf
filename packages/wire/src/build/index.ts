export * from "./envelope.ts";
export * from "./events.ts";
export * from "./methods.ts";
export * from "./steps.ts";
