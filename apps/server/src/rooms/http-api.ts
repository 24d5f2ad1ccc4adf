/**
 * The pipeline of room.ts for plain HTTP, written once:
 *
 *   request -> token -> verb -> endpoint (body -> params -> method -> dispatch) -> JSON
 *        \        \       \            \
 *         `--------`-------`------------`-> {"error": {"code", "message"}}
 *
 * A method declared for a socket is served here as it is: the path, the query and the body become its
 * params, an Idempotency-Key header its key.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Fault, type Outcome } from "@atrium/core";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { HttpAccess } from "../access/http-access.ts";
import { badBody, denial, noSuchVerb, problem, refusal } from "./http-problems.ts";
import { readJsonBody, type BodyLimits } from "./json-body.ts";
import { Encoded, type Caller, type MaybePromise, type Method } from "./room.ts";

export interface HttpApiDeps {
  readonly access: HttpAccess;
  readonly report: (fault: Fault) => void;
}

/** One request that passed the door, its body unread. */
export interface Asked {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export type Endpoint = (asked: Asked) => MaybePromise<Response>;
export type Verb = "GET" | "POST";
export type HttpApp = Hono<{ Bindings: HttpBindings }>;

export function createHttpApi(
  routes: Readonly<Record<string, { readonly [V in Verb]?: Endpoint }>>,
  { access, report }: HttpApiDeps,
): HttpApp {
  const app: HttpApp = new Hono();
  for (const [path, endpoints] of Object.entries(routes)) {
    const byVerb = new Map(Object.entries(endpoints));
    app.all(path, async (c) => {
      const { incoming, outgoing } = c.env;
      const denied = access(incoming);
      if (denied !== undefined) return denial(denied);
      const endpoint = byVerb.get(c.req.method);
      if (endpoint === undefined) return noSuchVerb(c.req.path, [...byVerb.keys()]);
      return endpoint({ path: c.req.param(), query: c.req.query(), incoming, outgoing });
    });
  }
  app.onError((cause, c) => {
    report(new Fault("a request threw", { path: c.req.path }, cause));
    return problem(500, "internal", "Something broke on our side; it has been recorded.");
  });
  return app;
}

/** Whoever has the token may do everything there is to do over plain HTTP. */
export function httpCaller(scopes: Iterable<string>): Caller {
  return { scopes: new Set(scopes), mayExplain: () => true };
}

/** Reads with a method: its params are in the path and the query. */
export function reading<Who extends Caller>(
  method: Method<Who>,
  caller: Who,
  paramsOf: (asked: Asked) => unknown,
): Endpoint {
  return async (asked) => told(await method.call(paramsOf(asked), caller), 200);
}

/** Acts with a method: its params are in the path and the JSON body, which is an object or nothing. */
export function acting<Who extends Caller>(
  method: Method<Who>,
  caller: Who,
  limits: BodyLimits,
  status: 200 | 201 | 202 = 200,
): Endpoint {
  return async ({ path, incoming }) => {
    const body = await readJsonBody(incoming, limits, {});
    if (!body.ok) return badBody(body);
    const { value } = body;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return problem(400, "params.invalid", "The body must be a JSON object.");
    }
    const key = incoming.headers["idempotency-key"];
    const params = { ...(typeof key === "string" && { idempotencyKey: key }), ...value, ...path };
    return told(await method.call(params, caller), status);
  };
}

function told(outcome: Outcome<unknown>, status: number): Response {
  if (!outcome.ok) return refusal(outcome);
  const { value } = outcome;
  if (!(value instanceof Encoded)) return Response.json(value, { status });
  return new Response(value.text, { status, headers: { "content-type": "application/json" } });
}

/** Aborted when the connection ends before the answer has been given. */
export function goneSignal(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const check = (): void => {
    if (!outgoing.writableFinished) gone.abort();
  };
  if (outgoing.destroyed) check();
  else outgoing.once("close", check);
  return gone.signal;
}
