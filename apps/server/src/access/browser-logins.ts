/**
 * Browsers that signed in. Each has two secrets, made at login: a cookie that scripts cannot read, and one
 * that the page keeps in its origin's storage and sends along. Programs on other ports of the same host
 * are sent the cookie too, but never the other half, so the cookie alone gives no access.
 *
 * One that signs in from another machine has no access until a person approves it (./login-opener.ts).
 *
 * The log keeps keyed digests of the secrets; the key is derived from the shared token, so that every login
 * ends when the token changes.
 */
import {
  Fault,
  login,
  refuse,
  type Answerer,
  type Clock,
  type Dispatch,
  type Ids,
  type LoginEnd,
  type LoginRow,
  type Logins,
  type Outcome,
} from "@atrium/core";
import type { PresentedCredential } from "./credentials.ts";
import { createLoginOpener, LIFETIME_MS, type LoginOrigin, type NewLogin } from "./login-opener.ts";
import { derive, isSameSecret } from "./secrets.ts";

export interface BrowserLogins {
  readonly cookieName: string;
  /** A login from another machine waits for approval. */
  open(from: LoginOrigin): Promise<Outcome<NewLogin>>;
  /** The login that both halves belong to, unless it has expired. It may still wait, or be rejected. */
  find(
    shown: Extract<PresentedCredential, { readonly kind: "browser" }>,
    address: string,
  ): LoginRow | undefined;
  isOpen(loginId: string): boolean;
  isOver(row: LoginRow): boolean;
  approve(loginId: string, by: Answerer): Promise<Outcome<unknown>>;
  reject(loginId: string, by: Answerer): Promise<Outcome<unknown>>;
  /** Whether the cookie belongs to that login, and it is open. */
  hasCookie(loginId: string, cookie: string): boolean;
  /** When it was last used, which the log may not have yet. */
  seenAt(row: LoginRow): number;
  end(loginId: string, why: LoginEnd): Promise<void>;
}

export interface BrowserLoginDeps {
  readonly token: string;
  readonly logins: Pick<Logins, "get" | "list">;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly report: (fault: Fault) => void;
}

const NAME_LENGTH = 8;
/** The log does not record every request. */
const SEEN_EVERY_MS = 60 * 60_000;

export function createBrowserLogins(deps: BrowserLoginDeps): BrowserLogins {
  const { token, logins, dispatch, clock, ids, report } = deps;
  const key = derive(token, "browser logins");
  /** When each was last used, and when that was last recorded in the log. */
  const seen = new Map<string, number>();
  const recorded = new Map<string, number>();
  const name = derive(token, "browser cookie").replaceAll(/[^A-Za-z0-9]/g, "");
  const isOver = (row: LoginRow): boolean => row.expiresAt <= clock.now();

  function isOpen(loginId: string): boolean {
    const row = logins.get(loginId);
    return row?.state === "in" && !isOver(row);
  }

  async function end(loginId: string, why: LoginEnd): Promise<void> {
    await dispatch(login, loginId, { type: "end", why });
    seen.delete(loginId);
    recorded.delete(loginId);
  }

  const open = createLoginOpener({ key, logins, dispatch, clock, ids, isOver, end });

  /** A login that waited too long can no longer be decided. */
  function isUndecided(loginId: string): boolean {
    const row = logins.get(loginId);
    return row !== undefined && !isOver(row);
  }

  function see(row: LoginRow, address: string): void {
    const now = clock.now();
    seen.set(row.loginId, now);
    if (now - row.seenAt < SEEN_EVERY_MS && row.address === address) return;
    const last = recorded.get(row.loginId) ?? 0;
    if (now - last < SEEN_EVERY_MS) return;
    recorded.set(row.loginId, now);
    dispatch(login, row.loginId, { type: "see", address }).catch((cause: unknown) =>
      report(new Fault("a login could not be noted", {}, cause)),
    );
  }

  return {
    // Different for every token, because servers on other ports of this machine share the cookie jar.
    cookieName: `atrium_${name.slice(0, NAME_LENGTH)}`,
    open,
    find({ cookie, page }, address) {
      const [loginId = "", secret = ""] = cookie.split(".", 2);
      const row = logins.get(loginId);
      // Compared in any case, so that timing does not reveal which logins exist.
      const isCookie = isSameSecret(derive(key, `cookie ${secret}`), row?.cookieDigest ?? "");
      const isPage = isSameSecret(derive(key, `page ${page ?? ""}`), row?.pageDigest ?? "");
      if (row === undefined || !isCookie || !isPage || isOver(row)) return undefined;
      if (row.state === "in") see(row, address);
      return row;
    },
    isOpen,
    isOver,
    async approve(loginId, by) {
      if (!isUndecided(loginId)) return refuse("login.missing", loginId);
      const expiresAt = clock.now() + LIFETIME_MS;
      return dispatch(login, loginId, { type: "approve", by, expiresAt });
    },
    async reject(loginId, by) {
      if (!isUndecided(loginId)) return refuse("login.missing", loginId);
      return dispatch(login, loginId, { type: "reject", by });
    },
    hasCookie(loginId, cookie) {
      const [id = "", secret = ""] = cookie.split(".", 2);
      const digest = logins.get(loginId)?.cookieDigest ?? "";
      const isCookie = isSameSecret(derive(key, `cookie ${secret}`), digest);
      return isCookie && id === loginId && isOpen(loginId);
    },
    seenAt: (row) => Math.max(row.seenAt, seen.get(row.loginId) ?? 0),
    end,
  };
}
