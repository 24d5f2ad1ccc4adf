/** The confinement of this machine: its sandbox when that holds, else people are asked. */
import { realpathSync } from "node:fs";
import { createAsking } from "./asking.ts";
import type { Attendance } from "./attended-command.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import type { Confinement, ConfinementReport } from "./confinement.ts";
import { createStdio } from "./inherited-descriptors.ts";

export interface ConfinementDeps extends Pick<Attendance, "timers" | "now"> {
  readonly platform: string;
  /** The folders in which programs are looked for. */
  readonly path: string;
  readonly node: string;
  /** What of the server's no command may see: its home. */
  readonly secret: readonly string[];
  /** What every process of an agent carries in its environment. */
  readonly marks: Readonly<Record<string, string>>;
  /** What a command without a sandbox gets of the server's environment. */
  readonly env: Readonly<Record<string, string>>;
}

export function createConfinement(deps: ConfinementDeps): Confinement {
  const { timers, now } = deps;
  const stdio = createStdio();
  const secret = deps.secret.map((folder) => realpathSync(folder));
  const sandbox = createBubblewrap({ ...deps, secret, stdio });
  let report: Promise<ConfinementReport> | undefined;

  async function examine(): Promise<ConfinementReport> {
    if (deps.platform !== "linux") {
      const problem = `There is no sandbox for ${deps.platform}.`;
      return { mode: "asking", problem, attempts: [] };
    }
    const found = await sandbox.probe();
    return found.problem === null ? found : { ...found, mode: "asking" };
  }

  const probe = (): Promise<ConfinementReport> => (report ??= examine());
  async function chosen(): Promise<Confinement> {
    const { problem } = await probe();
    if (problem === null) return sandbox;
    const env = { ...deps.env, ...deps.marks };
    return createAsking({ problem, secret, env, timers, now, stdio });
  }

  return {
    probe,
    enclose: async (...request) => (await chosen()).enclose(...request),
    run: async (...request) => (await chosen()).run(...request),
  };
}
