/**
 * Opens the logins of browsers. One from this machine is open at once. One from another machine waits for approval:
 * few wait at a time, for a quarter of an hour; rejected ones count with them, so that nobody can ask without
 * end.
 */
import {
  accept,
  Fault,
  login,
  refuse,
  type LoginEnd,
  type LoginRow,
  type OpenLogin,
  type Outcome,
} from "@atrium/core";
import { networkOf } from "./auth-attempts.ts";
import type { BrowserLoginDeps } from "./browser-logins.ts";
import { nameBrowser, tidyUserAgent } from "./browser-name.ts";
import { derive } from "./secrets.ts";
import { newSessionSecret } from "./session-secret.ts";

export interface NewLogin {
  readonly loginId: string;
  readonly cookie: string;
  readonly page: string;
  readonly maxAgeSeconds: number;
}

export interface LoginOrigin {
  readonly userAgent: string;
  readonly address: string;
  readonly isLocal: boolean;
}

interface LoginOpenerDeps extends Pick<BrowserLoginDeps, "logins" | "dispatch" | "clock" | "ids"> {
  readonly key: string;
  readonly isOver: (row: LoginRow) => boolean;
  readonly end: (loginId: string, why: LoginEnd) => Promise<void>;
}

export const LIFETIME_MS = 30 * 24 * 60 * 60_000;
const MAX_LOGINS = 500;
const WAITING_MS = 15 * 60_000;
/** Of one network, and of all; rejected ones count until they expire. */
const MAX_WAITING_PER_NETWORK = 3;
const MAX_WAITING = 50;

export function createLoginOpener(
  deps: LoginOpenerDeps,
): (from: LoginOrigin) => Promise<Outcome<NewLogin>> {
  const { key, logins, dispatch, clock, ids, isOver, end } = deps;
  /** Networks of waiting logins that are being written to the log. */
  const beingOpened: string[] = [];

  /** Ends the oldest, so that endless logins cannot fill the projections. */
  async function makeRoom(): Promise<void> {
    const gone = logins.list().filter(isOver);
    const open = logins.list().filter((row) => row.state === "in" && !isOver(row));
    const oldest = open.slice(0, Math.max(0, open.length - MAX_LOGINS + 1));
    for (const { loginId } of [...gone, ...oldest]) await end(loginId, "crowded");
  }

  function isCrowded(network: string): boolean {
    const waiting = logins.list().filter((row) => row.state !== "in" && !isOver(row));
    const networks = [...waiting.map(({ address }) => networkOf(address)), ...beingOpened];
    const near = networks.filter((each) => each === network).length;
    return near >= MAX_WAITING_PER_NETWORK || networks.length >= MAX_WAITING;
  }

  async function add(
    { userAgent, address }: Omit<LoginOrigin, "isLocal">,
    until: Pick<OpenLogin, "isWaiting" | "expiresAt">,
  ): Promise<NewLogin> {
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
      ...until,
    });
    if (!opened.ok) throw new Fault("a login could not be opened", { code: opened.code });
    // The same for one that waits: the log decides what it gives access to, and until when.
    const maxAgeSeconds = LIFETIME_MS / 1_000;
    return { loginId, cookie: `${loginId}.${secret}`, page, maxAgeSeconds };
  }

  async function addWaiting(from: Omit<LoginOrigin, "isLocal">): Promise<Outcome<NewLogin>> {
    const network = networkOf(from.address);
    if (isCrowded(network)) return refuse("login.crowded");
    // Counted before it is in the log, because several may ask at once.
    beingOpened.push(network);
    try {
      return accept(await add(from, { isWaiting: true, expiresAt: clock.now() + WAITING_MS }));
    } finally {
      beingOpened.splice(beingOpened.indexOf(network), 1);
    }
  }

  return async ({ isLocal, ...from }) =>
    isLocal ? accept(await add(from, { expiresAt: clock.now() + LIFETIME_MS })) : addWaiting(from);
}
