export * from "./chat-completions.ts";
export * from "./error.ts";
export * from "./models.ts";
