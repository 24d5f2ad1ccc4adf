/**
 * Where the comments of all versions are in one of them: computed from the files when somebody looks, never logged.
 * A file is read once, however many comments it has.
 */
import { accept, type ArtifactComment, type Outcome } from "@atrium/core";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";
import type { FoundChange } from "../changes/find-change.ts";
import { carryLines, type LinePlace } from "./carry-lines.ts";
import { splitLines } from "./line-anchor.ts";
import { matchLines, type LineMatches } from "./match-lines.ts";

export interface CommentPlace extends LinePlace {
  readonly path: string;
}

export interface PlacedComment {
  readonly comment: ArtifactComment;
  readonly place: CommentPlace;
}

export type PlaceComments = (found: FoundChange) => Promise<Outcome<readonly PlacedComment[]>>;

type Files = Pick<Workspaces, "readFile" | "compareTrees">;

interface TextFile {
  readonly path: string;
  readonly blob: string;
  readonly lines: readonly string[];
}

/** Larger files are not compared: a comment in one is found by what it remembers, or not at all. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

export function createPlaceComments(use: () => Promise<Files>): PlaceComments {
  return async ({ artifact, change, repositoryId }) => {
    const placed: PlacedComment[] = [];
    if (artifact.comments.length === 0) return accept(placed);
    const reader = createFileReader(await use(), repositoryId);
    const matches = new Map<string, LineMatches>();
    for (const comment of artifact.comments) {
      const { side, path, version } = comment;
      const from = artifact.versions.find((each) => each.version === version)?.change;
      const [before, now] = [from, change].map((facts) =>
        side === "old" ? facts?.base : facts?.tree,
      );
      const file = now === undefined ? undefined : await reader.follow(before, now, path);
      if (file === undefined) {
        placed.push({ comment, place: outdated(comment) });
        continue;
      }
      const key = JSON.stringify([before, now, path]);
      const old = before === undefined ? undefined : await reader.read(before, path);
      const known = matches.get(key) ?? (old && matchLines(old.lines, file.lines));
      if (known !== undefined) matches.set(key, known);
      placed.push({ comment, place: placeIn(file, comment, known) });
    }
    return accept(placed);
  };
}

function placeIn(
  file: TextFile,
  comment: ArtifactComment,
  matches: LineMatches | undefined,
): CommentPlace {
  const { path, line, endLine } = comment;
  const place: LinePlace =
    file.blob === comment.blob
      ? { line, endLine, state: "same" }
      : carryLines(comment, file.lines, matches);
  if (place.state === "outdated") return outdated(comment);
  const isRenamed = file.path !== path && place.state === "same";
  return { path: file.path, ...place, ...(isRenamed && { state: "moved" }) };
}

function outdated({ path, line, endLine }: ArtifactComment): CommentPlace {
  return { path, line, endLine, state: "outdated" };
}

interface FileReader {
  /** Undefined where there is no such file, or none that is text. */
  read(tree: string, path: string): Promise<TextFile | undefined>;
  /** The file of one tree in another, under its new name if it has one. */
  follow(from: string | undefined, to: string, path: string): Promise<TextFile | undefined>;
}

function createFileReader(files: Files, repositoryId: string): FileReader {
  const texts = new Map<string, Promise<TextFile | undefined>>();
  const names = new Map<string, Promise<ReadonlyMap<string, string>>>();

  async function readText(tree: string, path: string): Promise<TextFile | undefined> {
    const file = await files.readFile(repositoryId, tree, path, MAX_FILE_BYTES);
    if (!file.ok || file.value.content === null) return undefined;
    const { id, content } = file.value;
    return { path, blob: id, lines: splitLines(content.toString("utf8")) };
  }

  async function readNames(from: string, to: string): Promise<ReadonlyMap<string, string>> {
    const compared = await files.compareTrees(repositoryId, from, to);
    const changed = compared.ok ? compared.value.files : [];
    return new Map(changed.flatMap((file) => (file.from === null ? [] : [[file.from, file.path]])));
  }

  const read: FileReader["read"] = (tree, path) =>
    once(texts, [tree, path], () => readText(tree, path));

  return {
    read,
    async follow(from, to, path) {
      const file = await read(to, path);
      if (file !== undefined || from === undefined) return file;
      const renamed = await once(names, [from, to], () => readNames(from, to));
      const name = renamed.get(path);
      return name === undefined ? undefined : read(to, name);
    },
  };
}

function once<Value>(
  known: Map<string, Promise<Value>>,
  about: readonly string[],
  make: () => Promise<Value>,
): Promise<Value> {
  const key = JSON.stringify(about);
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
