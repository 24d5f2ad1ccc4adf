/**
 * The files of any moment, for whoever may see the project or build: a folder, a file, what differs between
 * two moments. Read from the store, without a checkout. What a moment holds never changes, so an answer has
 * a tag by which it is not read twice.
 */
import { accept, refuse, type Moment, type Outcome } from "@atrium/core";
import { own } from "@atrium/wire";
import type { Endpoint, HttpRequest } from "../../../http/api.ts";
import type { FoundMoment } from "../../../workshop/find-moment.ts";
import type { TreeEntry, Workspaces } from "../../../workspaces/port/workspaces.ts";
import {
  answering,
  fileAnswer,
  MAX_FILE_BYTES,
  numberIn,
  pathIn,
  tagged,
  viewPatch,
} from "./file-answers.ts";

/** At a position, or now; of what the path names. */
export type FindAt = (request: HttpRequest, seq?: number) => Promise<Outcome<FoundMoment>>;

export interface MomentEndpointDeps {
  readonly use: () => Promise<Workspaces>;
}

export type MomentEndpoints = Readonly<Record<"files" | "file" | "diff", Endpoint>>;

export const MOMENT_QUERY = {
  files: ["seq", "path"],
  file: ["seq", "path"],
  diff: ["from", "to", "path", "whole"],
  preview: ["seq"],
} as const;

const MAX_ENTRIES = 5_000;

export function createMomentEndpoints(
  { use }: MomentEndpointDeps,
  findAt: FindAt,
): MomentEndpoints {
  return {
    files: answering(async (request) => {
      const found = await findAtIn(request, findAt, "seq");
      if (!found.ok) return found;
      const { workspace, tree, seq } = found.value;
      const path = pathIn(request);
      return tagged(request, ["files", tree, path, workspace.workspaceId, seq], async () => {
        const listed = await (await use()).listFolder(workspace.repositoryId, tree, path);
        if (!listed.ok) return listed;
        const entries = listed.value.slice(0, MAX_ENTRIES).map(viewEntry);
        const has_more = listed.value.length > MAX_ENTRIES;
        return accept({ ...viewMoment(found.value), path, entries, has_more });
      });
    }),
    file: answering(async (request) => {
      const path = pathIn(request);
      if (path === "") return refuse("params.invalid", "path: name the file");
      const found = await findAtIn(request, findAt, "seq");
      if (!found.ok) return found;
      const { workspace, tree } = found.value;
      const file = await (await use()).readFile(workspace.repositoryId, tree, path, MAX_FILE_BYTES);
      return file.ok ? fileAnswer(request, path, file.value) : file;
    }),
    diff: answering(async (request) => {
      const to = await findAtIn(request, findAt, "to");
      if (!to.ok) return to;
      const { workspace } = to.value;
      const from = await startOf(request, to.value, findAt);
      if (!from.ok) return from;
      const path = pathIn(request);
      const isWhole = own(request.query, "whole") === "1";
      const trees = { from: from.value.tree, to: to.value.tree };
      const about = ["diff", trees.from, trees.to, path, isWhole, workspace.workspaceId];
      return tagged(request, [...about, from.value.seq, to.value.seq], async () => {
        const { workspaceId, repositoryId } = workspace;
        const sides = { workspace: workspaceId, from: from.value, to: viewSide(to.value) };
        const spaces = await use();
        if (path !== "") {
          const patch = await spaces.readPatch(repositoryId, { ...trees, path, isWhole });
          if (patch.ok) return accept({ ...sides, path, ...viewPatch(patch.value) });
          return patch.code === "file.missing"
            ? refuse("file.missing", `${path} does not differ between the two`)
            : patch;
        }
        const compared = await spaces.compareTrees(repositoryId, trees.from, trees.to);
        if (!compared.ok) return compared;
        const { files, isCut } = compared.value;
        return accept({ ...sides, files, has_more: isCut });
      });
    }),
  };
}

export async function findAtIn(
  request: HttpRequest,
  findAt: FindAt,
  name: "seq" | "from" | "to",
): Promise<Outcome<FoundMoment>> {
  const seq = numberIn(request, name, "a position");
  return seq.ok ? findAt(request, seq.value) : seq;
}

/** Where `from` is left out, or is before there were files, what the work started from. */
async function startOf(
  request: HttpRequest,
  { workspace }: FoundMoment,
  findAt: FindAt,
): Promise<Outcome<Moment>> {
  const seq = numberIn(request, "from", "a position");
  if (!seq.ok) return seq;
  const { start, workspaceId } = workspace;
  if (start === null) return refuse("moment.missing", workspaceId);
  if (seq.value === undefined || seq.value < start.seq) return accept(start);
  const same = { ...request, query: { ...request.query, task: workspaceId } };
  const found = await findAt(same, seq.value);
  return found.ok ? accept(viewSide(found.value)) : found;
}

function viewSide({ seq, tree }: Moment): Moment {
  return { seq, tree };
}

export function viewMoment({ workspace: { workspaceId }, seq, tree }: FoundMoment): object {
  return { workspace: workspaceId, seq, tree };
}

function viewEntry({ name, type, bytes, id }: TreeEntry): object {
  return { name, type, id, ...(bytes !== null && { bytes }) };
}
