/** Who comes in by our own paths, put together. Part of compose.ts, and imported by it alone. */
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { Attempts } from "./access/attempts.ts";
import { createBrowserPass, createLogin, createShownBy } from "./access/browser-pass.ts";
import { createDoorkeeper, type Doorkeeper } from "./access/doorkeeper.ts";
import { createHttpAccess, type HttpAccess } from "./access/http-access.ts";
import { isFromThisMachine } from "./listen/gatekeeper.ts";

export interface Door {
  readonly doorkeeper: Doorkeeper;
  readonly access: HttpAccess;
  readonly login: Hono<{ Bindings: HttpBindings }>;
  readonly shownBy: (request: IncomingMessage) => string | undefined;
}

export function composeDoor(token: string | null, attempts: Attempts): Door {
  const browser = token === null ? null : createBrowserPass(token);
  const doorkeeper = createDoorkeeper({ token, pass: browser?.pass ?? null, attempts });
  const shownBy = createShownBy(browser);
  const access = createHttpAccess({ doorkeeper, shownBy, isFromThisMachine });
  return { doorkeeper, access, login: createLogin(browser, access), shownBy };
}
