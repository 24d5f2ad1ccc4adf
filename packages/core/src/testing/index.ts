export * from "./given.ts";
export * from "./test-clock.ts";
