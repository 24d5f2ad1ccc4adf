/**
 * Who may come in by our own paths: whoever shows the shared token or the pass a browser was given for it,
 * or, where none is asked for, whoever is on this machine. What is shown is compared first, so that wrong
 * tokens from an address keep nobody out who has the right one; they cost the same tries everywhere.
 */
import type { Attempts } from "./attempts.ts";
import type { Credential, Principal } from "./credential.ts";
import { isSameSecret } from "./secrets.ts";

export interface Denied {
  readonly status: 401 | 429;
  readonly reason: string;
  /** Zero: waiting does not help. */
  readonly waitMs: number;
}

export interface Visitor {
  readonly address: string;
  readonly isLocal: boolean;
  /** Which one it came to, for the journal. */
  readonly door: string;
  /** Whether it is a process that works for the server. */
  readonly isOfAgent?: (() => boolean) | undefined;
  /** The token or pass it came with. */
  readonly shown: string | undefined;
}

export type Doorkeeper = (visitor: Visitor) => Principal | Denied;

export function isDenied(answer: Principal | Denied): answer is Denied {
  return "status" in answer;
}

export interface DoorkeeperDeps {
  /** Null when everyone on this machine may come in. */
  readonly token: string | null;
  /** What a browser shows in place of the token. */
  readonly pass: string | null;
  readonly attempts: Attempts;
}

export function createDoorkeeper({ token, pass, attempts }: DoorkeeperDeps): Doorkeeper {
  return ({ address, isLocal, isOfAgent, door, shown }) => {
    const admit = (credential: Credential): Principal => ({ credential, address, isOfAgent });
    if (token === null) {
      return isLocal ? admit({ kind: "local" }) : denied(LOCAL_ONLY);
    }
    if (shown === undefined) return denied("send the token as Authorization: Bearer");
    if (isSameSecret(shown, token)) return admit({ kind: "token" });
    if (pass !== null && isSameSecret(shown, pass)) {
      return admit({ kind: "browser", sessionId: "shared" });
    }
    const waitMs = attempts.failed(address, door);
    if (waitMs > 0) return { status: 429, reason: "too many wrong tokens; wait", waitMs };
    return denied("wrong token");
  };
}

/** A proxy that is not named in `trustedProxies` counts as elsewhere, wherever it runs. */
const LOCAL_ONLY =
  "without a token only this machine may ask; start the server with --auth token to be reached from elsewhere or by a proxy";

function denied(reason: string): Denied {
  return { status: 401, reason, waitMs: 0 };
}
