/** Edits that decide whether later checks can be trusted, and that a reviewer should see first. */

/** `check`: what a check runs or is set up by. `ci`: what runs elsewhere. `lock`: which versions are used. */
export type PathFlag = "check" | "ci" | "lock";

const LOCK_FILES: ReadonlySet<string> = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "bun.lockb",
  "go.sum",
  "packages.lock.json",
  "package.resolved",
]);
const CI_FOLDERS = /^(?:\.github|\.gitlab|\.circleci|\.buildkite|\.woodpecker|\.forgejo|\.gitea)\//;
const CI_FILES =
  /^(?:\.gitlab-ci\.ya?ml|\.travis\.ya?ml|\.drone\.ya?ml|\.woodpecker\.ya?ml|jenkinsfile|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml|\.?appveyor\.ya?ml)$/;
const CHECK_FOLDERS = /^(?:\.husky|\.githooks|\.atrium\/prompts)\//;
const CHECK_FILES =
  /^(?:package\.json|makefile|justfile|tox\.ini|noxfile\.py|pytest\.ini|conftest\.py|\.coveragerc|\.pre-commit-config\.ya?ml|lefthook\.ya?ml|tsconfig(?:\..+)?\.json|\.(?:eslintrc|prettierrc|mocharc|nycrc|oxlintrc|golangci)(?:\..+)?|(?:jest|vitest|playwright|cypress|karma|ava|eslint|oxlint|biome|prettier|knip|deno)(?:\.config)?\.(?:[cm]?[jt]s|jsonc?|ya?ml))$/;

/** `commands`: of the checks; what they name by its path is part of them. */
export function flagOf(path: string, commands: readonly string[] = []): PathFlag | undefined {
  const name = (path.split("/").at(-1) ?? "").toLowerCase();
  if (LOCK_FILES.has(name) || name.endsWith(".lock")) return "lock";
  if (CI_FOLDERS.test(path) || CI_FILES.test(name)) return "ci";
  if (CHECK_FOLDERS.test(path) || CHECK_FILES.test(name)) return "check";
  return commands.some((command) => wordsOf(command).includes(path)) ? "check" : undefined;
}

function wordsOf(command: string): readonly string[] {
  return command.split(/[\s;&|()<>"'`=]+/).map((word) => word.replace(/^\.\//, ""));
}
