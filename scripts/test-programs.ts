/**
 * Which test files need a program that npm does not bring with our dependencies. test.ts brings what the
 * files it is about to run need; test-programs.test.ts fails for a file that uses one and is not here.
 */
import { dirname, join } from "node:path";
import type { ProgramName } from "./system-programs.ts";

export const TEST_PROGRAMS: ReadonlyMap<string, readonly ProgramName[]> = new Map([
  ["apps/server/src/agents/acp/acp-confined.test.ts", ["bwrap"]],
  ["apps/server/src/agents/command/command.test.ts", ["curl"]],
  ["apps/server/src/agents/mcp/mcp-runtime.test.ts", ["bwrap"]],
  ["apps/server/src/agents/process/home/program-home.test.ts", ["bwrap"]],
  ["apps/server/src/agents/process/installation.test.ts", ["bwrap"]],
  ["apps/server/src/agents/process/program.test.ts", ["bwrap"]],
  ["apps/server/src/agents/rehearsal/rehearse-work.test.ts", ["bwrap"]],
  ["apps/server/src/confinement/bubblewrap.test.ts", ["bwrap"]],
  ["apps/server/src/confinement/program/child.test.ts", ["bwrap"]],
  ["apps/server/src/previews/previews.test.ts", ["git"]],
  ["apps/server/src/projects/prompts/project-prompts.test.ts", ["git"]],
  ["apps/server/src/projects/prompts/round-prompts.test.ts", ["git"]],
  ["apps/server/src/rooms/workshop/outbound/change-endpoints.test.ts", ["git"]],
  ["apps/server/src/tools/files/file-tools.test.ts", ["bwrap"]],
  ["apps/server/src/tools/tasks/project-tools.test.ts", ["git"]],
  ["apps/server/src/tools/tasks/task-tools.test.ts", ["git"]],
  ["apps/server/src/workshop/comments/place-comments.test.ts", ["git"]],
  ["apps/server/src/workspaces/enclosed-workspaces.test.ts", ["git", "bwrap"]],
  ["apps/server/src/workspaces/failing-machine.test.ts", ["git"]],
  ["apps/server/src/workspaces/git/git.test.ts", ["git"]],
  ["apps/server/src/workspaces/hostile-worktree.test.ts", ["git"]],
  ["apps/server/src/workspaces/killed-landing.test.ts", ["git"]],
  ["apps/server/src/workspaces/killed-life.test.ts", ["git"]],
  ["apps/server/src/workspaces/open-workspaces.test.ts", ["git"]],
  ["apps/server/src/workspaces/pull-request.test.ts", ["git"]],
  ["apps/server/src/workspaces/snapshot/direct-snapshot.test.ts", ["git"]],
  ["apps/server/src/workspaces/swapped-folder.test.ts", ["git", "bwrap"]],
  ["apps/web/src/office/office-engine.test.ts", ["chromium"]],
  ["packages/log/src/nats/connect-nats.test.ts", ["nats-server", "openssl"]],
  ["packages/log/src/nats/core-bus.test.ts", ["nats-server"]],
  ["packages/log/src/nats/damaged-leader.test.ts", ["nats-server"]],
  ["packages/log/src/nats/jetstream-chain.test.ts", ["nats-server"]],
  ["packages/log/src/nats/open-nats-log.test.ts", ["nats-server"]],
  ["packages/log/src/nats/three-servers.test.ts", ["nats-server"]],
  ["test/conformance/clients/agents-codex-permissions.test.ts", ["bwrap"]],
  ["test/conformance/clients/agents-codex.test.ts", ["bwrap"]],
  ["test/conformance/clients/agents-opencode.test.ts", ["bwrap"]],
  ["test/conformance/clients/claude-code-attach.test.ts", ["git", "socat", "bwrap"]],
  ["test/conformance/clients/claude-code-headless.test.ts", ["socat", "bwrap"]],
  ["test/conformance/clients/claude-code-joined.test.ts", ["chromium"]],
  ["test/conformance/clients/claude-code-presets.test.ts", ["socat", "curl", "bwrap"]],
  ["test/conformance/clients/claude-code-newcomer.test.ts", ["chromium"]],
  ["test/conformance/clients/claude-code-tasks.test.ts", ["git", "curl"]],
  ["test/conformance/clients/claude-code-workshop.test.ts", ["git", "socat", "bwrap"]],
  ["test/conformance/clients/codex-joined-alone.test.ts", ["chromium"]],
  ["test/conformance/clients/codex-joined-terminal.test.ts", ["chromium"]],
  ["test/conformance/clients/codex-tasks.test.ts", ["git", "curl"]],
  ["test/conformance/clients/hand-started-tasks.test.ts", ["git", "curl"]],
  ["test/conformance/clients/openclaw-control-ui.test.ts", ["chromium"]],
  ["test/e2e/access/repository-credentials.test.ts", ["git"]],
  ["test/e2e/access/secret-places.test.ts", ["curl"]],
  ["test/e2e/agents/brought.test.ts", ["git", "bwrap"]],
  ["test/e2e/builds/builds.test.ts", ["curl"]],
  ["test/e2e/builds/check-output.test.ts", ["git", "bwrap"]],
  ["test/e2e/builds/handover.test.ts", ["git", "bwrap"]],
  ["test/e2e/cli/approvals.test.ts", ["script"]],
  ["test/e2e/cli/ask.test.ts", ["git", "script", "bwrap"]],
  ["test/e2e/cli/attach.test.ts", ["script"]],
  ["test/e2e/cli/build.test.ts", ["script"]],
  ["test/e2e/cli/chat.test.ts", ["script"]],
  ["test/e2e/cli/deliver.test.ts", ["git"]],
  ["test/e2e/cli/doctor.test.ts", ["git"]],
  ["test/e2e/cli/files.test.ts", ["git"]],
  ["test/e2e/cli/repo.test.ts", ["git"]],
  ["test/e2e/cli/review.test.ts", ["git", "script"]],
  ["test/e2e/cluster/anywhere.test.ts", ["git"]],
  ["test/e2e/cluster/attach.test.ts", ["nats-server", "script"]],
  ["test/e2e/cluster/fenced-files.test.ts", ["git"]],
  ["test/e2e/cluster/files.test.ts", ["git", "bwrap"]],
  ["test/e2e/cluster/joined.test.ts", ["curl", "git"]],
  ["test/e2e/cluster/left-git.test.ts", ["git"]],
  ["test/e2e/cluster/log-upkeep.test.ts", ["nats-server"]],
  ["test/e2e/cluster/reading-only-page.test.ts", ["chromium"]],
  ["test/e2e/cluster/real-servers.test.ts", ["nats-server"]],
  ["test/e2e/git/clone.test.ts", ["git"]],
  ["test/e2e/git/project-clone.test.ts", ["git", "chromium"]],
  ["test/e2e/joined/codex-daemon.test.ts", ["curl"]],
  ["test/e2e/joined/joined.test.ts", ["curl", "git"]],
  ["test/e2e/joined/other-programs.test.ts", ["curl"]],
  ["test/e2e/joined/sightings.test.ts", ["curl"]],
  ["test/e2e/joined/tasks.test.ts", ["curl", "git"]],
  ["test/e2e/joined/wake-qwen.test.ts", ["curl"]],
  ["test/e2e/joined/wake.test.ts", ["curl"]],
  ["test/e2e/repositories/adding.test.ts", ["git"]],
  ["test/e2e/server/balancer.test.ts", ["haproxy"]],
  ["test/e2e/server/cluster-examples.test.ts", ["haproxy", "nats-server", "systemd-analyze"]],
  ["test/e2e/signals/docs.test.ts", ["curl"]],
  ["test/e2e/web/agent-output.test.ts", ["chromium"]],
  ["test/e2e/web/agents.test.ts", ["git", "chromium"]],
  ["test/e2e/web/assigning.test.ts", ["chromium"]],
  ["test/e2e/web/brought.test.ts", ["git", "chromium"]],
  ["test/e2e/web/build-checks.test.ts", ["git", "chromium", "bwrap"]],
  ["test/e2e/web/builds-page.test.ts", ["chromium"]],
  ["test/e2e/web/change-story.test.ts", ["git", "chromium", "bwrap"]],
  ["test/e2e/web/chat-page.test.ts", ["chromium"]],
  ["test/e2e/web/code.test.ts", ["git", "chromium", "bwrap"]],
  ["test/e2e/web/delivery.test.ts", ["git", "chromium", "bwrap"]],
  ["test/e2e/web/doors.test.ts", ["chromium"]],
  ["test/e2e/web/first-minute.test.ts", ["chromium"]],
  ["test/e2e/web/joined.test.ts", ["curl", "chromium"]],
  ["test/e2e/web/logins.test.ts", ["chromium"]],
  ["test/e2e/web/office-windows.test.ts", ["chromium"]],
  ["test/e2e/web/office.test.ts", ["chromium"]],
  ["test/e2e/web/page-windows.test.ts", ["chromium"]],
  ["test/e2e/web/permissions.test.ts", ["chromium"]],
  ["test/e2e/web/plan.test.ts", ["chromium"]],
  ["test/e2e/web/preview.test.ts", ["git", "chromium"]],
  ["test/e2e/web/reading.test.ts", ["chromium"]],
  ["test/e2e/web/rehearsed-story.test.ts", ["git", "chromium", "bwrap"]],
  ["test/e2e/web/repositories.test.ts", ["git", "chromium"]],
  ["test/e2e/web/resolved-conflict.test.ts", ["git", "chromium"]],
  ["test/e2e/web/review.test.ts", ["chromium"]],
  ["test/e2e/web/settings-editor.test.ts", ["chromium"]],
  ["test/e2e/web/sightings.test.ts", ["chromium"]],
  ["test/e2e/web/signals-and-settings.test.ts", ["chromium"]],
  ["test/e2e/web/standing.test.ts", ["chromium"]],
  ["test/e2e/web/story.test.ts", ["chromium"]],
  ["test/e2e/web/workshop-settings.test.ts", ["bwrap", "git", "chromium"]],
  ["test/e2e/web/workshop.test.ts", ["git", "chromium", "bwrap"]],
  ["test/e2e/workshop/bad-models.test.ts", ["git"]],
  ["test/e2e/workshop/build-files.test.ts", ["git"]],
  ["test/e2e/workshop/cancelled-landing.test.ts", ["git"]],
  ["test/e2e/workshop/changes.test.ts", ["git"]],
  ["test/e2e/workshop/checks.test.ts", ["git", "bwrap"]],
  ["test/e2e/workshop/delivery.test.ts", ["git"]],
  ["test/e2e/workshop/endings.test.ts", ["git"]],
  ["test/e2e/workshop/first-minute.test.ts", ["git", "bwrap"]],
  ["test/e2e/workshop/hostile-review.test.ts", ["git"]],
  ["test/e2e/workshop/landing.test.ts", ["git"]],
  ["test/e2e/workshop/lineless-home.test.ts", ["git"]],
  ["test/e2e/workshop/long-run.test.ts", ["git", "bwrap"]],
  ["test/e2e/workshop/merging.test.ts", ["git", "bwrap"]],
  ["test/e2e/workshop/moments.test.ts", ["git", "bwrap"]],
  ["test/e2e/workshop/presets.test.ts", ["git", "bwrap"]],
  ["test/e2e/workshop/preview-port.test.ts", ["git"]],
  ["test/e2e/workshop/rehearsal.test.ts", ["git", "bwrap"]],
  ["test/e2e/workshop/restore-and-fork.test.ts", ["git"]],
  ["test/e2e/workshop/rounds.test.ts", ["git"]],
  ["test/e2e/workshop/setup.test.ts", ["git", "bwrap"]],
  ["test/e2e/workshop/terminal.test.ts", ["git", "bwrap"]],
  ["test/e2e/workshop/unmarked-conflicts.test.ts", ["git"]],
  ["test/e2e/workshop/whole-story.test.ts", ["git", "bwrap"]],
  ["test/e2e/workshop/worktrees.test.ts", ["git", "bwrap"]],
  ["test/faults/cluster/copy-differences.test.ts", ["nats-server"]],
  ["test/faults/cluster/directed-entries.test.ts", ["nats-server"]],
  ["test/faults/cluster/director.test.ts", ["nats-server"]],
  ["test/faults/cluster/log-faults.test.ts", ["nats-server"]],
  ["test/faults/cluster/office-checks.test.ts", ["nats-server"]],
  ["test/faults/cluster/office-faults.test.ts", ["nats-server", "git"]],
  ["test/faults/cluster/server-disks.test.ts", ["nats-server"]],
  ["test/faults/cluster/settings.test.ts", ["nats-server"]],
  ["test/faults/merge-kill.test.ts", ["git", "bwrap"]],
  ["test/faults/restore-kill.test.ts", ["git"]],
  ["test/faults/workshop-kill.test.ts", ["git", "bwrap"]],
  ["test/kit/nats/nats-servers.test.ts", ["nats-server"]],
]);

