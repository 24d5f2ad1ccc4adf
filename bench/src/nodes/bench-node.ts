/** Starts node-process.ts and asks it, one command at a time. It ends by itself when this process does. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { NodeCommand, NodeOptions, WriteLoad, WriteSample } from "./node-commands.ts";

const PROGRAM = fileURLToPath(new URL("node-process.ts", import.meta.url));

export interface BenchNode extends AsyncDisposable {
  write(load: WriteLoad): Promise<WriteSample>;
  ping(count: number): Promise<WriteSample>;
  delays(): Promise<readonly number[]>;
}

export async function startNode(options: NodeOptions): Promise<BenchNode> {
  const child = fork(PROGRAM, [JSON.stringify(options)], { stdio: "inherit" });
  const answer = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error(`${options.name} ended`));
      child.once("exit", onExit);
      child.once("message", (message) => {
        child.off("exit", onExit);
        resolve(message);
      });
    });
  const ask = async <Answer>(command: NodeCommand): Promise<Answer> => {
    const answered = answer();
    child.send(command);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by node-process.ts
    return (await answered) as Answer;
  };
  await answer();
  return {
    write: (load) => ask({ do: "write", ...load }),
    ping: (count) => ask({ do: "ping", count }),
    delays: async () =>
      (await ask<{ readonly delays: readonly number[] }>({ do: "delays" })).delays,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
