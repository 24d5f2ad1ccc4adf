/**
 * Browsers that signed in. Each has two secrets, made at login: a cookie that scripts cannot read, and one
 * that the page keeps in its origin's storage and sends along. Programs on other ports of the same host
 * are sent the cookie too, but never the other half, so the cookie alone opens nothing.
 *
 * The record is in the log with keyed digests; the key follows from the shared token, so that every login
 * ends with it.
 */
import {
  Fault,
  login,
  type Clock,
  type Dispatch,
  type Ids,
  type LoginEnd,
  type LoginRow,
  type Logins,
} from "@atrium/core";
import { nameBrowser, tidyUserAgent } from "./browser-name.ts";
import { derive, isSameSecret } from "./secrets.ts";
import { newSessionSecret } from "./session-secret.ts";
import type { Shown } from "./shown.ts";

export interface NewLogin {
  readonly loginId: string;
  readonly cookie: string;
  readonly page: string;
  readonly maxAgeSeconds: number;
}

export interface BrowserLogins {
  readonly cookieName: string;
  open(from: { readonly userAgent: string; readonly address: string }): Promise<NewLogin>;
  /** The login that both halves are of, unless it is over. */
  find(shown: Extract<Shown, { readonly kind: "browser" }>, address: string): LoginRow | undefined;
  isOpen(loginId: string): boolean;
  /** Whether the cookie is that login's, and it is not over. */
  hasCookie(loginId: string, cookie: string): boolean;
  /** When it was last here, also since the log was last told. */
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

const LIFETIME_MS = 30 * 24 * 60 * 60_000;
const NAME_LENGTH = 8;
/** The log need not hear of every request. */
const SEEN_EVERY_MS = 60 * 60_000;
const MAX_LOGINS = 500;

export function createBrowserLogins(deps: BrowserLoginDeps): BrowserLogins {
  const { token, logins, dispatch, clock, ids, report } = deps;
  const key = derive(token, "browser logins");
  /** When each was last here, and when the log was last told. */
  const seen = new Map<string, number>();
  const told = new Map<string, number>();
  const name = derive(token, "browser cookie").replaceAll(/[^A-Za-z0-9]/g, "");
  const isOver = (row: LoginRow): boolean => row.expiresAt <= clock.now();

  function isOpen(loginId: string): boolean {
    const row = logins.get(loginId);
    return row !== undefined && !isOver(row);
  }

  async function end(loginId: string, why: LoginEnd): Promise<void> {
    await dispatch(login, loginId, { type: "end", why });
    seen.delete(loginId);
    told.delete(loginId);
  }

  /** The oldest make room: nobody can fill the log's folds by signing in for ever. */
  async function makeRoom(): Promise<void> {
    const open = logins.list();
    const gone = open.filter(isOver);
    const extra = open.length - gone.length - MAX_LOGINS + 1;
    const oldest = open.filter((row) => !isOver(row)).slice(0, Math.max(0, extra));
    for (const { loginId } of [...gone, ...oldest]) await end(loginId, "crowded");
  }

  function see(row: LoginRow, address: string): void {
    const now = clock.now();
    seen.set(row.loginId, now);
    if (now - row.seenAt < SEEN_EVERY_MS && row.address === address) return;
    const last = told.get(row.loginId) ?? 0;
    if (now - last < SEEN_EVERY_MS) return;
    told.set(row.loginId, now);
    dispatch(login, row.loginId, { type: "see", address }).catch((cause: unknown) =>
      report(new Fault("a login could not be noted", {}, cause)),
    );
  }

  return {
    // Its own for every token: servers on other ports of this machine share the cookie jar.
    cookieName: `atrium_${name.slice(0, NAME_LENGTH)}`,
    async open({ userAgent, address }) {
      await makeRoom();
      const loginId = ids.next();
      const [secret, page] = [newSessionSecret(), newSessionSecret()];
      const opened = await dispatch(login, loginId, {
        type: "open",
        loginId,
        cookieDigest: derive(key, `cookie ${secret}`),
        pageDigest: derive(key, `page ${page}`),
        name: nameBrowser(userAgent),
        userAgent: tidyUserAgent(userAgent),
        address,
        expiresAt: clock.now() + LIFETIME_MS,
      });
      if (!opened.ok) throw new Fault("a login could not be opened", { code: opened.code });
      const maxAgeSeconds = LIFETIME_MS / 1_000;
      return { loginId, cookie: `${loginId}.${secret}`, page, maxAgeSeconds };
    },
    find({ cookie, page }, address) {
      const [loginId = "", secret = ""] = cookie.split(".", 2);
      const row = logins.get(loginId);
      // Compared in any case, so that time does not tell which logins there are.
      const isCookie = isSameSecret(derive(key, `cookie ${secret}`), row?.cookieDigest ?? "");
      const isPage = isSameSecret(derive(key, `page ${page ?? ""}`), row?.pageDigest ?? "");
      if (row === undefined || !isCookie || !isPage || isOver(row)) return undefined;
      see(row, address);
      return row;
    },
    isOpen,
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
