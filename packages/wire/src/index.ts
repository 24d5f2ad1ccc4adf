export * from "./close.ts";
export { editJson, type JsonEdit } from "./edit-json.ts";
export * from "./json.ts";
export { withoutComments } from "./json-text.ts";
export * from "./method.ts";
export * from "./own.ts";
export * from "./permission.ts";
export * from "./position.ts";
export * from "./visible-text.ts";
