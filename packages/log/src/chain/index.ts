export * from "./bus.ts";
export * from "./chain.ts";
export * from "./chain-log.ts";
export * from "./cluster-log.ts";
export * from "./memory-bus.ts";
export * from "./memory-chain.ts";
