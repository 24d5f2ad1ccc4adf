export * from "./office-engine.ts";
export * from "./office-state.ts";
export * from "./scene-manifest.ts";
