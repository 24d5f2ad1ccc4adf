/** Composes authentication. Part of compose.ts, and imported by it alone. */
import type { LoginEvent } from "@atrium/core";
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { createAuthenticate, type Authenticate } from "../access/authenticate.ts";
import { createBrowserLogins, type BrowserLogins } from "../access/browser-logins.ts";
import {
  createReadBasic,
  createReadCredential,
  type ReadCredential,
} from "../access/credentials.ts";
import { createDeviceBearer } from "../access/device-bearer.ts";
import { createDeviceSecrets } from "../access/device-secrets.ts";
import { HOOK_SECRET } from "../access/hook-access.ts";
import { createHttpAccess, type HttpAccess } from "../access/http-access.ts";
import { LoginSockets } from "../access/login-sockets.ts";
import { createOriginOf, type OriginOf } from "../access/request-origin.ts";
import { createDeviceToken, type DeviceToken } from "../access/secrets.ts";
import { createTickets } from "../access/tickets.ts";
import { createLoginRoutes } from "../http/login-routes.ts";
import type { Listener } from "../listen/listener.ts";
import type { IsOfAgent } from "../platform/agent-processes.ts";
import { clock, ids } from "../platform/system-clock.ts";
import type { BridgeSessions } from "../rooms/bridge/sessions/bridge-sessions.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { Shared } from "./shared.ts";
import type { State } from "./state.ts";

/** How often connections of expired logins are closed. */
const SWEEP_MS = 60_000;

export interface ServerAuth {
  readonly authenticate: Authenticate;
  readonly access: HttpAccess;
  /** For git, which sends a password. */
  readonly gitAccess: HttpAccess;
  /** For metrics: whoever is on this machine needs no token. */
  readonly metricsAccess: HttpAccess;
  /** For what a web client requests before it connects: a paired device's own token is enough. */
  readonly pagesAccess: HttpAccess;
  readonly loginRoutes: Hono<{ Bindings: HttpBindings }>;
  /** Null when no token is needed. */
  readonly browserLogins: BrowserLogins | null;
  readonly loginSockets: LoginSockets;
  readonly readCredential: ReadCredential;
  readonly originOf: OriginOf;
  readonly isOfAgent: IsOfAgent;
  readonly deviceToken: DeviceToken;
}

/** The secrets to redact from the text of agents: every credential that the server can know. */
export function composeSecrets(
  { home }: Pick<ServerOptions, "home">,
  { devices }: Pick<State, "devices">,
  token: string | null,
  sessions: () => Pick<BridgeSessions, "secrets">,
): () => readonly string[] {
  const deviceSecret = home.secret("device-secret");
  const ofDevices = createDeviceSecrets(devices, createDeviceToken(deviceSecret));
  const kept = [token ?? "", deviceSecret, home.secret(HOOK_SECRET)];
  return () => [...kept, ...ofDevices(), ...sessions().secrets()];
}

export function composeAccess(
  { home, config, report, note }: Pick<ServerOptions, "home" | "config" | "report" | "note">,
  { state, token, attempts }: Pick<Shared, "state" | "token" | "attempts">,
  isOfAgent: IsOfAgent,
): ServerAuth {
  const { devices, dispatch, logins: rows } = state;
  const originOf = createOriginOf(config.trustedProxies);
  const deviceToken = createDeviceToken(home.secret("device-secret"));
  const deviceBearer = createDeviceBearer(devices, deviceToken);
  const logins =
    token === null
      ? null
      : createBrowserLogins({ token, logins: rows, dispatch, clock, ids, report });
  const authenticate = createAuthenticate({ token, logins, attempts });
  const readCredential = createReadCredential(logins?.cookieName ?? null);
  const tickets = createTickets(clock, state.relay.mirror);
  const sockets = new LoginSockets();
  const ways = { authenticate, originOf, logins, tickets, sockets, isOfAgent };
  const access = createHttpAccess({ ...ways, readCredential });
  const readBasic = createReadBasic(readCredential);
  return {
    authenticate,
    access,
    gitAccess: createHttpAccess({ ...ways, readCredential: readBasic }),
    metricsAccess(request) {
      const { address, isLocal } = originOf(request);
      return isLocal
        ? { credential: { kind: "local" }, address, isLocal }
        : access(request, "metrics");
    },
    pagesAccess(request) {
      const credential = deviceBearer(request);
      if (credential === undefined) return access(request, "page");
      const { address, isLocal } = originOf(request);
      return { credential, address, isLocal };
    },
    loginRoutes: createLoginRoutes({
      logins,
      access,
      readCredential,
      originOf,
      tickets,
      sockets,
      note,
    }),
    browserLogins: logins,
    loginSockets: sockets,
    readCredential,
    originOf,
    isOfAgent,
    deviceToken,
  };
}

/** Signing in and out; the connections of a login are closed when it ends. */
export function composeLogins(
  { loginRoutes, browserLogins, loginSockets }: ServerAuth,
  listener: () => Pick<Listener, "closeLogins">,
): Part {
  const ended: LoginEvent["type"] = "login.ended";
  const isOver = (loginId: string): boolean => browserLogins?.isOpen(loginId) !== true;
  const endOld = (): void => {
    listener().closeLogins(isOver);
    loginSockets.closeWhere(isOver);
  };
  const sweeping = setInterval(endOld, SWEEP_MS);
  sweeping.unref();
  return {
    apps: [loginRoutes],
    onBatch(entries) {
      if (entries.some(({ type }) => type === ended)) endOld();
    },
    close: () => clearInterval(sweeping),
  };
}
