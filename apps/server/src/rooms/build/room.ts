/**
 * The build room: build sessions over plain HTTP, with their events as a stream. The same methods are
 * served at the gateway's door, which is handed them; a room never knows another.
 */
import type { Approvals, BatchListener } from "@atrium/core";
import { GATEWAY_SCOPES } from "@atrium/wire/gateway";
import { answererFrom } from "../../access/principal.ts";
import {
  postMethod,
  createHttpApi,
  httpCaller,
  getMethod,
  type Endpoint,
  type HttpApiDeps,
  type HttpApp,
} from "../../http/api.ts";
import type { EventStreamRules } from "../../http/event-stream.ts";
import type { BodyLimits } from "../../http/json-body.ts";
import type { ReadBlob } from "../../http/untrusted-content.ts";
import { buildMethods, type BuildMethodDeps } from "./inbound/methods.ts";
import { createBuildEndpoints } from "./outbound/build-endpoints.ts";
import { eventsEndpoint } from "./outbound/events-endpoint.ts";
import { createBuildFeed, type BuildFeed } from "./outbound/feed.ts";

export interface BuildRoomDeps extends BuildMethodDeps, HttpApiDeps {
  readonly body: BodyLimits;
  readonly stream: EventStreamRules;
  readonly readBlob: ReadBlob;
  readonly approvals: Pick<Approvals, "get">;
  /** The files of its workspace, where a moment or a folder is request for. */
  readonly momentFiles: Endpoint;
}

export interface BuildRoom {
  readonly app: HttpApp;
  readonly feed: Pick<BuildFeed, "onEvent">;
  readonly onBatch: BatchListener;
  close(): void;
}

const SOMEONE = { id: "http", name: "someone", via: "http" };

export function openBuildRoom(deps: BuildRoomDeps): BuildRoom {
  const { read, head, body, stream: rules, momentFiles } = deps;
  const feed = createBuildFeed();
  const endpoints = createBuildEndpoints(deps);
  const closing = new AbortController();
  const methods = buildMethods(deps, ({ principal }) => answererFrom(principal, SOMEONE));
  const caller = httpCaller(GATEWAY_SCOPES);
  const delivered = getMethod(methods.files, caller, ({ path }) => path);
  const app = createHttpApi(
    {
      "/api/builds": {
        query: ["limit", "cursor"],
        GET: getMethod(methods.list, caller, ({ query: { limit, cursor } }) => ({
          ...(limit !== undefined && { limit: Number(limit) }),
          ...(cursor !== undefined && { cursor }),
        })),
        POST: postMethod(methods.start, caller, body, 201),
      },
      "/api/builds/:id": { GET: getMethod(methods.get, caller, ({ path }) => path) },
      "/api/builds/:id/files": {
        query: ["seq", "path"],
        GET: (request) =>
          (Object.keys(request.query).length === 0 ? delivered : momentFiles)(request),
      },
      "/api/builds/:id/files/:file": { GET: endpoints.file },
      "/api/builds/:id/permissions/:permission": {
        GET: endpoints.permission,
        POST: postMethod(methods.decide, caller, body),
      },
      "/api/builds/:id/events": {
        query: ["after"],
        GET: eventsEndpoint({ read, feed, head, rules, closing: closing.signal }),
      },
      "/api/builds/:id/answers": { POST: postMethod(methods.answer, caller, body) },
      "/api/builds/:id/cancel": { POST: postMethod(methods.cancel, caller, body) },
      "/api/builds/:id/diagnosis": {
        GET: getMethod(methods.diagnosis, caller, ({ path }) => path),
      },
    },
    deps,
  );
  return { app, feed, onBatch: feed.onBatch, close: () => closing.abort() };
}