export function programsFor(files: readonly string[]): ReadonlySet<ProgramName> {
  return new Set(files.flatMap((file) => TEST_PROGRAMS.get(file) ?? []));
}

/** Where a file's text and a document's come from. */
export interface Sources {
  readonly source: (path: string) => string | undefined;
  readonly document: (name: string) => string | undefined;
}

const IMPORT = /\bfrom "(?<path>\.{1,2}\/[^"]+\.tsx?)"/g;
/** Types alone start nothing. */
const BROWSER = /^import (?!type\b).*from "playwright-core"/m;
const NAMED = /\b(?:findProgram|skipWithout)\("(?<name>[a-z-]+)"/g;
/** The kit that starts servers of the log. */
const NATS = /\bfindProgram\("nats-server"/;
const TERMINAL = /\bstartCliInTerminal\(/;
const SANDBOX = /\bskipWithoutSandbox\(/;
const SHELL = '"sh"';
const DOCUMENT = /docs\/(?<name>[a-z-]+\.md)/g;

/** The programs a test file uses, as far as its text and what it imports tell. */
export function usedPrograms(file: string, sources: Sources): ReadonlySet<string> {
  const text = sources.source(file) ?? "";
  const used = new Set(Array.from(text.matchAll(NAMED), ({ groups }) => groups?.["name"] ?? ""));
  if (isReached(BROWSER, file, sources)) used.add("chromium");
  if (isReached(NATS, file, sources)) used.add("nats-server");
  if (TERMINAL.test(text)) used.add("script");
  if (SANDBOX.test(text)) used.add("bwrap");
  if (text.includes(SHELL) && areExamplesCurl(text, sources)) used.add("curl");
  return used;
}

/** Whether the file, or what it imports, has such a text. */
function isReached(what: RegExp, file: string, { source }: Sources): boolean {
  const reached = new Set([file]);
  // A set goes on to what is added while it is walked.
  for (const path of reached) {
    const text = source(path) ?? "";
    if (what.test(text)) return true;
    for (const { groups } of text.matchAll(IMPORT)) {
      reached.add(join(dirname(path), groups?.["path"] ?? ""));
    }
  }
  return false;
}

/** Whoever runs a document's examples needs what they call. */
function areExamplesCurl(text: string, { document }: Sources): boolean {
  return Array.from(text.matchAll(DOCUMENT)).some(({ groups }) =>
    /^\s*curl /m.test(document(groups?.["name"] ?? "") ?? ""),
  );
}
