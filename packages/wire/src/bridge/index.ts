export * from "./catalogue.ts";
export * from "./close.ts";
export * from "./frame-reader.ts";
export * from "./frames.ts";
