/**
 * `POST /api/login` trades the token for a login: a cookie, and in the answer the half that the page keeps.
 * `GET` tells whether one is in, `POST /api/logout` ends it. `POST /api/ticket` gives a page that wants to
 * show a file in a tab of its own a ticket for that one path, good once and for seconds.
 */
import { refuse } from "@atrium/core";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { denial, problem, refusal } from "../rooms/http-problems.ts";
import { readJsonBody } from "../rooms/json-body.ts";
import type { BrowserLogins } from "./browser-logins.ts";
import { isDenied } from "./doorkeeper.ts";
import type { HttpAccess } from "./http-access.ts";
import type { LoginSockets } from "./login-sockets.ts";
import type { OriginOf } from "./request-origin.ts";
import { cookieNameOver, type ShownBy } from "./shown.ts";
import type { Tickets } from "./tickets.ts";

export interface LoginPathDeps {
  /** Null where nothing is asked for. */
  readonly logins: BrowserLogins | null;
  readonly access: HttpAccess;
  readonly shownBy: ShownBy;
  readonly originOf: OriginOf;
  readonly tickets: Tickets;
  readonly sockets: Pick<LoginSockets, "release">;
}

const DOOR = "login";
const MAX_TICKET_BYTES = 4_096;
const BODY_TIMEOUT_MS = 5_000;
const OWN_PATH = /^\/[^/\\?#][^\\?#]*$/;

export function createLoginPaths(deps: LoginPathDeps): Hono<{ Bindings: HttpBindings }> {
  const { logins, access, shownBy, originOf, tickets, sockets } = deps;
  const app = new Hono<{ Bindings: HttpBindings }>();
  const setCookie = (isSecure: boolean, value: string, maxAgeSeconds: number): string => {
    const name = cookieNameOver(isSecure, logins?.cookieName ?? "");
    const secure = isSecure ? "; Secure" : "";
    return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}; Max-Age=${maxAgeSeconds}`;
  };

  app.get("/api/login", (c) => {
    const isIn = !isDenied(access(c.env.incoming, DOOR));
    // It had a login once: an earlier version's, one that is over, or only one half of it.
    const isOutdated = !isIn && shownBy(c.env.incoming)?.kind === "browser";
    return c.json(isOutdated ? { isIn, isOutdated } : { isIn });
  });

  app.post("/api/login", async (c) => {
    const { incoming } = c.env;
    const principal = access(incoming, DOOR);
    if (isDenied(principal)) return denial(principal);
    // A browser is a person's; what a process of an agent would get here could be handed on.
    if (principal.isOfAgent?.() === true) return refusal(refuse("credential.run"));
    if (logins === null || principal.credential.kind === "browser") return c.json({ page: null });
    const { address, isSecure } = originOf(incoming);
    const userAgent = incoming.headers["user-agent"] ?? "";
    const { loginId, cookie, page, maxAgeSeconds } = await logins.open({ userAgent, address });
    c.header("set-cookie", setCookie(isSecure, cookie, maxAgeSeconds));
    c.header("cache-control", "no-store");
    return c.json({ page, loginId });
  });

  app.post("/api/logout", async (c) => {
    const { incoming } = c.env;
    const principal = access(incoming, DOOR);
    if (logins !== null) c.header("set-cookie", setCookie(originOf(incoming).isSecure, "", 0));
    if (!isDenied(principal) && principal.credential.kind === "browser") {
      sockets.release(incoming.socket);
      await logins?.end(principal.credential.sessionId, "logout");
    }
    return c.body(null, 204);
  });

  app.post("/api/ticket", async (c) => {
    const { incoming } = c.env;
    const principal = access(incoming, DOOR);
    if (isDenied(principal)) return denial(principal);
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

function pathIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("path" in body)) return undefined;
  const { path } = body;
  return typeof path === "string" && OWN_PATH.test(path) ? path : undefined;
}
