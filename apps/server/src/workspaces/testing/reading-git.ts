/** A real git that waits in the folder of workspaces, as one that a node has started there. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { gitEnvironment, placesIn } from "../git/git-settings.ts";

export interface ReadingGit extends AsyncDisposable {
  /** False when it has ended. */
  answers(): Promise<boolean>;
  readonly ended: Promise<unknown>;
}

/** `life`: of the node that started it; an earlier release said nothing of that. */
export async function startGit(
  root: string,
  repository: string,
  life?: string,
): Promise<ReadingGit> {
  const env = gitEnvironment(placesIn(root), process.env["PATH"] ?? "", life);
  const child = spawn("git", ["-C", repository, "cat-file", "--batch"], { env });
  const ended = once(child, "close");
  // One that has ended is not written to.
  child.stdin.on("error", () => undefined);
  const answers = async (): Promise<boolean> => {
    const answer = once(child.stdout, "data").then(() => true);
    child.stdin.write("HEAD\n");
    return Promise.race([answer, ended.then(() => false)]);
  };
  // It does once it is itself and no longer the process that became it.
  await answers();
  return {
    answers,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
