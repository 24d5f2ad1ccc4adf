/**
 * The machine over plain HTTP: whether commands are sandboxed and which escapes were tried, and which agents could be
 * connected. The gateway is handed the method for the latter; a room never knows another.
 */
import { GATEWAY_SCOPES } from "@atrium/wire/gateway";
import type { ConfinementReport } from "../../confinement/confinement.ts";
import {
  createHttpApi,
  getMethod,
  httpCaller,
  type HttpApiDeps,
  type HttpApp,
} from "../../http/api.ts";
import { listProgramsMethod, type Detect } from "./inbound/methods.ts";

export interface MachineRoomDeps extends HttpApiDeps {
  readonly probeConfinement: () => Promise<ConfinementReport>;
  readonly detect: Detect;
}

const BOOLEANS: ReadonlyMap<string | undefined, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

export function createMachineRoom(deps: MachineRoomDeps): HttpApp {
  const list = getMethod(listProgramsMethod(deps.detect), httpCaller(GATEWAY_SCOPES), ({ query }) =>
    "refresh" in query ? { refresh: BOOLEANS.get(query["refresh"]) ?? query["refresh"] } : {},
  );
  return createHttpApi(
    {
      "/api/confinement": {
        GET: async () => Response.json(await deps.probeConfinement()),
      },
      "/api/agent-programs": { GET: list, query: ["refresh"] },
    },
    deps,
  );
}
