/**
 * Tickets replace the page's half of a login where a page cannot send it, such as a file that is opened in a
 * tab of its own. Each is valid once, for one path, for seconds, and only together with the cookie.
 */
import { BoundedMap, type Clock } from "@atrium/core";
import { newSessionSecret } from "./session-secret.ts";

export interface Tickets {
  issue(path: string, loginId: string): string;
  /** The login that it belongs to; the ticket is used up. */
  redeem(ticket: string, path: string): string | undefined;
}

interface Issued {
  readonly path: string;
  readonly loginId: string;
  readonly until: number;
}

const LIFETIME_MS = 30_000;
const MAX_TICKETS = 1_000;

export function createTickets(clock: Clock): Tickets {
  const issued = new BoundedMap<string, Issued>(MAX_TICKETS);
  return {
    issue(path, loginId) {
      const ticket = newSessionSecret();
      issued.set(ticket, { path: plainPath(path), loginId, until: clock.now() + LIFETIME_MS });
      return ticket;
    },
    redeem(ticket, path) {
      const found = issued.get(ticket);
      issued.delete(ticket);
      const isGood = found?.path === plainPath(path) && found.until > clock.now();
      return isGood ? found.loginId : undefined;
    },
  };
}

/** The same for every escaping. */
function plainPath(path: string): string {
  return URL.parse(path, "http://localhost")?.pathname ?? "";
}
