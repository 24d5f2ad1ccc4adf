/**
 * Git's own protocol over HTTP, for reading: what a build or project has handed over can be cloned.
 *
 *   git clone -> GET info/refs -> 401, then with a password: what there is -> POST git-upload-pack -> its objects
 *
 * There is one branch, `main`. Nobody pushes here: what comes into a project is reviewed.
 */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Outcome } from "@atrium/core";
import { own } from "@atrium/wire";
import { Hono } from "hono";
import { createHttpApi, type HttpApiDeps, type HttpApp, type HttpRequest } from "../../http/api.ts";
import { readBytes, type BodyLimits } from "../../http/json-body.ts";
import { invalidBody, problem, refusal } from "../../http/problem.ts";
import type { FindHandover } from "../../workshop/find-handover.ts";
import type { Serving } from "../../workspaces/port/serving.ts";

export interface GitRoomDeps extends HttpApiDeps {
  readonly findHandover: Pick<FindHandover, "of">;
  readonly use: () => Promise<Pick<Serving, "serveFetch">>;
  readonly body: BodyLimits;
}

const FETCH = "git-upload-pack";
const WHO = 'Basic realm="Atrium: any name, and the token as the password"';
const NEVER_KEPT = { "cache-control": "no-cache, no-store", "x-content-type-options": "nosniff" };
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;
const READ_ONLY = "This repository can only be read. Changes come in by review.";
const TOO_OLD = "Use a git that speaks its smart protocol: git clone does.";
const unpack = promisify(gunzip);

export function openGitRoom(deps: GitRoomDeps): HttpApp {
  const serve = async (
    { path: { id = "" } }: HttpRequest,
    input: Buffer | null,
    type: "advertisement" | "result",
  ): Promise<Response> => {
    const bytes = await fetchFrom(deps, id, input);
    if (!bytes.ok) return refusal(bytes);
    const headers = { ...NEVER_KEPT, "content-type": `application/x-${FETCH}-${type}` };
    return new Response(ReadableStream.from(bytes.value), { headers });
  };
  const api = createHttpApi(
    {
      "/git/:id/info/refs": {
        query: ["service"],
        GET: async (request) => {
          const service = own(request.query, "service");
          if (service !== FETCH) return notServed(service === undefined ? TOO_OLD : READ_ONLY);
          if (request.incoming.method === "HEAD") return new Response(null);
          return serve(request, null, "advertisement");
        },
      },
      [`/git/:id/${FETCH}`]: {
        POST: async (request) => {
          const input = await readInput(request, deps.body);
          return input instanceof Response ? input : serve(request, input, "result");
        },
      },
      "/git/:id/git-receive-pack": { POST: () => notServed(READ_ONLY) },
    },
    deps,
  );
  const app: HttpApp = new Hono();
  app.use("/git/*", async (c, next) => {
    await next();
    if (c.res.status === 401) c.header("www-authenticate", WHO);
  });
  return app.route("/", api);
}

async function fetchFrom(
  { findHandover, use }: Pick<GitRoomDeps, "findHandover" | "use">,
  id: string,
  input: Buffer | null,
): Promise<Outcome<AsyncIterable<Buffer>>> {
  const found = await findHandover.of(id.replace(/\.git$/, ""));
  if (!found.ok) return found;
  const { repositoryId, commit } = found.value;
  return (await use()).serveFetch(repositoryId, commit, { input });
}

/** Git packs what is long. */
async function readInput(
  { incoming }: HttpRequest,
  limits: BodyLimits,
): Promise<Buffer | Response> {
  const bytes = await readBytes(incoming, limits);
  if (!Buffer.isBuffer(bytes)) return invalidBody(bytes);
  const packed = incoming.headers["content-encoding"] ?? "identity";
  if (packed === "identity") return bytes;
  if (packed !== "gzip" && packed !== "x-gzip") {
    return invalidBody({ ok: false, status: 415, reason: `Content-Encoding ${packed}: use gzip` });
  }
  try {
    return await unpack(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch {
    const reason = `the body is no gzip, or has more than ${MAX_UNPACKED_BYTES} bytes in it`;
    return invalidBody({ ok: false, status: 400, reason });
  }
}

function notServed(message: string): Response {
  return problem(403, "verb.unknown", message, { connection: "close" });
}
