/**
 * `POST /api/login` trades the token for a login: a cookie, and in the answer the half that the page keeps.
 * From another machine the login waits to be let in, and coming again with it is still the same one.
 * `GET` tells whether one is in, waits or was turned away, `POST /api/logout` ends it. `POST /api/ticket` gives a page that wants to
 * show a file in a tab of its own a ticket for that one path, good once and for seconds.
 */
import type { IncomingMessage } from "node:http";
import { refuse, REFUSALS, type LoginRow } from "@atrium/core";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { isAuthFailure } from "../access/authenticate.ts";
import type { BrowserLogins } from "../access/browser-logins.ts";
import { cookieNameOver, halvesOf, type ReadCredential } from "../access/credentials.ts";
import type { HttpAccess } from "../access/http-access.ts";
import type { LoginSockets } from "../access/login-sockets.ts";
import type { OriginOf } from "../access/request-origin.ts";
import type { Tickets } from "../access/tickets.ts";
import { readJsonBody } from "./json-body.ts";
import { unauthorized, problem, refusal } from "./problem.ts";

export interface LoginRouteDeps {
  /** Null where nothing is asked for. */
  readonly logins: BrowserLogins | null;
  readonly access: HttpAccess;
  readonly readCredential: ReadCredential;
  readonly originOf: OriginOf;
  readonly tickets: Tickets;
  readonly sockets: Pick<LoginSockets, "release">;
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
}

const DOOR = "login";
const MAX_TICKET_BYTES = 4_096;
const BODY_TIMEOUT_MS = 5_000;
const RETRY_LATER = { "retry-after": "900" };
const OWN_PATH = /^\/[^/\\?#][^\\?#]*$/;

export function createLoginRoutes(deps: LoginRouteDeps): Hono<{ Bindings: HttpBindings }> {
  const { logins, access, readCredential, originOf, tickets, sockets, note } = deps;
  const app = new Hono<{ Bindings: HttpBindings }>();
  const setCookie = (isSecure: boolean, value: string, maxAgeSeconds: number): string => {
    const name = cookieNameOver(isSecure, logins?.cookieName ?? "");
    const secure = isSecure ? "; Secure" : "";
    return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}; Max-Age=${maxAgeSeconds}`;
  };

  const loginOf = (request: IncomingMessage): LoginRow | undefined => {
    const halves = halvesOf(request, logins?.cookieName ?? null);
    return halves && logins?.find(halves, originOf(request).address);
  };

  app.get("/api/login", (c) => {
    const isIn = !isAuthFailure(access(c.env.incoming, DOOR));
    const known = isIn ? undefined : loginOf(c.env.incoming);
    if (known?.state === "waiting") return c.json({ isIn, ...waiting(known) });
    if (known?.state === "rejected") return c.json({ isIn, isRejected: true });
    // It had a login once: an earlier version's, one that is over, or only one half of it.
    const isOutdated = !isIn && readCredential(c.env.incoming)?.kind === "browser";
    return c.json(isOutdated ? { isIn, isOutdated } : { isIn });
  });

  app.post("/api/login", async (c) => {
    const { incoming } = c.env;
    const principal = access(incoming, DOOR);
    if (isAuthFailure(principal)) return unauthorized(principal);
    // A browser is a person's; what a process of an agent would get here could be handed on.
    if (principal.isOfAgent?.() === true) return refusal(refuse("credential.run"));
    if (logins === null || principal.credential.kind === "browser") return c.json({ page: null });
    const { address, isLocal, isSecure } = originOf(incoming);
    const before = isLocal ? undefined : loginOf(incoming);
    if (before !== undefined && before.state !== "rejected") {
      const { page } = halvesOf(incoming, logins.cookieName) ?? {};
      const { loginId, state } = before;
      return c.json({ page, loginId, ...(state === "waiting" && waiting(before)) });
    }
    const userAgent = incoming.headers["user-agent"] ?? "";
    const opened = await logins.open({ userAgent, address, isLocal });
    if (!opened.ok) return problem(429, opened.code, REFUSALS[opened.code].message, RETRY_LATER);
    const { loginId, cookie, page, maxAgeSeconds } = opened.value;
    c.header("set-cookie", setCookie(isSecure, cookie, maxAgeSeconds));
    c.header("cache-control", "no-store");
    if (isLocal) return c.json({ page, loginId });
    note("a browser from another machine waits to be let in", {
      address,
      see: `atrium logins approve ${loginId}`,
    });
    return c.json({ page, loginId, isWaiting: true });
  });

  app.post("/api/logout", async (c) => {
    const { incoming } = c.env;
    const principal = access(incoming, DOOR);
    if (logins !== null) c.header("set-cookie", setCookie(originOf(incoming).isSecure, "", 0));
    if (!isAuthFailure(principal) && principal.credential.kind === "browser") {
      sockets.release(incoming.socket);
      await logins?.end(principal.credential.sessionId, "logout");
    }
    return c.body(null, 204);
  });

  app.post("/api/ticket", async (c) => {
    const { incoming } = c.env;
    const principal = access(incoming, DOOR);
    if (isAuthFailure(principal)) return unauthorized(principal);
    const limits = { maxBytes: MAX_TICKET_BYTES, timeoutMs: BODY_TIMEOUT_MS };
    const body = await readJsonBody(incoming, limits, {});
    const path = body.ok ? pathIn(body.value) : undefined;
    if (path === undefined) return problem(400, "params.invalid", 'Send the path: {"path": …}.');
    c.header("cache-control", "no-store");
    const { credential } = principal;
    const isBrowser = credential.kind === "browser";
    return c.json({ ticket: isBrowser ? tickets.issue(path, credential.sessionId) : null });
  });
  return app;
}

function waiting({ loginId, expiresAt }: LoginRow): object {
  return { isWaiting: true, loginId, expiresAtMs: expiresAt };
}

function pathIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("path" in body)) return undefined;
  const { path } = body;
  return typeof path === "string" && OWN_PATH.test(path) ? path : undefined;
}
