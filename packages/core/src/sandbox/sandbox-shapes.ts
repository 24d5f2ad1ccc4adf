import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { SandboxTested } from "./sandbox.ts";

export const SANDBOX_EVENTS: EventDeclarations<SandboxTested> = {
  "sandbox.tested": v1({ mode: "string", problem: "string?", attempts: "array" }),
};
