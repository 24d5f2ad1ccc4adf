/** A change over plain HTTP: its files, what differs in each, what was said about it and how its checks went. */
import { readCheckOutput } from "../../../../app/server/check-output.ts";
import { createFetchJson, type JsonResponse } from "../../../../app/server/fetch-json.ts";
import { fetchOwn } from "../../../../app/server/own-server.ts";
import type { ChangedFile, FilePatch } from "../../../../ui/workspace-files/files-http.ts";

export interface ReviewFile extends ChangedFile {
  readonly is_binary: boolean;
  readonly is_large: boolean;
  readonly flag?: "check" | "ci" | "lock";
}

export interface OmittedFile {
  readonly path: string;
  readonly why: "secret" | "large" | "nested" | "unreadable" | "name";
}

export interface ReviewChanges {
  readonly commit: string;
  readonly base: string;
  readonly files: readonly ReviewFile[];
  readonly has_more: boolean;
  readonly omitted: readonly OmittedFile[];
  readonly flagged: readonly string[];
  /** The version was made of files with conflict marks. */
  readonly resolves_conflict?: true;
}

export type Side = "old" | "new";

export interface CommentPlace {
  readonly path: string;
  readonly line: number;
  readonly end_line: number;
  readonly state: "same" | "moved" | "changed" | "outdated";
}

export interface ReviewComment {
  readonly comment_id: string;
  readonly path: string;
  readonly side: Side;
  readonly line: number;
  readonly end_line: number;
  readonly text: string;
  readonly code: readonly string[];
  readonly by: string;
  readonly at: number;
  readonly version: number;
  readonly place: CommentPlace;
  readonly answer?: string;
  readonly resolved_by?: string;
}

export interface ReviewCheck {
  readonly check_id: string;
  readonly name: string;
  readonly command: string;
  readonly required: boolean;
  readonly state: "running" | "passed" | "failed" | "error" | "skipped";
  readonly exit_code: number | null;
  readonly ms: number | null;
  readonly output_bytes: number;
}

/** Which version, and what it is held against. */
export interface Comparison {
  readonly version: number;
  readonly against: "base" | "conflict" | number;
}

export interface ReviewHttp {
  changes(of: Comparison): Promise<JsonResponse<ReviewChanges>>;
  patch(of: Comparison, path: string, isWhole: boolean): Promise<JsonResponse<FilePatch>>;
  /** Null where that side has no such file. */
  file(of: Comparison, path: string, side: Side): Promise<Blob | null>;
  comments(version: number): Promise<JsonResponse<{ readonly comments: readonly ReviewComment[] }>>;
  checks(version: number): Promise<JsonResponse<{ readonly checks: readonly ReviewCheck[] }>>;
  checkOutput(checkId: string): Promise<string | null>;
}

export function createReviewHttp(artifactId: string): ReviewHttp {
  const ask = createFetchJson(fetchOwn);
  const door = (name: string, params: Readonly<Record<string, string | number>>): string => {
    const texts = Object.entries(params).map(([key, value]) => [key, String(value)]);
    return `/api/artifacts/${encodeURIComponent(artifactId)}/${name}?${new URLSearchParams(texts).toString()}`;
  };
  return {
    changes: (of) => ask("GET", door("changes", { ...of })),
    patch: (of, path, isWhole) =>
      ask("GET", door("diff", { ...of, path, ...(isWhole && { whole: 1 }) })),
    file: (of, path, side) => read(door("file", { ...of, path, side }), (answer) => answer.blob()),
    comments: (version) => ask("GET", door("comments", { version })),
    checks: (version) => ask("GET", door("checks", { version })),
    checkOutput: readCheckOutput,
  };
}

async function read<Value>(
  path: string,
  take: (answer: Response) => Promise<Value>,
): Promise<Value | null> {
  try {
    const answer = await fetchOwn(path);
    return answer.ok ? await take(answer) : null;
  } catch {
    return null;
  }
}
