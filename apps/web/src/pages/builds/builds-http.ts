/** Builds over plain HTTP, as docs/builds.md has them. */
import type { PermissionSubject } from "@atrium/wire";
import type { BuildFile, BuildView } from "@atrium/wire/build";
import type { JsonResponse, FetchJson } from "../../app/server/fetch-json.ts";
import type { BuildAnswer } from "./build-story.ts";

export interface BuildWish {
  readonly prompt: string;
  readonly agent?: string | undefined;
  /** Left out: one of its own. */
  readonly repository?: string | undefined;
}

export interface BuildHandover {
  readonly commit: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly has_more: boolean;
  /** Paths of this server. */
  readonly clone: string;
  readonly archive?: string;
}

/** A check of what a build has made, as it stands now. */
export interface ListedCheck {
  readonly check_id: string;
  readonly name: string;
  readonly command: string;
  readonly state: "running" | "passed" | "failed" | "error" | "skipped";
}

export interface BuildsHttp {
  list(
    cursor?: string,
  ): Promise<JsonResponse<{ readonly builds: readonly BuildView[]; readonly next?: string }>>;
  get(id: string): Promise<JsonResponse<{ readonly build: BuildView }>>;
  files(id: string): Promise<JsonResponse<{ readonly files: readonly BuildFile[] }>>;
  handover(id: string): Promise<JsonResponse<BuildHandover>>;
  checks(id: string): Promise<JsonResponse<{ readonly checks: readonly ListedCheck[] }>>;
  start(wish: BuildWish): Promise<JsonResponse<{ readonly id: string }>>;
  answer(
    id: string,
    answers: readonly BuildAnswer[],
  ): Promise<JsonResponse<{ readonly seq: number }>>;
  cancel(id: string): Promise<JsonResponse<{ readonly seq: number }>>;
  /** All of a permission that is too long for events, at the path that its event names. */
  permission(path: string): Promise<JsonResponse<{ readonly permission: PermissionSubject }>>;
}

const PAGE = 50;

const at = (id: string, rest = ""): string => `/api/builds/${encodeURIComponent(id)}${rest}`;

export function createBuildsHttp(ask: FetchJson): BuildsHttp {
  return {
    list: (cursor) =>
      ask(
        "GET",
        `/api/builds?limit=${PAGE}${cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
      ),
    get: (id) => ask("GET", at(id)),
    files: (id) => ask("GET", at(id, "/files")),
    handover: (id) => ask("GET", at(id, "/handover")),
    checks: (id) => ask("GET", at(id, "/checks")),
    // What is undefined is left out of the JSON.
    start: (wish) => ask("POST", "/api/builds", wish),
    answer: (id, answers) => ask("POST", at(id, "/answers"), { answers }),
    cancel: (id) => ask("POST", at(id, "/cancel"), {}),
    permission: (path) => ask("GET", path),
  };
}
