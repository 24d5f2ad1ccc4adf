/** What can be wrong with a document: a path that is gone, a dead link or anchor, a line that is too long. */
import { posix } from "node:path";
import { anchorsIn, codeSpansIn, linksIn, proseIn } from "./markdown.ts";
import type { SourceFile } from "./source-files.ts";

/** Every file and folder of the repository, from its root. */
export interface Tree {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

const ALWAYS_A_PATH = /\.(?:md|mjs|sh|swift|tsx?)$/;
const AN_EXTENSION = /^(?:\.[a-z]+)+$/;
const A_PATH_IN_A_FOLDER = /\/.*\.(?:css|html|js|json|jsonl|ya?ml)$/;

/** A decision that no longer holds may name what is gone. */
const SUPERSEDED = /^[\s*_>-]*Status:.*\bsuperseded\b/im;

export function pathProblems(doc: SourceFile, tree: Tree): string[] {
  if (SUPERSEDED.test(doc.text)) return [];
  const folderNames = new Set([...tree.folders].map((folder) => posix.basename(folder)));
  return [...new Set(codeSpansIn(doc.text))]
    .filter((span) => isPath(span, folderNames) && !exists(span, posix.dirname(doc.path), tree))
    .map((span) => `${doc.path} names \`${span}\`, which does not exist`);
}

export function linkProblems(
  doc: SourceFile,
  tree: Tree,
  textOf: (path: string) => string,
): string[] {
  return [...new Set(linksIn(doc.text))].flatMap((link) => {
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(link)) return [];
    const [written = "", anchor = ""] = decodeURI(link).split("#");
    const path = written === "" ? doc.path : fromRoot(written, posix.dirname(doc.path));
    if (!tree.files.has(path) && !tree.folders.has(path)) {
      return [`${doc.path} links to ${link}, which does not exist`];
    }
    if (anchor === "" || !path.endsWith(".md") || anchorsIn(textOf(path)).has(anchor)) return [];
    return [`${doc.path} links to ${link}, but ${path} has no such heading`];
  });
}

const MAX_COLUMNS = 100;

/** A code span or a link stays in one piece, so a line that is nothing else may be longer. */
export function lengthProblems(doc: SourceFile): string[] {
  return proseIn(doc.text)
    .filter(({ text }) => text.length > MAX_COLUMNS && !isOnePiece(text))
    .map(({ number, text }) => `${doc.path}:${number} has ${text.length} columns of prose`);
}

function isOnePiece(text: string): boolean {
  return !/\S\s/.test(text.trim().replaceAll(/`[^`]*`/g, "code"));
}

/** The index of a folder has a link to each of its pages. */
export function indexProblems(index: SourceFile, pages: readonly string[]): string[] {
  const folder = posix.dirname(index.path);
  const listed = new Set(linksIn(index.text).map((link) => fromRoot(link, folder)));
  return pages
    .filter((page) => page !== index.path && posix.dirname(page) === folder && !listed.has(page))
    .map((page) => `${index.path} does not list ${page}`);
}

/**
 * Whether a code span reads as a path of this repository: by its extension, by ending in a slash,
 * or because it starts with a folder we have. So `text/plain` and `GET /x` are not paths, and
 * neither is the name of a file that a user keeps, such as `atrium.config.json`.
 */
function isPath(span: string, folderNames: ReadonlySet<string>): boolean {
  if (!/^[\w.-][\w./-]*$/.test(span) || span.includes("...")) return false;
  if (span.startsWith("node_modules") || AN_EXTENSION.test(span)) return false;
  if (ALWAYS_A_PATH.test(span) || A_PATH_IN_A_FOLDER.test(span)) return true;
  const [first = "", ...rest] = span.split("/");
  return rest.length > 0 && (span.endsWith("/") || folderNames.has(first));
}

/** From the root or from the document; or as the end of a path, such as `rooms/gateway`. */
function exists(span: string, folder: string, tree: Tree): boolean {
  const path = span.replace(/\/$/, "");
  const entries = span.endsWith("/") ? [tree.folders] : [tree.files, tree.folders];
  return entries.some(
    (set) =>
      set.has(posix.normalize(path)) ||
      set.has(posix.join(folder, path)) ||
      [...set].some((entry) => entry.endsWith(`/${path}`)),
  );
}

function fromRoot(written: string, folder: string): string {
  const path = written.startsWith("/") ? written.slice(1) : posix.join(folder, written);
  return posix.normalize(path).replace(/\/$/, "");
}
