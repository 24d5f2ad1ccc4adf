export * from "./given.ts";
export * from "./test-time.ts";
