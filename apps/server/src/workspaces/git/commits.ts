/** Commits of a store: reading them, and making them from the tree up. */
import { accept, type Outcome } from "@atrium/core";
import type { RepositoryBase } from "../port/workspaces.ts";
import { refusalOf } from "./git-refusal.ts";
import { textOf, type Git } from "./git.ts";
import { draftObject, writeObjects, type ObjectDraft } from "./loose-object.ts";

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
}

const WHO = "Atrium <atrium@agents.invalid>";

/** The tree has to be there. */
export async function commitTree(gitDir: string, request: CommitRequest): Promise<string> {
  const draft = draftCommit(request);
  await writeObjects(gitDir, [draft]);
  return draft.id;
}

/** The same request is the same commit. */
export function draftCommit({ tree, parents, message, at }: CommitRequest): ObjectDraft {
  const when = `${WHO} ${Math.max(0, Math.floor(at / 1000))} +0000`;
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${when}`,
    `committer ${when}`,
    "",
    message.replaceAll("\0", " "),
    "",
  ];
  return draftObject("commit", Buffer.from(lines.join("\n"), "utf8"), tree);
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
