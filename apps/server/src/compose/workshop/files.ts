import {
  createMomentAt,
  type Answerer,
  type Builds,
  type Dispatch,
  type Fault,
  type Projects,
  type WorkspacesProjection,
} from "@atrium/core";
import type { Log } from "@atrium/log";
import type { HttpAccess } from "../../access/http-access.ts";
import type { BuildCommands } from "../../builds/build-commands.ts";
import { createReadBuilds } from "../../builds/read-builds.ts";
import type { Relay } from "../../cluster/relay.ts";
import type { HttpApp } from "../../http/api.ts";
/** The files of every moment, put together: their room, and what people ask of them. Part of compose.ts. */
import { bodyLimitsOf, type BodySettings } from "../../http/body-limits.ts";
import type { ReadBlob } from "../../http/untrusted-content.ts";
import { clock } from "../../platform/system-clock.ts";
import type { GatewayExtension } from "../../rooms/gateway/extension.ts";
import { answererOf } from "../../rooms/gateway/frames/answerers.ts";
import type { GatewayCaller } from "../../rooms/gateway/frames/peer.ts";
import { workspaceMethods } from "../../rooms/workshop/inbound/methods.ts";
import { reviewMethods } from "../../rooms/workshop/inbound/review-methods.ts";
import { openWorkshopRoom, type WorkshopRoom } from "../../rooms/workshop/room.ts";
import { createFindChange } from "../../workshop/changes/find-change.ts";
import type { LiveChecks } from "../../workshop/checks/live-checks.ts";
import { createAnchorComments } from "../../workshop/comments/anchor-comments.ts";
import { createAnchorRemarks, type AnchorRemarks } from "../../workshop/comments/anchor-remarks.ts";
import { createPlaceComments } from "../../workshop/comments/place-comments.ts";
import { createFindMoment } from "../../workshop/find-moment.ts";
import { createForkWork } from "../../workshop/fork-work.ts";
import type { DeliverProject } from "../../workshop/landing/deliver-project.ts";
import { createRestoreFiles } from "../../workshop/restore-files.ts";
import type { WorkspaceCommands } from "../../workshop/workspace-commands.ts";
import { composeHandover } from "./handover.ts";
import type { Workshop } from "./workspaces.ts";

export interface Files extends Pick<WorkshopRoom, "buildFiles"> {
  readonly part: { readonly apps: readonly HttpApp[] };
  readonly forWorld: {
    readonly workspaceCommands: WorkspaceCommands;
    readonly anchorRemarks: AnchorRemarks;
    readonly liveChecks: LiveChecks;
  };
  readonly extension: GatewayExtension;
}

interface FilesSurface {
  readonly config: {
    readonly limits: BodySettings;
  };
  readonly report: (fault: Fault) => void;
}

interface FilesState {
  readonly dispatch: Dispatch;
  readonly direct: Dispatch;
  readonly log: Log;
  readonly projects: Projects;
  readonly workspaces: WorkspacesProjection;
  readonly builds: Builds;
  readonly relay: Pick<Relay, "changeAtDirector">;
}

interface FilesNeeds {
  readonly state: FilesState;
  readonly blobs: { readonly get: ReadBlob };
  readonly deliverProject: DeliverProject;
}

export function composeFiles(
  { config, report }: FilesSurface,
  { state: { relay, ...state }, blobs, deliverProject }: FilesNeeds,
  workshop: Workshop,
  buildCommands: Pick<BuildCommands, "start">,
  auth: Readonly<Record<"access" | "gitAccess", HttpAccess>>,
): Files {
  const { dispatch, direct, log, projects, workspaces, builds } = state;
  const { use, runWorkspaces, previews, liveChecks } = workshop;
  const { access } = auth;
  const read = createReadBuilds(log, builds);
  const findMoment = createFindMoment({
    workspaces,
    projects,
    isBuild: async (id) => (await read.find(id)) !== undefined,
    momentAt: createMomentAt(log),
    head: () => log.head,
  });
  const restoreHere = createRestoreFiles({
    dispatch: direct,
    log,
    findMoment,
    use,
    holdIfFree: (workspaceId) => runWorkspaces.holdIfFree(workspaceId),
    clock,
  });
  const commands: WorkspaceCommands = {
    // Nobody may be at work on those files, which the director knows.
    restore: relay.changeAtDirector("workspace.restore", restoreHere),
    fork: createForkWork({
      dispatch,
      findMoment,
      findBuild: (id) => read.find(id),
      builds: buildCommands,
      clock,
    }),
  };
  const body = bodyLimitsOf(config.limits);
  const findChange = createFindChange({
    findArtifact: (id) => projects.ofArtifact(id)?.artifact,
    workspaces,
  });
  const anchorRemarks = createAnchorRemarks(findChange, createAnchorComments(use));
  const reviewing = { dispatch, projects, anchorRemarks, deliverProject, clock };
  const handover = composeHandover({ config, report }, state, workshop, auth);
  const { app, buildFiles } = openWorkshopRoom({
    ...reviewing,
    use,
    findMoment,
    findChange,
    findProject: (id) => projects.get(id),
    placeComments: createPlaceComments(use),
    workspaces,
    blobs,
    liveOutputOf: (checkId) => liveChecks.outputOf(checkId),
    commands,
    openPreview: previews.openPreview,
    findHandover: handover.findHandover,
    body,
    access,
    report,
  });
  const { restore, fork } = workspaceMethods<GatewayCaller>(commands, answererAt);
  const reviews = Object.values(reviewMethods<GatewayCaller>(reviewing, answererAt));
  return {
    part: { apps: [app, ...handover.apps] },
    buildFiles,
    forWorld: {
      workspaceCommands: commands,
      anchorRemarks,
      liveChecks,
    },
    extension: { methods: [restore, fork, ...reviews], connect: () => undefined },
  };
}

function answererAt({ member }: GatewayCaller): Answerer {
  return answererOf(member);
}
