/**
 * Admits whoever presents the shared token or both halves of a browser's login or, when no token is needed,
 * whoever is on this machine. The credential is compared first, so that wrong tokens from an address keep
 * nobody out who has the right one; they cost the same tries everywhere.
 */
import type { AuthAttempts } from "./auth-attempts.ts";
import type { BrowserLogins } from "./browser-logins.ts";
import type { PresentedCredential } from "./credentials.ts";
import type { Credential, Principal } from "./principal.ts";
import { isSameSecret } from "./secrets.ts";

export interface AuthFailure {
  readonly status: 401 | 429;
  readonly reason: string;
  /** Zero: waiting does not help. */
  readonly waitMs: number;
}

export interface Credentials {
  readonly address: string;
  readonly isLocal: boolean;
  /** The entry point, for the journal. */
  readonly door: string;
  /** Whether it is a process that works for the server. */
  readonly isOfAgent?: (() => boolean) | undefined;
  readonly shown: PresentedCredential | undefined;
}

export type Authenticate = (visitor: Credentials) => Principal | AuthFailure;

export function isAuthFailure(answer: Principal | AuthFailure): answer is AuthFailure {
  return "status" in answer;
}

export interface AuthenticateDeps {
  /** Null when everyone on this machine may come in. */
  readonly token: string | null;
  readonly logins: Pick<BrowserLogins, "find"> | null;
  readonly attempts: AuthAttempts;
}

export function createAuthenticate({ token, logins, attempts }: AuthenticateDeps): Authenticate {
  return ({ address, isLocal, isOfAgent, door, shown }) => {
    const admit = (credential: Credential): Principal => {
      return { credential, address, isLocal, isOfAgent };
    };
    if (token === null) return isLocal ? admit({ kind: "local" }) : denied(LOCAL_ONLY);
    if (shown === undefined) return denied("send the token as Authorization: Bearer");
    if (shown.kind === "browser") {
      // The cookie alone admits nobody, so it is no guess and costs no try.
      if (shown.page === undefined) return denied(SIGN_IN_AGAIN);
      const found = logins?.find(shown, address);
      if (found?.state === "in") return admit({ kind: "browser", sessionId: found.loginId });
      // A known login is no guess either.
      if (found !== undefined) return denied(found.state === "waiting" ? WAITING : TURNED_AWAY);
    } else if (isSameSecret(shown.token, token)) {
      return admit({ kind: "token" });
    }
    const waitMs = attempts.failed(address, door);
    if (waitMs > 0) return { status: 429, reason: "too many wrong tokens; wait", waitMs };
    return denied(shown.kind === "browser" ? SIGN_IN_AGAIN : "wrong token");
  };
}

/** A proxy that is not named in `trustedProxies` counts as elsewhere, wherever it runs. */
const LOCAL_ONLY =
  "without a token the server answers this machine only; start it with --auth token to allow other machines or a proxy";

const SIGN_IN_AGAIN = "sign in again: this login has ended or belongs to another page";

const WAITING =
  "this browser is waiting for approval: on the machine that runs Atrium, open Settings, Sessions, or run atrium logins";
const TURNED_AWAY = "this browser was rejected";

function denied(reason: string): AuthFailure {
  return { status: 401, reason, waitMs: 0 };
}
