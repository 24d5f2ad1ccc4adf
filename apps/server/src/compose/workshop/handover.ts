import type { Builds, Fault, Projects, WorkspacesProjection } from "@atrium/core";
import type { Log } from "@atrium/log";
import type { HttpAccess } from "../../access/http-access.ts";
import { createReadBuilds } from "../../builds/read-builds.ts";
import type { HttpApp } from "../../http/api.ts";
/** What was handed over, to be cloned and downloaded. Part of compose.ts, and imported by it alone. */
import { bodyLimitsOf, type BodySettings } from "../../http/body-limits.ts";
import { openHandoverRoom } from "../../rooms/git/handover-room.ts";
import { openGitRoom } from "../../rooms/git/room.ts";
import { createFindHandover, type FindHandover } from "../../workshop/find-handover.ts";
import type { Workshop } from "./workspaces.ts";

interface HandoverSurface {
  readonly config: {
    readonly limits: BodySettings;
  };
  readonly report: (fault: Fault) => void;
}

interface HandoverState {
  readonly log: Log;
  readonly builds: Builds;
  readonly projects: Projects;
  readonly workspaces: WorkspacesProjection;
}

interface OpenHandover {
  readonly findHandover: FindHandover;
  readonly apps: readonly HttpApp[];
}

export function composeHandover(
  { config, report }: HandoverSurface,
  { log, builds, projects, workspaces }: HandoverState,
  { use }: Pick<Workshop, "use">,
  { access, gitAccess }: Readonly<Record<"access" | "gitAccess", HttpAccess>>,
): OpenHandover {
  const read = createReadBuilds(log, builds);
  const isBuild = async (id: string): Promise<boolean> => (await read.find(id)) !== undefined;
  const findHandover = createFindHandover({ workspaces, projects, isBuild, use });
  const body = bodyLimitsOf(config.limits);
  return {
    findHandover,
    apps: [
      openGitRoom({ findHandover, use, body, access: gitAccess, report }),
      openHandoverRoom({ findHandover, use, access, report }),
    ],
  };
}
