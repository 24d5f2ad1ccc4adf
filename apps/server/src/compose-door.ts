/** Who comes in by our own paths, put together. Part of compose.ts, and imported by it alone. */
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { Attempts } from "./access/attempts.ts";
import { createBrowserPass, createLogin, createShownBy } from "./access/browser-pass.ts";
import { createIsFromDevice, type IsFromDevice } from "./access/device-bearer.ts";
import { createDoorkeeper, type Doorkeeper } from "./access/doorkeeper.ts";
import { createHttpAccess, type HttpAccess } from "./access/http-access.ts";
import { createDeviceToken, type DeviceToken } from "./access/secrets.ts";
import type { State } from "./compose-state.ts";
import { isFromThisMachine } from "./listen/gatekeeper.ts";
import type { Surface } from "./surface.ts";

export interface Door {
  readonly doorkeeper: Doorkeeper;
  readonly access: HttpAccess;
  readonly login: Hono<{ Bindings: HttpBindings }>;
  readonly shownBy: (request: IncomingMessage) => string | undefined;
  readonly deviceToken: DeviceToken;
  readonly isFromDevice: IsFromDevice;
}

export function composeDoor(
  { home }: Pick<Surface, "home">,
  { devices }: Pick<State, "devices">,
  { token, attempts }: { readonly token: string | null; readonly attempts: Attempts },
): Door {
  const deviceToken = createDeviceToken(home.secret("device-secret"));
  const isFromDevice = createIsFromDevice(devices, deviceToken);
  const browser = token === null ? null : createBrowserPass(token);
  const doorkeeper = createDoorkeeper({ token, pass: browser?.pass ?? null, attempts });
  const shownBy = createShownBy(browser);
  const access = createHttpAccess({ doorkeeper, shownBy, isFromThisMachine });
  const login = createLogin(browser, access);
  return { doorkeeper, access, login, shownBy, deviceToken, isFromDevice };
}
