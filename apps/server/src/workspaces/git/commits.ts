/** Commits of a store: reading them, and making them from the tree up. */
import { accept, refuse, type Outcome } from "@atrium/core";
import type { CommitAuthor } from "../port/landing.ts";
import type { RepositoryBase } from "../port/workspaces.ts";
import { refusalOf } from "./git-refusal.ts";
import { textOf, type Git } from "./git.ts";
import { draftObject, writeObjects, type ObjectDraft } from "./loose-object.ts";
import type { ObjectReader } from "./object-reader.ts";

export const gitIn = (gitDir: string, ...args: readonly string[]): string[] => [
  `--git-dir=${gitDir}`,
  ...args,
];

export interface CommitRequest {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** As git writes it, with its time, each byte a character; us, where it is left out. */
  readonly author?: string | undefined;
}

const WHO = "Atrium <atrium@agents.invalid>";
/** What would end a name, an address or the line. */
const NO_PART_OF_A_NAME = /[<>\p{Cc}]/gu;

/** The tree has to be there. */
export async function commitTree(gitDir: string, request: CommitRequest): Promise<string> {
  const draft = draftCommit(request);
  await writeObjects(gitDir, [draft]);
  return draft.id;
}

/** The same request is the same commit. */
export function draftCommit({ tree, parents, message, at, author }: CommitRequest): ObjectDraft {
  const committer = `${WHO} ${timeOf(at)}`;
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${author ?? committer}`,
    `committer ${committer}`,
    "",
    "",
  ];
  const text = `${message.replaceAll("\0", " ")}\n`;
  const content = Buffer.concat([Buffer.from(lines.join("\n"), "latin1"), Buffer.from(text)]);
  return draftObject("commit", content, tree);
}

const timeOf = (at: number): string => `${Math.max(0, Math.floor(at / 1000))} +0000`;

const clean = (text: string): string => text.replaceAll(NO_PART_OF_A_NAME, "").trim();

/** An author as a commit has it. */
export function authorLine({ name, email }: CommitAuthor, at: number): string {
  const line = `${clean(name) || "Unknown"} <${clean(email)}> ${timeOf(at)}`;
  return Buffer.from(line, "utf8").toString("latin1");
}

export interface CommitFacts extends RepositoryBase {
  readonly parents: readonly string[];
  /** As git writes it, each byte a character. */
  readonly author: string;
}

/** A commit by its id. */
export async function readCommitFacts(
  objects: ObjectReader,
  commit: string,
): Promise<Outcome<CommitFacts>> {
  const found = await objects.read(commit);
  if (!found.ok) return found;
  if (found.value.type !== "commit") return refuse("moment.missing", commit);
  const [head = ""] = found.value.content.toString("latin1").split("\n\n", 1);
  const fields = head.split("\n").map((line): [string, string] => {
    const space = line.indexOf(" ");
    return [line.slice(0, space), line.slice(space + 1)];
  });
  const valuesOf = (name: string): string[] =>
    fields.flatMap(([key, value]) => (key === name ? [value] : []));
  const [tree = ""] = valuesOf("tree");
  const [author = ""] = valuesOf("author");
  return accept({ commit, tree, parents: valuesOf("parent"), author });
}

/** Whether one of these commits is the other, or comes before it. */
export async function isAncestor(
  git: Git,
  gitDir: string,
  earlier: string,
  later: string,
): Promise<Outcome<boolean>> {
  const found = await git.run(gitIn(gitDir, "merge-base", "--is-ancestor", earlier, later));
  if (found.ok) return accept(true);
  return found.why === "failed" && found.code === 1 ? accept(false) : refusalOf(found);
}

/** The commit that a name stands for, and its tree. */
export async function readCommit(
  git: Git,
  gitDir: string,
  name: string,
): Promise<Outcome<RepositoryBase>> {
  const args = gitIn(gitDir, "rev-parse", "--verify", "--quiet", "--end-of-options");
  const [commit, tree] = await Promise.all([
    git.run([...args, `${name}^{commit}`]),
    git.run([...args, `${name}^{tree}`]),
  ]);
  for (const result of [commit, tree]) {
    if (!result.ok) return refusalOf(result, result.code === 1 ? "moment.missing" : "git.failed");
  }
  return accept({ commit: textOf(commit.stdout), tree: textOf(tree.stdout) });
}
