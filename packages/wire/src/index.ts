export * from "./close.ts";
export * from "./json.ts";
export * from "./method.ts";
export * from "./own.ts";
export * from "./permission.ts";
export * from "./position.ts";
export * from "./visible-text.ts";
