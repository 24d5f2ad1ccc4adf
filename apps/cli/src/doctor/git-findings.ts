/** Whether the server has a git to work with, and whether the repositories it was given can be used. */
import type { ServerPlace } from "../server/find-server.ts";
import { isRecord } from "../server/settings.ts";
import { broken, note, ok, type Finding } from "./finding.ts";

const TIMEOUT_MS = 15_000;

export async function gitFindings({ url, token }: ServerPlace): Promise<Finding[]> {
  const response = await fetch(new URL("/api/workspaces", url), {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // A server of an earlier version.
  if (!response.ok) return [];
  const report: unknown = await response.json();
  if (!isRecord(report)) return [];
  const { git, problem, repositories } = report;
  if (typeof git !== "string") {
    return [
      note(
        "git",
        `there are no worktrees: ${String(problem)}`,
        "Install git 2.38 or newer where the server runs. Everything else works without it.",
      ),
    ];
  }
  const listed = Array.isArray(repositories) ? repositories.filter(isRecord) : [];
  return [ok("git", git), ...listed.map(repositoryFinding)];
}

function repositoryFinding({ id, path, problem }: Readonly<Record<string, unknown>>): Finding {
  if (typeof problem !== "string") return ok("repository", `${String(id)}: ${String(path)}`);
  return broken(
    "repository",
    `${String(id)}: ${problem}`,
    "Correct its path or base under repositories in the settings.",
  );
}
