/** Changes of files, put together: sealing, checks, landing, delivery. Part of compose.ts, and imported by it alone. */
import type { CrewMember, Dispatch, Fault, Projects, WorkspacesProjection } from "@atrium/core";
import type { Log } from "@atrium/log";
import type { CheckBuild } from "../../builds/build-checks.ts";
import type { Relay } from "../../cluster/relay.ts";
import type { Confinement } from "../../confinement/confinement.ts";
import type { Blobs } from "../../platform/blobs.ts";
import { clock } from "../../platform/system-clock.ts";
import { sleep, systemTimers } from "../../platform/timers.ts";
import type { ChangeChecks, Changes } from "../../projects/work/changes.ts";
import { createWorkKeys } from "../../projects/work/work-keys.ts";
import type { RepositoryCatalog } from "../../repositories/repository-catalog.ts";
import type { TurnHumanInput } from "../../runs/run-driver.ts";
import { createCheckBuild } from "../../workshop/builds/check-build.ts";
import { createFindConflictTree } from "../../workshop/changes/conflict-tree.ts";
import { createReadDelivered } from "../../workshop/changes/delivered-documents.ts";
import { createFindChange } from "../../workshop/changes/find-change.ts";
import { createSealWork } from "../../workshop/changes/seal-work.ts";
import { CheckJobs } from "../../workshop/checks/check-jobs.ts";
import { createChecksOf } from "../../workshop/checks/checks-of.ts";
import { createRunChecks } from "../../workshop/checks/run-checks.ts";
import {
  createDeliverProject,
  type DeliverProject,
} from "../../workshop/landing/deliver-project.ts";
import { createLandChanges } from "../../workshop/landing/land-changes.ts";
import { createPrepareWorktree } from "../../workshop/prepare-worktree.ts";
import {
  createApplySuggestions,
  type ApplySuggestions,
} from "../../workshop/suggestions/apply-suggestions.ts";
import type { Workshop } from "./workspaces.ts";

interface ChangesSurface {
  readonly config: { readonly crew: readonly CrewMember[] };
  readonly report: (fault: Fault) => void;
}

interface ChangeNeeds {
  readonly state: {
    readonly dispatch: Dispatch;
    readonly log: Log;
    readonly projects: Projects;
    readonly workspaces: WorkspacesProjection;
    readonly relay: Pick<Relay, "changeAtDirector">;
  };
  readonly humanInput: TurnHumanInput;
  readonly blobs: Blobs;
  readonly repositories: RepositoryCatalog;
  readonly confinement: Pick<Confinement, "probe" | "run">;
  readonly workshop: Workshop;
  readonly secrets: () => readonly string[];
}

export interface OpenChanges {
  readonly changes: Changes;
  readonly checks: ChangeChecks;
  readonly checkBuild: CheckBuild;
  readonly deliverProject: DeliverProject;
  readonly applySuggestions: ApplySuggestions;
}

export function composeChanges(
  { config: { crew }, report }: ChangesSurface,
  needs: ChangeNeeds,
  opened: AsyncDisposableStack,
): OpenChanges {
  const { state, repositories, confinement, workshop, secrets, humanInput, blobs } = needs;
  const { dispatch, log, projects, workspaces: rows } = state;
  const { changeAtDirector } = state.relay;
  const { use, runWorkspaces, liveChecks: live } = workshop;
  const hold = (workspaceId: string): Promise<() => void> => runWorkspaces.hold(workspaceId);
  const checksOf = createChecksOf({ projects, rows, repositories });
  const kept = {
    dispatch,
    rows,
    use,
    blobs,
    findConflictTree: createFindConflictTree(log),
    commandsOf: (taskId: string) => checksOf(taskId).map(({ command }) => command),
  };
  const readDelivered = createReadDelivered(log, blobs);
  const seal = createSealWork({ ...kept, hold, crew, readDelivered });
  const runChecks = createRunChecks({
    dispatch,
    rows,
    use,
    confinement,
    humanInput,
    prepare: createPrepareWorktree({ confinement, humanInput }),
    repositories,
    blobs,
    secrets,
    timers: systemTimers,
    live,
  });
  const keys = createWorkKeys(crew);
  const jobs = { dispatch, projects, rows, checksOf, runChecks, keys, clock, sleep, report };
  const hasFiles = (taskId: string): boolean => rows.get(taskId)?.state === "ready";
  const landing = createLandChanges({ dispatch, projects, rows, use, hold });
  return {
    changes: { hasFiles, seal, checksOf, ...landing },
    checks: opened.use(new CheckJobs(jobs)),
    checkBuild: createCheckBuild({ sealBuild: workshop.sealBuild, runChecks, rows, hold, blobs }),
    deliverProject: changeAtDirector(
      "project.deliver",
      createDeliverProject({ dispatch, log, projects, repositories, use, clock }),
    ),
    applySuggestions: changeAtDirector(
      "suggestions.apply",
      createApplySuggestions({
        ...kept,
        log,
        projects,
        findChange: createFindChange({
          findArtifact: (id) => projects.ofArtifact(id)?.artifact,
          workspaces: rows,
        }),
        holdIfFree: (workspaceId) => runWorkspaces.holdIfFree(workspaceId),
        clock,
      }),
    ),
  };
}
