/**
 * Tickets replace the page's half of a login where a page cannot send it, such as a file that is opened in a
 * tab of its own. Each is valid once, for one path, for seconds, and only together with the cookie; on every node, of
 * which each knows the digests of them all.
 */
import { createHash } from "node:crypto";
import { BoundedMap, type Clock } from "@atrium/core";
import type { OpenMirror } from "../cluster/relay.ts";
import { newSessionSecret } from "./session-secret.ts";

export interface Tickets {
  issue(path: string, loginId: string): string;
  /** The login that it belongs to; the ticket is used up. */
  redeem(ticket: string, path: string): string | undefined;
}

interface Issued {
  readonly digest: string;
  readonly path: string;
  readonly loginId: string;
  readonly until: number;
}

type TicketChange =
  | { readonly type: "issue"; readonly ticket: Issued }
  | { readonly type: "use"; readonly digest: string };

const LIFETIME_MS = 30_000;
const MAX_TICKETS = 1_000;

export function createTickets(clock: Clock, openMirror: OpenMirror): Tickets {
  const issued = new BoundedMap<string, Issued>(MAX_TICKETS);
  const elsewhere = new BoundedMap<string, Issued>(MAX_TICKETS);
  const apply = (change: TicketChange): void => {
    if (change.type === "issue") elsewhere.set(change.ticket.digest, change.ticket);
    else for (const tickets of [issued, elsewhere]) tickets.delete(change.digest);
  };
  const mirror = openMirror<TicketChange>({
    name: "tickets",
    *whole() {
      for (const ticket of issued.values()) yield { type: "issue", ticket };
    },
    apply,
    replace: (changes) => changes.forEach((change) => apply(change)),
  });
  return {
    issue(path, loginId) {
      const secret = newSessionSecret();
      const until = clock.now() + LIFETIME_MS;
      const ticket = { digest: digestOf(secret), path: plainPath(path), loginId, until };
      issued.set(ticket.digest, ticket);
      mirror?.tell({ type: "issue", ticket });
      return secret;
    },
    redeem(ticket, path) {
      const digest = digestOf(ticket);
      const found = issued.get(digest) ?? elsewhere.get(digest);
      apply({ type: "use", digest });
      if (found !== undefined) mirror?.tell({ type: "use", digest });
      const isGood = found?.path === plainPath(path) && found.until > clock.now();
      return isGood ? found.loginId : undefined;
    },
  };
}

function digestOf(ticket: string): string {
  return createHash("sha256").update(ticket).digest("base64url");
}

/** The same for every escaping. */
function plainPath(path: string): string {
  return URL.parse(path, "http://localhost")?.pathname ?? "";
}
