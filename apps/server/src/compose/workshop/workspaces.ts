/** Repositories and worktrees, put together. Part of compose.ts, and imported by it alone. */
import { existsSync } from "node:fs";
import {
  Fault,
  findWorkspaceBase,
  type BatchListener,
  type Builds,
  type Conversations,
  type CrewMember,
  type Dispatch,
  type Outcome,
  type Projects,
  type WorkspacesProjection,
} from "@atrium/core";
import type { Log } from "@atrium/log";
import type { HttpAccess } from "../../access/http-access.ts";
import { createReadBuildFiles } from "../../builds/read-build-files.ts";
import type { Cluster } from "../../cluster/cluster.ts";
import type { Relay } from "../../cluster/relay.ts";
import type { Confinement } from "../../confinement/confinement.ts";
import { createHttpApi, type HttpApp } from "../../http/api.ts";
import type { Blobs } from "../../platform/blobs.ts";
import type { Home } from "../../platform/home.ts";
import { clock } from "../../platform/system-clock.ts";
import { systemTimers } from "../../platform/timers.ts";
import type { RepositoryCatalog } from "../../repositories/repository-catalog.ts";
import { createSealBuild, type SealBuild } from "../../workshop/builds/seal-build.ts";
import { LiveChecks } from "../../workshop/checks/live-checks.ts";
import { workOverIn } from "../../workshop/over-work.ts";
import {
  createPrepareWorktree,
  type PrepareWorktreeDeps,
} from "../../workshop/prepare-worktree.ts";
import { RunWorkspaces } from "../../workshop/run-workspaces.ts";
import type {
  RepositoryFacts,
  RepositorySource,
  Workspaces,
} from "../../workspaces/port/workspaces.ts";
import { composePreviews, type Previews, type PreviewsSurface } from "./previews.ts";

export interface WorkspacesSurface {
  readonly home: Pick<Home, "workshopFolder">;
  readonly readEnv: (name: string) => string | undefined;
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
  readonly report: (fault: Fault) => void;
}

interface WorkshopNeeds {
  readonly projects: Projects;
  readonly builds: Builds;
  readonly conversations: Conversations;
  readonly workspaces: WorkspacesProjection;
  readonly dispatch: Dispatch;
  readonly repositories: RepositoryCatalog;
  readonly confinement: Pick<Confinement, "probe" | "enclose" | "run">;
  readonly humanInput: PrepareWorktreeDeps["humanInput"];
  readonly log: Pick<Log, "read">;
  readonly blobs: Pick<Blobs, "get">;
  readonly relay: Pick<Relay, "mirror">;
  readonly cluster: Pick<Cluster, "life" | "mayGoOn">;
}

/** What those who work on files share. */
export interface Workshop {
  /** Whether an earlier life has used it. */
  readonly isUsed: () => boolean;
  /** Loaded by the first who needs it: a server without repositories starts without. */
  readonly use: () => Promise<Workspaces>;
  readonly runWorkspaces: RunWorkspaces;
  readonly sealBuild: SealBuild;
  readonly previews: Previews;
  readonly liveChecks: LiveChecks;
}

export function openWorkshop(
  surface: Pick<WorkspacesSurface, "home" | "readEnv" | "note"> &
    PreviewsSurface & { readonly config: { readonly crew: readonly CrewMember[] } },
  needs: WorkshopNeeds,
  opened: AsyncDisposableStack,
): Workshop {
  const { home, readEnv, note } = surface;
  const { projects, builds, conversations, workspaces, dispatch } = needs;
  const { repositories, confinement, humanInput, log, blobs } = needs;
  const { workshopFolder: root } = home;
  let spaces: Promise<Workspaces> | undefined;
  const load = async (): Promise<Workspaces> => {
    const { openWorkspaces } = await import("../../workspaces/open-workspaces.ts");
    const path = readEnv("PATH") ?? "";
    const { life, mayGoOn } = needs.cluster;
    const whose = { life, mayGoOn };
    return openWorkspaces({ root, path, readEnv, timers: systemTimers, confinement, ...whose });
  };
  const use = (): Promise<Workspaces> => (spaces ??= load());
  opened.defer(async () => (await spaces)?.[Symbol.asyncDispose]());
  const { crew } = surface.config;
  const readFiles = createReadBuildFiles(log);
  const seals = { dispatch, builds, rows: workspaces, use, readFiles, blobs, crew };
  const sealBuild = createSealBuild(seals);
  const runWorkspaces = new RunWorkspaces({
    projects,
    builds,
    dispatch,
    workspaces: use,
    rows: workspaces,
    baseAt: (workspaceId, seq) => findWorkspaceBase(log, workspaceId, seq),
    conversations,
    repositories,
    prepare: createPrepareWorktree({ confinement, humanInput }),
    handOver: sealBuild,
    now: () => clock.now(),
    note,
  });
  const previews = opened.use(composePreviews(surface, use));
  const liveChecks = new LiveChecks(needs.relay.mirror);
  return { isUsed: () => existsSync(root), use, runWorkspaces, sealBuild, previews, liveChecks };
}

