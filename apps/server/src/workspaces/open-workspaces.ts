/** The workspaces of one home folder, by git. access/ has who waits for whom. */
import { join } from "node:path";
import { accept } from "@atrium/core";
import type { Timers } from "../platform/timers.ts";
import { WorkspaceAccess } from "./access/access.ts";
import { createHistory } from "./access/history-methods.ts";
import { createWorktrees, isFolder } from "./access/worktree-methods.ts";
import { createDeliveries } from "./delivery/delivery-methods.ts";
import { createServing } from "./delivery/serving-methods.ts";
import { createEncloseGit, type EnclosedGitOptions } from "./git/enclosed-git.ts";
import { gitEnvironment, personEnvironment, placesIn } from "./git/git-settings.ts";
import { createGit } from "./git/git.ts";
import { createLanding } from "./landing/landing-methods.ts";
import type { Recovery, Workspaces } from "./port/workspaces.ts";
import { recover } from "./recover.ts";

export interface WorkspacesOptions {
  /** Everything of it is in here. */
  readonly root: string;
  /** Where folders are delivered to; beside it, where none is named. On the same disk. */
  readonly projects?: string | undefined;
  /** Of this node, where several work in that folder; others' processes that may go on are left alone. */
  readonly life?: string | undefined;
  readonly mayGoOn?: ((life: string) => boolean) | undefined;
  /** Where programs are looked for. */
  readonly path: string;
  /** Of the server's surroundings, what a person's git and `gh` need; nothing, where it is left out. */
  readonly readEnv?: ((name: string) => string | undefined) | undefined;
  readonly timers: Timers;
  /** A name or a path; "git" unless another is wanted. */
  readonly program?: string;
  /** Where git works on files that agents may be changing; left out: it is not confined. */
  readonly confinement?: EnclosedGitOptions["confinement"] | undefined;
}

const NOTHING: Recovery = { removed: [], locks: 0, processes: 0 };

export function openWorkspaces({
  root,
  projects = join(root, "../projects"),
  path,
  life,
  mayGoOn = () => false,
  timers,
  readEnv = (name) => (name === "PATH" ? path : undefined),
  program = "git",
  confinement,
}: WorkspacesOptions): Workspaces {
  const places = placesIn(root);
  const { config } = places;
  const env = gitEnvironment(places, path, life);
  const enclose = confinement && createEncloseGit({ confinement, program, env, config });
  const git = createGit({ program, env, timers, enclose });
  const own = { env: personEnvironment(readEnv), timers };
  const person = {
    git: createGit({ ...own, program }),
    gh: createGit({ ...own, program: "gh" }),
  };
  const access = new WorkspaceAccess({ git, places, timers });
  return {
    ...createWorktrees(access),
    ...createHistory(access),
    ...createLanding(access),
    ...createDeliveries(access, { person, projects }),
    ...createServing(access),
    probe: () => access.probe(),
    recover: async () =>
      (await isFolder(places.stores))
        ? access.whenReady(() => recover(access.kit, mayGoOn))
        : accept(NOTHING),
    openRepository: (source) =>
      access.whenReady(() =>
        access.inRepository(source.id, () => access.repositories.open(source)),
      ),
    syncBase: (id) =>
      access.whenReady(() => access.inRepository(id, () => access.repositories.sync(id))),
    async [Symbol.asyncDispose]() {
      await access.close();
      person.git.close();
      person.gh.close();
    },
  };
}
