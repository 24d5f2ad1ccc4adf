import { readPermission, type PermissionRequest } from "../agents/turn/agent-runtime.ts";
/**
 * Prepares a new worktree as its repository says: `setup` is run there once, in the sandbox.
 *
 * What prepares a folder mostly fetches something, so a person is asked for the network first; an "always"
 * covers the same command from then on. Without the permission it runs without the network. A setup that
 * fails is no reason not to work: the agent is told of it.
 */
import type { CommandEnd, CommandResult, Confinement } from "../confinement/confinement.ts";
import { limitsWith } from "../confinement/limits.ts";
import type { RunOrigin, TurnHumanInput } from "../runs/run-driver.ts";
import type { WorkspaceWait } from "../runs/run-workspace.ts";
import type { Worktree } from "../workspaces/port/workspaces.ts";

export interface PrepareWorktreeDeps {
  readonly confinement: Pick<Confinement, "probe" | "run">;
  readonly humanInput: Pick<TurnHumanInput, "requestPermission">;
}

export interface Preparation {
  /** The program and its arguments. */
  readonly setup: readonly string[];
  readonly worktree: Pick<Worktree, "folder" | "store">;
  readonly run: RunOrigin;
}

/** Resolves with what the agent is told of it. */
export type PrepareWorktree = (what: Preparation, wait: WorkspaceWait) => Promise<string>;

const TIMEOUT_MS = 30 * 60_000;
const MAX_TOLD_CHARS = 2_000;
const NETWORK_WARNING =
  "The repository's setup asks for the network, and with it for the ports of this machine. If you deny it, the setup runs without a network.";

export function createPrepareWorktree(deps: PrepareWorktreeDeps): PrepareWorktree {
  const { confinement, humanInput } = deps;
  return async ({ setup, worktree, run }, { signal, progress }) => {
    const { folder, store } = worktree;
    const command = setup.join(" ");
    const isAllowed = async (warning: string, mayAlways: boolean): Promise<boolean> => {
      const request: PermissionRequest = { tool: "setup", input: setup, cwd: folder, warning };
      const whole = mayAlways ? request : { ...request, mayAlways: false as const };
      const answer = await humanInput.requestPermission(run, whole, signal);
      return readPermission(answer).permission === "allowed";
    };
    progress(`Preparing the folder: ${command}`);
    const { problem } = await confinement.probe();
    // Without a sandbox there is nothing that keeps the network away: it is asked below, each time.
    const network = problem === null && (await isAllowed(NETWORK_WARNING, true));
    const result = await confinement.run(
      {
        argv: setup,
        network,
        permit: async ({ warning }) =>
          (await isAllowed(warning, false))
            ? { isAllowed: true }
            : { isAllowed: false, reason: "no person allowed it" },
      },
      { folder, store },
      limitsWith({ timeoutMs: TIMEOUT_MS }),
      signal,
    );
    return describeSetup(command, result, network);
  };
}

function describeSetup(command: string, { end, output }: CommandResult, network: boolean): string {
  if (end.how === "exited" && end.code === 0) return `The folder was prepared with \`${command}\`.`;
  const place = network || end.how === "refused" ? "" : " It had no network.";
  const tail = output.text.trim().slice(-MAX_TOLD_CHARS);
  const ending = tail === "" ? "" : `\nThe end of what it wrote:\n${tail}`;
  return `The repository's setup \`${command}\` ${describeEnd(end)}.${place}${ending}`;
}

function describeEnd(end: CommandEnd): string {
  switch (end.how) {
    case "exited":
      return `ended with exit code ${end.code}`;
    case "killed":
      return `was ended by ${end.signal}`;
    case "stopped":
      return "was stopped, because it took too long or too much";
    case "refused":
      return `did not run: ${end.reason}`;
  }
}
