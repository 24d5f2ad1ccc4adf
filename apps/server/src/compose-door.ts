/** Who comes in by our own paths, put together. Part of compose.ts, and imported by it alone. */
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { IsOfAgent } from "./access/agent-processes.ts";
import type { Attempts } from "./access/attempts.ts";
import { createBrowserPass, createLogin, createShownBy } from "./access/browser-pass.ts";
import { createDeviceBearer } from "./access/device-bearer.ts";
import { createDoorkeeper, type Doorkeeper } from "./access/doorkeeper.ts";
import { createHttpAccess, type HttpAccess } from "./access/http-access.ts";
import { createOriginOf, type OriginOf } from "./access/request-origin.ts";
import { createDeviceToken, type DeviceToken } from "./access/secrets.ts";
import type { State } from "./compose-state.ts";
import type { Surface } from "./surface.ts";

export interface Door {
  readonly doorkeeper: Doorkeeper;
  readonly access: HttpAccess;
  /** For figures: whoever is on this machine needs no token. */
  readonly figuresAccess: HttpAccess;
  /** For what a web client asks before it connects: a paired device's own token does. */
  readonly pagesAccess: HttpAccess;
  readonly login: Hono<{ Bindings: HttpBindings }>;
  readonly shownBy: (request: IncomingMessage) => string | undefined;
  readonly originOf: OriginOf;
  readonly isOfAgent: IsOfAgent;
  readonly deviceToken: DeviceToken;
}

export interface DoorParts {
  readonly token: string | null;
  readonly attempts: Attempts;
  readonly isOfAgent: IsOfAgent;
}

export function composeDoor(
  { home, config }: Pick<Surface, "home" | "config">,
  { devices }: Pick<State, "devices">,
  { token, attempts, isOfAgent }: DoorParts,
): Door {
  const originOf = createOriginOf(config.trustedProxies);
  const deviceToken = createDeviceToken(home.secret("device-secret"));
  const deviceBearer = createDeviceBearer(devices, deviceToken);
  const browser = token === null ? null : createBrowserPass(token);
  const doorkeeper = createDoorkeeper({ token, pass: browser?.pass ?? null, attempts });
  const shownBy = createShownBy(browser);
  const access = createHttpAccess({ doorkeeper, shownBy, originOf, isOfAgent });
  return {
    doorkeeper,
    access,
    figuresAccess(request) {
      const { address, isLocal } = originOf(request);
      return isLocal ? { credential: { kind: "local" }, address } : access(request, "metrics");
    },
    pagesAccess(request) {
      const credential = deviceBearer(request);
      if (credential === undefined) return access(request, "page");
      return { credential, address: originOf(request).address };
    },
    login: createLogin(browser, access),
    shownBy,
    originOf,
    isOfAgent,
    deviceToken,
  };
}
