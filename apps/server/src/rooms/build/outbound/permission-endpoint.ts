/** `GET /api/builds/:id/permissions/:permission`: all of what a build's agent asks to be allowed, however long. */
import { refuse, type Approvals } from "@atrium/core";
import type { ReadBuilds } from "../../../builds/read-builds.ts";
import type { Endpoint } from "../../../http/api.ts";
import { refusal } from "../../../http/problem.ts";
import { wholePermission } from "../../../human-input/permission-on-wire.ts";

export interface PermissionEndpointDeps {
  readonly read: Pick<ReadBuilds, "find">;
  readonly approvals: Pick<Approvals, "get">;
}

export function createPermissionEndpoint({ read, approvals }: PermissionEndpointDeps): Endpoint {
  return async ({ path: { id = "", permission = "" } }) => {
    const row = await read.find(id);
    if (row === undefined) return refusal(refuse("build.missing", id));
    const asked = approvals.get(permission);
    if (asked?.subject.conversationKey !== row.build.conversationKey) {
      return refusal(refuse("approval.missing", permission));
    }
    return Response.json(wholePermission(asked.subject));
  };
}
