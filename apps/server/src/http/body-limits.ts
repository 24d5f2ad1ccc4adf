/** The limits of bodies, looked up with every request: what the settings say then holds. */
import type { BodyLimits } from "./json-body.ts";

export interface BodySettings {
  readonly maxBodyBytes: number;
  readonly bodyTimeoutMs: number;
}

export function bodyLimitsOf(limits: BodySettings): BodyLimits {
  return {
    get maxBytes() {
      return limits.maxBodyBytes;
    },
    get timeoutMs() {
      return limits.bodyTimeoutMs;
    },
  };
}
