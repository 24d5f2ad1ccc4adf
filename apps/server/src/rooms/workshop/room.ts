/**
 * The workshop's room: the files of projects and builds at any moment, put back or taken further, and changes with
 * what was said and checked about them, over plain HTTP. What a build delivered is in the build room, which is handed the listing of its files.
 */
import { own } from "@atrium/wire";
import { GATEWAY_SCOPES } from "@atrium/wire/gateway";
import { answererFrom } from "../../access/principal.ts";
import {
  createHttpApi,
  httpCaller,
  postMethod,
  type Endpoint,
  type HttpApiDeps,
  type HttpApp,
} from "../../http/api.ts";
import type { BodyLimits } from "../../http/json-body.ts";
import type { Method } from "../../pipeline/method-router.ts";
import type { FindHandover } from "../../workshop/find-handover.ts";
import type { FindMoment } from "../../workshop/find-moment.ts";
import type { WorkspaceCommands } from "../../workshop/workspace-commands.ts";
import { workspaceMethods } from "./inbound/methods.ts";
import { reviewMethods, type ReviewMethodDeps } from "./inbound/review-methods.ts";
import {
  CHANGE_QUERY,
  createChangeEndpoints,
  type ChangeEndpointDeps,
} from "./outbound/change-endpoints.ts";
import { createExportEndpoints, type ExportEndpointDeps } from "./outbound/export-endpoints.ts";
import {
  createMomentEndpoints,
  MOMENT_QUERY,
  type FindAt,
  type MomentEndpointDeps,
} from "./outbound/moment-endpoints.ts";
import {
  createPreviewEndpoint,
  createProjectPreview,
  type PreviewEndpointDeps,
} from "./outbound/preview-endpoint.ts";
import { createReviewEndpoints, type ReviewEndpointDeps } from "./outbound/review-endpoints.ts";

export interface WorkshopRoomDeps
  extends
    MomentEndpointDeps,
    PreviewEndpointDeps,
    ChangeEndpointDeps,
    ReviewEndpointDeps,
    ExportEndpointDeps,
    ReviewMethodDeps,
    HttpApiDeps {
  readonly findMoment: FindMoment;
  readonly findHandover: Pick<FindHandover, "ofBuild" | "ofProject">;
  readonly commands: WorkspaceCommands;
  readonly body: BodyLimits;
}

export interface WorkshopRoom {
  readonly app: HttpApp;
  /** `GET /api/builds/:id/files`, where it asks for a moment. */
  readonly buildFiles: Endpoint;
}

const SOMEONE = { id: "http", name: "someone", via: "http" };

export function openWorkshopRoom(deps: WorkshopRoomDeps): WorkshopRoom {
  const { findMoment, commands, body } = deps;
  const findOfProject: FindAt = ({ path: { id = "" }, query }, seq) =>
    findMoment.ofProject(id, own(query, "task"), seq);
  const findOfBuild: FindAt = ({ path: { id = "" } }, seq) => findMoment.ofBuild(id, seq);
  const project = createMomentEndpoints(deps, findOfProject);
  const build = createMomentEndpoints(deps, findOfBuild);
  const { changes, ...ofChange } = createChangeEndpoints(deps);
  const { comments, checks, buildChecks, output } = createReviewEndpoints(deps);
  const exports = createExportEndpoints(deps);
  const methods = workspaceMethods(commands, ({ principal }) => answererFrom(principal, SOMEONE));
  const reviews = reviewMethods(deps, ({ principal }) => answererFrom(principal, SOMEONE));
  const caller = httpCaller(GATEWAY_SCOPES);
  const post = (method: Method): Endpoint => postMethod(method, caller, body);
  const { files, file, diff, preview } = MOMENT_QUERY;
  const app = createHttpApi(
    {
      "/api/projects/:id/files": { query: [...files, "task"], GET: project.files },
      "/api/projects/:id/file": { query: [...file, "task"], GET: project.file },
      "/api/projects/:id/diff": { query: [...diff, "task"], GET: project.diff },
      "/api/projects/:id/preview": {
        query: [...preview, "task"],
        GET: createProjectPreview(deps, findOfProject),
      },
      "/api/builds/:id/preview": {
        query: preview,
        GET: createPreviewEndpoint(deps, findOfBuild),
      },
      "/api/builds/:id/file": { query: file, GET: build.file },
      "/api/builds/:id/diff": { query: diff, GET: build.diff },
      "/api/projects/:id/archive.zip": { GET: exports.zip },
      "/api/projects/:id/project.bundle": { GET: exports.bundle },
      "/api/projects/:id/project.patch": { GET: exports.patch },
      "/api/artifacts/:id/changes": { query: CHANGE_QUERY.changes, GET: changes },
      "/api/artifacts/:id/diff": { query: CHANGE_QUERY.diff, GET: ofChange.diff },
      "/api/artifacts/:id/file": { query: CHANGE_QUERY.file, GET: ofChange.file },
      "/api/artifacts/:id/comments": { query: ["version"], GET: comments },
      "/api/artifacts/:id/checks": { query: ["version"], GET: checks },
      "/api/builds/:id/checks": { GET: buildChecks },
      "/api/checks/:id/output": { GET: output },
      "/api/artifacts/:artifact/approve": { POST: post(reviews.approve) },
      "/api/artifacts/:artifact/request-changes": { POST: post(reviews.requestChanges) },
      "/api/artifacts/:artifact/revert": { POST: post(reviews.revert) },
      "/api/projects/:project/update": { POST: post(reviews.update) },
      "/api/projects/:project/deliver": { POST: post(reviews.deliver) },
      "/api/workspaces/:workspace/restore": { POST: post(methods.restore) },
      "/api/workspaces/:workspace/fork": { POST: postMethod(methods.fork, caller, body, 201) },
    },
    deps,
  );
  return { app, buildFiles: build.files };
}
