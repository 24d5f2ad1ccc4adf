/** Authentication of plain HTTP requests: by token, login or ticket. */
import type { IncomingMessage } from "node:http";
import type { IsOfAgent } from "../platform/agent-processes.ts";
import { isAuthFailure, type AuthFailure, type Authenticate } from "./authenticate.ts";
import type { BrowserLogins } from "./browser-logins.ts";
import type { PresentedCredential, ReadCredential } from "./credentials.ts";
import type { LoginSockets } from "./login-sockets.ts";
import type { Principal } from "./principal.ts";
import type { OriginOf } from "./request-origin.ts";
import type { Tickets } from "./tickets.ts";

/** `door` is the name of the entry point in the journal. */
export type HttpAccess = (request: IncomingMessage, door?: string) => Principal | AuthFailure;

export interface HttpAccessDeps {
  readonly authenticate: Authenticate;
  readonly readCredential: ReadCredential;
  readonly originOf: OriginOf;
  readonly logins: Pick<BrowserLogins, "hasCookie"> | null;
  readonly tickets: Pick<Tickets, "redeem">;
  readonly sockets: LoginSockets;
  readonly isOfAgent: IsOfAgent;
}

export function createHttpAccess(deps: HttpAccessDeps): HttpAccess {
  const { authenticate, readCredential, originOf, sockets } = deps;
  return (request, door = "http") => {
    const { address, isLocal } = originOf(request);
    const shown = readCredential(request);
    const isOfAgent = (): boolean => deps.isOfAgent(request.socket);
    const loginId = ticketHolder(request, shown, deps);
    const principal: Principal | AuthFailure =
      loginId === undefined
        ? authenticate({ address, isLocal, isOfAgent, door, shown })
        : { credential: { kind: "browser", sessionId: loginId }, address, isLocal, isOfAgent };
    if (!isAuthFailure(principal)) sockets.hold(principal, request.socket);
    return principal;
  };
}

/** The login of its ticket, if the cookie belongs to that login too. */
function ticketHolder(
  { method, url = "/" }: IncomingMessage,
  shown: PresentedCredential | undefined,
  { tickets, logins }: HttpAccessDeps,
): string | undefined {
  if (shown?.kind !== "browser" || shown.page !== undefined || method !== "GET") return undefined;
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const ticket = searchParams.get("ticket");
  const loginId = ticket === null ? undefined : tickets.redeem(ticket, pathname);
  const isTheirs = loginId !== undefined && logins?.hasCookie(loginId, shown.cookie) === true;
  return isTheirs ? loginId : undefined;
}
