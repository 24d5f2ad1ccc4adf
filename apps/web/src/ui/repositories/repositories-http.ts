/** Repositories and the sandbox over plain HTTP, as docs/repositories.md and docs/confinement.md have them. */
import type { CallResult } from "@atrium/client";
import type { FetchJson, JsonResponse } from "../../app/server/fetch-json.ts";

export type Repository = CallResult<"repositories.list">["repositories"][number];

export interface RepositoryAddition {
  readonly path: string;
  readonly id?: string;
  readonly base?: string;
}

export interface GitReport {
  /** Its version; null: there is none that can be used. */
  readonly git: string | null;
  readonly problem: string | null;
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
  list(): Promise<JsonResponse<{ readonly repositories: readonly Repository[] }>>;
  add(addition: RepositoryAddition): Promise<JsonResponse<{ readonly repository: Repository }>>;
  remove(id: string): Promise<JsonResponse<unknown>>;
  readGit(): Promise<JsonResponse<GitReport>>;
  readSandbox(): Promise<JsonResponse<SandboxReport>>;
}

export function createRepositoriesHttp(ask: FetchJson): RepositoriesHttp {
  return {
    list: () => ask("GET", "/api/repositories"),
    add: (addition) => ask("POST", "/api/repositories", addition),
    remove: (id) => ask("DELETE", `/api/repositories/${encodeURIComponent(id)}`),
    readGit: () => ask("GET", "/api/workspaces"),
    readSandbox: () => ask("GET", "/api/confinement"),
  };
}
