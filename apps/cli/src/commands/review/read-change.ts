/** A change under review, as the server tells of it over plain HTTP. */
import type { ServerPlace } from "../../server/find-server.ts";
import { readJson, type ChangedFile } from "../files/read-files.ts";

export interface ReviewedFile extends ChangedFile {
  readonly is_binary: boolean;
  readonly is_large: boolean;
  readonly flag?: string;
}

interface ChangeList {
  readonly artifact: string;
  readonly version: number;
  readonly against: "base" | "conflict" | number;
  readonly files: readonly ReviewedFile[];
  readonly has_more: boolean;
  readonly omitted: readonly { readonly path: string; readonly why: string }[];
}

export interface CommentThread {
  readonly comment_id: string;
  readonly path: string;
  readonly side: "old" | "new";
  readonly text: string;
  readonly code: readonly string[];
  readonly by: string;
  readonly version: number;
  readonly place: {
    readonly path: string;
    readonly line: number;
    readonly end_line: number;
    readonly state: string;
  };
  readonly answer?: string;
  readonly resolved_by?: string;
}

export interface CheckRow {
  readonly check_id: string;
  readonly name: string;
  readonly required: boolean;
  readonly state: string;
  readonly exit_code: number | null;
  readonly ms: number | null;
  readonly output_bytes: number;
}

/** All that there is to know before the first line is read. */
export interface Change extends ChangeList {
  readonly comments: readonly CommentThread[];
  readonly checks: readonly CheckRow[];
}

export interface FilePatch {
  readonly patch?: string;
  readonly is_large?: boolean;
}

/** Left out: the newest version, against what it was made on. */
export interface ChangeVersion {
  readonly version?: string | undefined;
  readonly against?: string | undefined;
}

export async function readChange(
  place: ServerPlace,
  id: string,
  { version, against }: ChangeVersion,
): Promise<Change> {
  /* oxlint-disable typescript/no-unsafe-type-assertion -- our own server's, of one version with us */
  const changes = (await readJson(
    place,
    pathOf(id, "changes", { version, against }),
  )) as ChangeList;
  // The other two are about the same version, also when a new one has just come.
  const same = { version: String(changes.version) };
  const [{ comments }, { checks }] = (await Promise.all([
    readJson(place, pathOf(id, "comments", same)),
    readJson(place, pathOf(id, "checks", same)),
  ])) as [Pick<Change, "comments">, Pick<Change, "checks">];
  /* oxlint-enable typescript/no-unsafe-type-assertion */
  return { ...changes, comments, checks };
}

export async function readPatch(
  place: ServerPlace,
  { artifact, version, against }: Pick<Change, "artifact" | "version" | "against">,
  path: string,
  isWhole: boolean,
): Promise<FilePatch> {
  const query = { version: String(version), against: String(against), path };
  const whole = isWhole ? { whole: "1" } : {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own server's, of one version with us
  return (await readJson(place, pathOf(artifact, "diff", { ...query, ...whole }))) as FilePatch;
}

function pathOf(
  id: string,
  what: string,
  query: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const { size } = new URLSearchParams(given);
  const rest = size === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
  return `/api/artifacts/${encodeURIComponent(id)}/${what}${rest}`;
}
