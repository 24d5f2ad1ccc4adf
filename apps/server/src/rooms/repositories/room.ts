/** Repositories over plain HTTP. The gateway is handed the same methods; a room never knows another. */
import { GATEWAY_SCOPES } from "@atrium/wire/gateway";
import { answererFrom } from "../../access/principal.ts";
import {
  createHttpApi,
  getMethod,
  httpCaller,
  postMethod,
  type HttpApiDeps,
  type HttpApp,
} from "../../http/api.ts";
import type { BodyLimits } from "../../http/json-body.ts";
import { repositoryMethods, type RepositoryMethodDeps } from "./inbound/methods.ts";

export interface RepositoryRoomDeps extends RepositoryMethodDeps, HttpApiDeps {
  readonly body: BodyLimits;
}

const SOMEONE = { id: "http", name: "someone", via: "http" };

export function createRepositoryRoom(deps: RepositoryRoomDeps): HttpApp {
  const { body } = deps;
  const { list, add, remove } = repositoryMethods(deps, ({ principal }) =>
    answererFrom(principal, SOMEONE),
  );
  const caller = httpCaller(GATEWAY_SCOPES);
  return createHttpApi(
    {
      "/api/repositories": {
        GET: getMethod(list, caller, () => ({})),
        POST: postMethod(add, caller, body, 201),
      },
      "/api/repositories/:id": { DELETE: postMethod(remove, caller, body) },
    },
    deps,
  );
}
