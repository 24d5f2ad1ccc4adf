/**
 * The OpenAI room: every agent of the crew as a model, for clients that know OpenAI's API and nothing
 * of ours. Plain HTTP; what is said here goes through the same intake as everything else.
 */
import { Fault } from "@atrium/core";
import type { ModelList } from "@atrium/wire/openai";
import type { HttpBindings } from "@hono/node-server";
import { Hono, type Context } from "hono";
import { isAuthFailure } from "../../access/authenticate.ts";
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
import { createRunWords } from "./outbound/run-text.ts";

export interface OpenaiDeps extends Omit<CompletionsDeps, "words" | "closing"> {
  readonly live: Pick<LiveRuns, "get" | "onEvent">;
}

type App = Hono<{ Bindings: HttpBindings }>;
type Asking = Context<{ Bindings: HttpBindings }>;

export interface OpenaiRoom {
  readonly app: App;
  /** Ends what is being answered, so that nobody waits for a server that is going. */
  close(): void;
}

export function openOpenaiRoom({ live, ...deps }: OpenaiDeps): OpenaiRoom {
  const closing = new AbortController();
  const words = createRunWords(live);
  const complete = createCompletions({ ...deps, words, closing: closing.signal });
  const app: App = new Hono();

  app.post("/v1/chat/completions", (c) => complete(c.env));
  app.all("/v1/chat/completions", (c) => notAllowed(c, "POST"));

  app.use("/v1/*", async (c, next) => {
    const principal = deps.access(c.env.incoming);
    if (isAuthFailure(principal)) return tell(c, deniedProblem(principal));
    await next();
    return undefined;
  });
  app.get("/v1/models", (c) => {
    return c.json({ object: "list", data: [...modelsOf(deps.crew)] } satisfies ModelList);
  });
  // Ids hold a slash, which clients may or may not escape.
  app.get("/v1/models/:id{.+}", (c) => {
    const id = c.req.param("id");
    const known = modelsOf(deps.crew).find((each) => each.id === id);
    if (known !== undefined) return c.json(known);
    return targetOf(deps.crew, id) === undefined
      ? tell(c, noSuchModel(id))
      : c.json(describeModel(id, "openclaw"));
  });
  app.all("/v1/models", (c) => notAllowed(c, "GET"));
  app.all("/v1/*", (c) => {
    const message = `Not found: ${c.req.method} ${c.req.path}. Atrium serves GET /v1/models and POST /v1/chat/completions.`;
    return tell(c, problem(404, message, { code: "unknown_url" }));
  });

  app.onError((cause, c) => {
    deps.report(new Fault("a request threw", { path: c.req.path }, cause));
    return tell(c, problem(500, "Internal server error. The server has logged it."));
  });
  return { app, close: () => closing.abort() };
}

function tell(c: Asking, why: OpenaiError): Response {
  return c.json(bodyOf(why), why.status, headersOf(why));
}

function notAllowed(c: Asking, allowed: string): Response {
  const why = problem(405, `${c.req.path} answers ${allowed} only.`);
  return c.json(bodyOf(why), why.status, { ...headersOf(why), allow: allowed });
}
