/**
 * The pipeline of room.ts for plain HTTP, written once:
 *
 *   request -> token -> verb -> query -> endpoint (body -> params -> method -> dispatch) -> JSON
 *        \        \       \        \          \
 *         `--------`-------`--------`----------`-> {"error": {"code", "message"}}
 *
 * HEAD returns the headers of GET without a body. Unknown query parameters are rejected: the answer to a mistyped one
 * would be an answer to something else.
 * A method declared for a socket is served here as it is: the path, the query and the body become its
 * params, an Idempotency-Key header its key.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Fault, type Outcome } from "@atrium/core";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { isAuthFailure } from "../access/authenticate.ts";
import type { HttpAccess } from "../access/http-access.ts";
import type { Principal } from "../access/principal.ts";
import {
  EncodedJson,
  type Caller,
  type MaybePromise,
  type Method,
} from "../pipeline/method-router.ts";
import { answerPreflight, type CrossOriginRules } from "./cross-origin.ts";
import { JSON_TYPE, mediaTypeOf, readJsonBody, type BodyLimits } from "./json-body.ts";
import {
  invalidBody,
  unauthorized,
  unknownQueryParam,
  methodNotAllowed,
  problem,
  refusal,
} from "./problem.ts";

export interface HttpApiDeps {
  readonly access: HttpAccess;
  /** For pages of other origins, at paths that are open to them; none are, where there are no rules. */
  readonly crossOrigin?: CrossOriginRules;
  readonly report: (fault: Fault) => void;
}

export interface HttpRequest {
  readonly principal: Principal;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export type Endpoint = (request: HttpRequest) => MaybePromise<Response>;
export type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Route extends Readonly<Partial<Record<Verb, Endpoint>>> {
  /** What GET may be asked with; nothing else may be asked with anything. */
  readonly query?: readonly string[];
  readonly isShared?: boolean;
}

export type HttpApp = Hono<{ Bindings: HttpBindings }>;

export function createHttpApi(
  routes: Readonly<Record<string, Route>>,
  { access, report, crossOrigin }: HttpApiDeps,
): HttpApp {
  const app: HttpApp = new Hono();
  for (const [path, route] of Object.entries(routes)) {
    const { GET, POST, PUT, PATCH, DELETE, query: known = [], isShared } = route;
    const endpoints = new Map(Object.entries({ GET, HEAD: GET, POST, PUT, PATCH, DELETE }));
    const verbs = [...endpoints.keys()].filter((verb) => endpoints.get(verb) !== undefined);
    app.all(path, async (c) => {
      const { incoming, outgoing } = c.env;
      if (isShared === true && crossOrigin !== undefined) {
        const answer = answerPreflight(incoming, outgoing, verbs, crossOrigin);
        if (answer !== undefined) return answer;
      }
      const principal = access(incoming);
      if (isAuthFailure(principal)) return unauthorized(principal);
      const { method } = c.req;
      const endpoint = endpoints.get(method);
      if (endpoint === undefined) return methodNotAllowed(c.req.path, verbs);
      // How someone came in is no part of what they ask.
      const { ticket: _ticket, ...query } = c.req.query();
      const names = method === "GET" || method === "HEAD" ? known : [];
      const unknown = Object.keys(query).find((name) => !names.includes(name));
      if (unknown !== undefined) return unknownQueryParam(unknown, names);
      return endpoint({ principal, path: c.req.param(), query, incoming, outgoing });
    });
  }
  app.onError((cause, c) => {
    report(new Fault("a request threw", { path: c.req.path }, cause));
    return problem(500, "internal", "Internal server error. The server has logged it.");
  });
  return app;
}

/** Whoever has the token may do everything there is to do over plain HTTP. */
export function httpCaller(scopes: Iterable<string>): CallerOf<Caller> {
  const granted = new Set(scopes);
  return ({ principal }) => ({
    principal,
    scopes: granted,
    errorBudget: { allowsDetail: () => true },
  });
}

export type CallerOf<Who extends Caller> = (request: HttpRequest) => Who;

/** Reads with a method: its params are in the path and the query. */
export function getMethod<Who extends Caller>(
  method: Method<Who>,
  callerOf: CallerOf<Who>,
  paramsOf: (request: HttpRequest) => unknown,
): Endpoint {
  return async (request) => respond(await method.call(paramsOf(request), callerOf(request)), 200);
}

/** Acts with a method: its params are in the path and the JSON body, which is an object or nothing. */
export function postMethod<Who extends Caller>(
  method: Method<Who>,
  callerOf: CallerOf<Who>,
  limits: BodyLimits,
  status: 200 | 201 | 202 = 200,
): Endpoint {
  return async (request) => {
    const { path, incoming } = request;
    if (hasBody(incoming) && mediaTypeOf(incoming) !== JSON_TYPE) {
      const close = { connection: "close" };
      return problem(415, "body.foreign", `Send the body as ${JSON_TYPE}.`, close);
    }
    const body = await readJsonBody(incoming, limits, {});
    if (!body.ok) return invalidBody(body);
    const { value } = body;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return problem(400, "params.invalid", "The body must be a JSON object.");
    }
    const key = incoming.headers["idempotency-key"];
    const params = { ...(typeof key === "string" && { idempotencyKey: key }), ...value, ...path };
    return respond(await method.call(params, callerOf(request)), status);
  };
}

function respond(outcome: Outcome<unknown>, status: number): Response {
  if (!outcome.ok) return refusal(outcome);
  const { value } = outcome;
  if (!(value instanceof EncodedJson)) return Response.json(value, { status });
  return jsonText(value.text, status);
}

export function jsonText(text: string, status = 200): Response {
  return new Response(text, { status, headers: { "content-type": JSON_TYPE } });
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/** Aborted when the connection ends before the answer has been given. */
export function abortOnDisconnect(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const check = (): void => {
    if (!outgoing.writableFinished) gone.abort();
  };
  if (outgoing.destroyed) check();
  else outgoing.once("close", check);
  return gone.signal;
}
