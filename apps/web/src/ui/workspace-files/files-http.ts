/** The files of a task or a build at a moment, over plain HTTP, as docs/workshop.md has them. */
import type { FetchJson, JsonResponse } from "../../app/server/fetch-json.ts";

export interface FileEntry {
  readonly name: string;
  readonly type: "file" | "program" | "link" | "folder" | "submodule";
  readonly bytes?: number;
}

export interface FolderListing {
  readonly entries: readonly FileEntry[];
  readonly has_more: boolean;
}

export interface ChangedFile {
  readonly path: string;
  /** Its path before, of a file that was renamed. */
  readonly from: string | null;
  readonly how: "added" | "changed" | "removed" | "renamed" | "retyped";
  /** Lines; null for what is not text. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface Changes {
  readonly files: readonly ChangedFile[];
  readonly has_more: boolean;
}

export interface FilePatch {
  readonly patch?: string;
  readonly is_large?: boolean;
  readonly bytes?: number;
}

export type FileContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "binary" };

/** Whose files: the path of its HTTP door, and what is asked along each time. */
export interface FilesOwner {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** At a position of the log; undefined: now. */
export type At = number | undefined;

export interface FilesHttp {
  list(folder: string, at: At): Promise<JsonResponse<FolderListing>>;
  /** Against what the work started from, or against an earlier moment. */
  changes(at: At, from?: number): Promise<JsonResponse<Changes>>;
  patch(file: string, at: At, isWhole: boolean): Promise<JsonResponse<FilePatch>>;
  content(file: string, at: At): Promise<FileContent | null>;
  /** Where a browser gets it. */
  address(file: string, at: At): string;
}

export function ownerOfTask(projectId: string, taskId: string): FilesOwner {
  return { path: `/api/projects/${encodeURIComponent(projectId)}`, query: { task: taskId } };
}

export function ownerOfBuild(buildId: string): FilesOwner {
  return { path: `/api/builds/${encodeURIComponent(buildId)}`, query: {} };
}

export function createFilesHttp(
  { path: base, query }: FilesOwner,
  { ask, fetch }: { readonly ask: FetchJson; readonly fetch: typeof globalThis.fetch },
): FilesHttp {
  const door = (name: string, params: Readonly<Record<string, string | undefined>>): string => {
    const known = Object.entries({ ...query, ...params }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    );
    return `${base}/${name}?${new URLSearchParams(known).toString()}`;
  };
  const address = (file: string, at: At): string =>
    door("file", { path: file, seq: at?.toString() });
  return {
    address,
    // A build's door lists what was delivered unless a path is named.
    list: (folder, at) => ask("GET", door("files", { path: folder, seq: at?.toString() })),
    changes: (at, from) => ask("GET", door("diff", { to: at?.toString(), from: from?.toString() })),
    patch: (file, at, isWhole) =>
      ask(
        "GET",
        door("diff", { to: at?.toString(), path: file, whole: isWhole ? "1" : undefined }),
      ),
    async content(file, at) {
      try {
        const answer = await fetch(address(file, at));
        if (!answer.ok) return null;
        const isText = answer.headers.get("content-type")?.startsWith("text/") === true;
        return isText ? { type: "text", text: await answer.text() } : { type: "binary" };
      } catch {
        return null;
      }
    },
  };
}
