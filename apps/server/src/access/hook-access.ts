/** Admits the hooks of joined sessions: on this machine, by a secret that opens nothing else and decides nothing. */
import type { AuthAttempts } from "./auth-attempts.ts";
import { bearerOf } from "./credentials.ts";
import type { HttpAccess } from "./http-access.ts";
import type { OriginOf } from "./request-origin.ts";
import { isSameSecret } from "./secrets.ts";

/** Under which the secret of hooks is kept in the home. */
export const HOOK_SECRET = "hook-secret";

export interface HookAccessDeps {
  readonly secret: string;
  readonly attempts: AuthAttempts;
  readonly originOf: OriginOf;
}

const REASON = "hooks present the secret of the home; run atrium join again";

export function createHookAccess({ secret, attempts, originOf }: HookAccessDeps): HttpAccess {
  return (request, door = "hooks") => {
    const { address, isLocal } = originOf(request);
    const shown = bearerOf(request);
    if (shown === undefined || !isLocal) return { status: 401, reason: REASON, waitMs: 0 };
    if (isSameSecret(shown, secret)) return { credential: { kind: "hook" }, address, isLocal };
    const waitMs = attempts.failed(address, door);
    return waitMs > 0
      ? { status: 429, reason: "too many wrong tokens; wait", waitMs }
      : { status: 401, reason: REASON, waitMs: 0 };
  };
}