interface WorkspacesNeeds {
  readonly state: Pick<WorkshopNeeds, "projects" | "builds"> & {
    readonly relay: Pick<Relay, "atDirector">;
  };
  readonly repositories: Pick<RepositoryCatalog, "list">;
}

interface WorkspacesPart {
  readonly apps: readonly HttpApp[];
  readonly directs: { readonly onBatch: BatchListener; readonly recover: () => Promise<void> };
}

/** `GET /api/workspaces`: whether there is a git to work with, and what became of each repository. */
export function composeWorkspaces(
  { note, report }: Pick<WorkspacesSurface, "note" | "report">,
  { state: { projects, builds, relay }, repositories }: WorkspacesNeeds,
  { isUsed, use, runWorkspaces }: Workshop,
  access: HttpAccess,
): WorkspacesPart {
  const later = (what: string, work: Promise<unknown>): void =>
    void work.catch((cause: unknown) => report(new Fault(what, {}, cause)));
  /** One that cannot be opened is tried again by whoever asks. */
  const open = relay.atDirector("workspaces.open", async (source: RepositorySource) =>
    (await use()).openRepository(source),
  );
  const openAll = (): Promise<readonly RepositoryReport[]> =>
    Promise.all(
      repositories.list().map(async ({ id, path, base }) => {
        const source = { id, path, base };
        return reportOf(source, await open(source));
      }),
    );
  const openAndNote = async (): Promise<void> => {
    for (const each of await openAll()) {
      if (each.problem !== null) note("a repository cannot be used", each);
    }
  };
  const GET = async (): Promise<Response> => {
    const version = await (await use()).probe();
    const found = version.ok ? await openAll() : [];
    return Response.json({
      git: version.ok ? version.value : null,
      problem: version.ok ? null : (version.detail ?? version.code),
      repositories: found,
    });
  };
  return {
    apps: [createHttpApi({ "/api/workspaces": { GET } }, { access, report })],
    directs: {
      onBatch(entries) {
        for (const id of workOverIn({ projects, builds }, entries)) {
          later("a workspace was not taken away", runWorkspaces.discard(id));
        }
      },
      async recover() {
        if (repositories.list().length === 0 && !isUsed()) return;
        const found = await (await use()).recover();
        if (!found.ok) return note("worktrees stay as they are", { ...found });
        const { removed, locks, processes } = found.value;
        if (removed.length + locks + processes > 0) note("left-overs removed", { ...found.value });
        // Not waited for: a disk that does not answer must not keep the server from opening.
        later("repositories were not opened", openAndNote());
        later("workspaces of ended work were not taken away", runWorkspaces.discardOver());
      },
    },
  };
}

type RepositoryReport = Readonly<Record<"id" | "path", string | null>> & {
  readonly kind: RepositoryFacts["kind"] | null;
  readonly base: string | null;
  readonly problem: string | null;
};

function reportOf(
  { id, path }: RepositorySource,
  outcome: Outcome<RepositoryFacts>,
): RepositoryReport {
  return outcome.ok
    ? { id, path, kind: outcome.value.kind, base: outcome.value.commit, problem: null }
    : { id, path, kind: null, base: null, problem: outcome.detail ?? outcome.code };
}
