/**
 * The OpenAI room: every agent of the crew as a model, for clients that know OpenAI's API and nothing
 * of ours. Plain HTTP; messages go through the same intake as those of every other room.
 */
import { Fault } from "@atrium/core";
import type { ModelList } from "@atrium/wire/openai";
import type { HttpBindings } from "@hono/node-server";
import { Hono, type Context } from "hono";
import { isAuthFailure } from "../../access/authenticate.ts";
import type { HttpApp } from "../../http/api.ts";
import type { LiveRuns } from "../../runs/live-runs.ts";
import { createCompletions, type CompletionsDeps } from "./completions.ts";
import { describeModel, modelsOf, targetOf } from "./inbound/model-ids.ts";
import {
  bodyOf,
  deniedProblem,
  headersOf,
  noSuchModel,
  problem,
  type OpenaiError,
} from "./outbound/problem.ts";
import { createRunText } from "./outbound/run-text.ts";

export interface OpenaiDeps extends Omit<CompletionsDeps, "runText" | "closing"> {
  readonly live: Pick<LiveRuns, "get" | "onEvent">;
}

type RequestContext = Context<{ Bindings: HttpBindings }>;

export interface OpenaiRoom {
  readonly app: HttpApp;
  /** Ends the open requests, so that no client waits for a server that is closing. */
  close(): void;
}

export function openOpenaiRoom(deps: OpenaiDeps): OpenaiRoom {
  const { access, intake, runs, parts, live, crew, clock, ids, report } = deps;
  const { body, stream } = deps;
  const closing = new AbortController();
  const complete = createCompletions({
    access,
    intake,
    runs,
    parts,
    runText: createRunText(live),
    crew,
    clock,
    ids,
    body,
    stream,
    closing: closing.signal,
    report,
  });
  const app: HttpApp = new Hono();

  app.post("/v1/chat/completions", (c) => complete(c.env));
  app.all("/v1/chat/completions", (c) => notAllowed(c, "POST"));

  app.use("/v1/*", async (c, next) => {
    const principal = access(c.env.incoming);
    if (isAuthFailure(principal)) return problemResponse(c, deniedProblem(principal));
    await next();
    return undefined;
  });
  app.get("/v1/models", (c) => {
    return c.json({ object: "list", data: [...modelsOf(crew)] } satisfies ModelList);
  });
  // Ids contain a slash, which clients may or may not escape.
  app.get("/v1/models/:id{.+}", (c) => {
    const id = c.req.param("id");
    const known = modelsOf(crew).find((each) => each.id === id);
    if (known !== undefined) return c.json(known);
    return targetOf(crew, id) === undefined
      ? problemResponse(c, noSuchModel(id))
      : c.json(describeModel(id, "openclaw"));
  });
  app.all("/v1/models", (c) => notAllowed(c, "GET"));
  app.all("/v1/*", (c) => {
    const message = `Not found: ${c.req.method} ${c.req.path}. Atrium serves GET /v1/models and POST /v1/chat/completions.`;
    return problemResponse(c, problem(404, message, { code: "unknown_url" }));
  });

  app.onError((cause, c) => {
    report(new Fault("a request threw", { path: c.req.path }, cause));
    return problemResponse(c, problem(500, "Internal server error. The server has logged it."));
  });
  return { app, close: () => closing.abort() };
}

function problemResponse(c: RequestContext, why: OpenaiError): Response {
  return c.json(bodyOf(why), why.status, headersOf(why));
}

function notAllowed(c: RequestContext, allowed: string): Response {
  const why = problem(405, `${c.req.path} answers ${allowed} only.`);
  return c.json(bodyOf(why), why.status, { ...headersOf(why), allow: allowed });
}
