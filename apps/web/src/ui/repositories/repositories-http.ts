/** Repositories and the sandbox over plain HTTP, as docs/repositories.md and docs/confinement.md have them. */
import type { FetchJson, JsonResponse } from "../../app/server/fetch-json.ts";

export interface RepositoryReport {
  readonly id: string;
  /** Null: one that Atrium made for a project or build. */
  readonly path: string | null;
  readonly kind: "git" | "folder" | "own" | null;
  /** The commit that work starts from. */
  readonly base: string | null;
  /** Why it cannot be used. */
  readonly problem: string | null;
}

export interface WorkspacesReport {
  /** Its version; null: there is none that can be used. */
  readonly git: string | null;
  readonly problem: string | null;
  readonly repositories: readonly RepositoryReport[];
}

export interface SandboxReport {
  readonly mode: "bubblewrap" | "asking";
  /** Why commands are not sandboxed. */
  readonly problem: string | null;
  readonly attempts: readonly {
    readonly name: string;
    readonly outcome: "refused" | "escaped" | "untried";
    readonly detail: string;
  }[];
}

export interface RepositoriesHttp {
  read(): Promise<JsonResponse<WorkspacesReport>>;
  readSandbox(): Promise<JsonResponse<SandboxReport>>;
}

export function createRepositoriesHttp(ask: FetchJson): RepositoriesHttp {
  return {
    read: () => ask("GET", "/api/workspaces"),
    readSandbox: () => ask("GET", "/api/confinement"),
  };
}
