/**
 * The gateway over plain HTTP, for clients without a socket. The token is checked before the body is read;
 * SPEC.md has the rules.
 */
import { Fault } from "@atrium/core";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { isAuthFailure } from "../../../access/authenticate.ts";
import type { HttpAccess } from "../../../access/http-access.ts";
import { errorResponse, unauthorized, methodNotAllowed } from "./error-response.ts";
import { answerHistory, type SessionHistoryDeps } from "./session-history.ts";
import { answerKill, type SessionKillDeps } from "./session-kill.ts";
import { answerInvoke, type ToolsInvokeDeps } from "./tools-invoke.ts";

export interface HttpRoutesDeps extends SessionHistoryDeps, SessionKillDeps, ToolsInvokeDeps {
  readonly access: HttpAccess;
  readonly report: (fault: Fault) => void;
}

export function createHttpRoutes(deps: HttpRoutesDeps): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const HISTORY = "/sessions/:key/history";
  const KILL = "/sessions/:key/kill";

  app.post("/tools/invoke", async (c) => {
    const principal = deps.access(c.env.incoming);
    if (isAuthFailure(principal)) return unauthorized(principal);
    return answerInvoke(c.env.incoming, c.env.outgoing, deps);
  });
  app.all("/tools/invoke", (c) => methodNotAllowed(c.req.path, "POST"));

  app.get(HISTORY, async (c) => {
    const principal = deps.access(c.env.incoming);
    if (isAuthFailure(principal)) return unauthorized(principal);
    const { limit, cursor } = c.req.query();
    return answerHistory({ sessionKey: c.req.param("key"), limit, cursor }, deps);
  });
  app.all(HISTORY, (c) => methodNotAllowed(c.req.path, "GET"));

  app.post(KILL, async (c) => {
    const principal = deps.access(c.env.incoming);
    if (isAuthFailure(principal)) return unauthorized(principal);
    return answerKill(c.req.param("key"), c.req.query("agentId"), deps);
  });
  app.all(KILL, (c) => methodNotAllowed(c.req.path, "POST"));

  app.onError((cause, c) => {
    deps.report(new Fault("a request threw", { path: c.req.path }, cause));
    return errorResponse(500, "internal", "Internal server error. The server has logged it.");
  });
  return app;
}
