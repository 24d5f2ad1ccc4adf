/**
 * What a browser keeps in place of the token: a cookie that scripts cannot read and other sites cannot
 * send. It is derived from the token, so it needs no keeping here and ends with it; the token itself
 * is in no cookie jar.
 */
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { denial } from "../rooms/http-problems.ts";
import { bearerOf } from "./bearer.ts";
import { isDenied } from "./doorkeeper.ts";
import type { HttpAccess } from "./http-access.ts";
import { derive } from "./secrets.ts";

const LIFETIME_SECONDS = 30 * 24 * 60 * 60;
const NAME_LENGTH = 8;

export interface BrowserPass {
  readonly pass: string;
  /** Its own for every token: servers on other ports of this machine share the cookie jar. */
  readonly cookie: string;
}

export function createBrowserPass(token: string): BrowserPass {
  const name = derive(token, "browser cookie").replaceAll(/[^A-Za-z0-9]/g, "");
  return {
    pass: derive(token, "browser pass"),
    cookie: `atrium_${name.slice(0, NAME_LENGTH)}`,
  };
}

/** What a request shows at the door: a bearer token, else the browser's pass. */
export function createShownBy(
  browser: BrowserPass | null,
): (request: IncomingMessage) => string | undefined {
  return (request) =>
    bearerOf(request) ?? (browser === null ? undefined : cookieOf(request, browser.cookie));
}

function cookieOf(request: IncomingMessage, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? "").split(";")) {
    const [key, value] = part.trim().split("=", 2);
    if (key === name) return value;
  }
  return undefined;
}

/** `POST /api/login` trades the token for the cookie, `POST /api/logout` gives it back. */
export function createLogin(
  browser: BrowserPass | null,
  access: HttpAccess,
): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const attributes = "Path=/; HttpOnly; SameSite=Strict";
  app.get("/api/login", (c) => c.json({ isIn: !isDenied(access(c.env.incoming, "login")) }));
  app.post("/api/login", (c) => {
    const principal = access(c.env.incoming, "login");
    if (isDenied(principal)) return denial(principal);
    if (browser !== null) {
      const { cookie, pass } = browser;
      c.header("set-cookie", `${cookie}=${pass}; ${attributes}; Max-Age=${LIFETIME_SECONDS}`);
    }
    return c.body(null, 204);
  });
  app.post("/api/logout", (c) => {
    if (browser !== null) c.header("set-cookie", `${browser.cookie}=; ${attributes}; Max-Age=0`);
    return c.body(null, 204);
  });
  return app;
}
