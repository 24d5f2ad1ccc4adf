/** Workspaces in a folder of their own, with a person's repository beside them. */
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome } from "@atrium/core";
import type { Workspaces, Worktree } from "../port/workspaces.ts";
import { makeRepository } from "./user-repository.ts";

export type OpenTested = (root: string) => Workspaces;

export interface BenchTop extends AsyncDisposable {
  readonly folder: string;
  readonly root: string;
  readonly spaces: Workspaces;
  /** The path of a person's repository. */
  readonly repository: string;
  /** A worktree of it, under this id. */
  readonly worktree: (workspaceId: string) => Promise<Worktree>;
}

export const FILES = {
  "README.md": "# Shop\n",
  "src/a.ts": "export const a = 1;\n",
  "src/b.ts": "export const b = 2;\n",
  ".gitignore": "node_modules/\n*.log\n",
};

export const AT = 1_790_000_000_000;

export async function openBenchTop(
  open: OpenTested,
  files: Readonly<Record<string, string>> = FILES,
): Promise<BenchTop> {
  const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-spaces-"));
  const root = join(folder.path, "home", "workshop");
  const spaces = open(root);
  const repository = makeRepository(join(folder.path, "shop"), files);
  return {
    folder: folder.path,
    root,
    spaces,
    repository,
    async worktree(workspaceId) {
      value(await spaces.openRepository({ id: "shop", path: repository }));
      return value(await spaces.openWorktree({ repositoryId: "shop", workspaceId, at: AT }));
    },
    async [Symbol.asyncDispose]() {
      await spaces[Symbol.asyncDispose]();
      folder.remove();
    },
  };
}

/** What was answered; fails the test for a refusal. */
export function value<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) assert.fail(`${outcome.code}: ${outcome.detail}`);
  return outcome.value;
}

export function codeOf(outcome: Outcome<unknown>): string {
  return outcome.ok ? "ok" : outcome.code;
}

/** What a refusal says about this case; nothing, where there is none. */
export function detailOf(outcome: Outcome<unknown>): string {
  return outcome.ok ? "" : (outcome.detail ?? "");
}
