/** Settings over plain HTTP. The gateway is handed the same methods; a room never knows another. */
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
import { settingsMethods, type SettingsMethodDeps } from "./inbound/methods.ts";

export interface SettingsRoomDeps extends SettingsMethodDeps, HttpApiDeps {
  readonly body: BodyLimits;
}

const SOMEONE = { id: "http", name: "someone", via: "http" };

export function createSettingsRoom(deps: SettingsRoomDeps): HttpApp {
  const { body } = deps;
  const { get, patch, keySet, keyRemove, peerSchema } = settingsMethods(deps, ({ principal }) =>
    answererFrom(principal, SOMEONE),
  );
  const caller = httpCaller(GATEWAY_SCOPES);
  return createHttpApi(
    {
      "/api/settings": {
        GET: getMethod(get, caller, () => ({})),
        PATCH: postMethod(patch, caller, body),
      },
      "/api/settings/schema": { GET: getMethod(peerSchema, caller, () => ({})) },
      "/api/settings/keys/:name": {
        PUT: postMethod(keySet, caller, body),
        DELETE: postMethod(keyRemove, caller, body),
      },
    },
    deps,
  );
}
