/**
 * A change for whoever reviews it: which files, what differs in each, and each file on both sides. Any version against
 * what it was made on, the conflict it resolves, or another version. Read from the store, without a checkout.
 */
import { accept, refuse, type Outcome } from "@atrium/core";
import { own } from "@atrium/wire";
import type { Endpoint, HttpRequest } from "../../../http/api.ts";
import {
  treeAgainst,
  type Against,
  type FindChange,
  type FoundChange,
} from "../../../workshop/changes/find-change.ts";
import { flagOf } from "../../../workshop/changes/flag-of.ts";
import type { FileChange, Workspaces } from "../../../workspaces/port/workspaces.ts";
import {
  answering,
  fileAnswer,
  MAX_FILE_BYTES,
  numberIn,
  pathIn,
  tagged,
  viewPatch,
} from "./file-answers.ts";

export interface ChangeEndpointDeps {
  readonly findChange: FindChange;
  readonly use: () => Promise<Workspaces>;
}

export type ChangeEndpoints = Readonly<Record<"changes" | "diff" | "file", Endpoint>>;

export const CHANGE_QUERY = {
  changes: ["version", "against"],
  diff: ["version", "against", "path", "whole"],
  file: ["version", "against", "path", "side"],
} as const;

/** What the port shows unasked. */
const MANY_LINES = 5_000;

interface Comparison extends FoundChange {
  readonly against: Against;
  /** The files it is compared with. */
  readonly from: string;
}

export function createChangeEndpoints({ findChange, use }: ChangeEndpointDeps): ChangeEndpoints {
  return {
    changes: answering(async (request) => {
      const compared = compare(request, findChange);
      if (!compared.ok) return compared;
      const { from, change, repositoryId } = compared.value;
      return tagged(request, ["changes", viewSides(compared.value), from, change], async () => {
        const files = await (await use()).compareTrees(repositoryId, from, change.tree);
        if (!files.ok) return files;
        const { commit, base, omitted, flagged, conflictTree } = change;
        const isFlagged = new Set(flagged);
        return accept({
          ...viewSides(compared.value),
          commit,
          base,
          files: files.value.files.map((file) => viewFile(file, isFlagged)),
          has_more: files.value.isCut,
          omitted,
          flagged,
          ...(conflictTree !== undefined && { resolves_conflict: true }),
        });
      });
    }),
    diff: answering(async (request) => {
      const path = namedPath(request);
      if (!path.ok) return path;
      const compared = compare(request, findChange);
      if (!compared.ok) return compared;
      const { from, change, repositoryId } = compared.value;
      const isWhole = own(request.query, "whole") === "1";
      const wanted = { from, to: change.tree, path: path.value, isWhole };
      const sides = { ...viewSides(compared.value), path: path.value };
      return tagged(request, ["diff", sides, wanted], async () => {
        const patch = await (await use()).readPatch(repositoryId, wanted);
        if (patch.ok) return accept({ ...sides, ...viewPatch(patch.value) });
        return patch.code === "file.missing"
          ? refuse("file.missing", `${path.value.slice(0, 200)} does not differ between the two`)
          : patch;
      });
    }),
    file: answering(async (request) => {
      const path = namedPath(request);
      if (!path.ok) return path;
      const side = own(request.query, "side") ?? "new";
      if (side !== "new" && side !== "old") {
        return refuse("params.invalid", "side must be old or new");
      }
      const compared = compare(request, findChange);
      if (!compared.ok) return compared;
      const { from, change, repositoryId } = compared.value;
      const tree = side === "old" ? from : change.tree;
      const file = await (await use()).readFile(repositoryId, tree, path.value, MAX_FILE_BYTES);
      return file.ok ? fileAnswer(request, path.value, file.value) : file;
    }),
  };
}

function namedPath(request: HttpRequest): Outcome<string> {
  const path = pathIn(request);
  return path === "" ? refuse("params.invalid", "path: name the file") : accept(path);
}

/** The version that the query names, or the newest. */
export function changeIn(request: HttpRequest, findChange: FindChange): Outcome<FoundChange> {
  const version = numberIn(request, "version", "a version");
  return version.ok ? findChange(request.path["id"] ?? "", version.value) : version;
}

function compare(request: HttpRequest, findChange: FindChange): Outcome<Comparison> {
  const found = changeIn(request, findChange);
  if (!found.ok) return found;
  const against = againstIn(request);
  if (!against.ok) return against;
  const from = treeAgainst(found.value, against.value);
  if (!from.ok) return from;
  return accept({ ...found.value, against: against.value, from: from.value });
}

function againstIn(request: HttpRequest): Outcome<Against> {
  const text = own(request.query, "against") ?? "base";
  if (text === "base" || text === "conflict") return accept(text);
  return /^\d{1,15}$/.test(text)
    ? accept(Number(text))
    : refuse("params.invalid", "against must be base, conflict or the number of a version");
}

function viewSides({ artifact, version, against }: Comparison): object {
  return { artifact: artifact.artifactId, version, against };
}

function viewFile(file: FileChange, flagged: ReadonlySet<string>): object {
  const { path, from, how, added, removed } = file;
  // What a check of the repository names is part of it, whatever it is called.
  const flag = flagOf(path) ?? (flagged.has(path) ? "check" : undefined);
  return {
    path,
    from,
    how,
    added,
    removed,
    is_binary: added === null || removed === null,
    is_large: (added ?? 0) + (removed ?? 0) > MANY_LINES,
    ...(flag !== undefined && { flag }),
  };
}
