/**
 * Commands without a sandbox: every one is put to a person, whole, before it starts. It then has the
 * rights of the server's user; its time, output, memory and processes are limited all the same.
 */
import { randomUUID } from "node:crypto";
import { attend, FREE_DESCRIPTOR, refusedCommand, type Attendance } from "./attended-command.ts";
import type {
  Command,
  CommandLaunch,
  Confinement,
  EnclosedCommand,
  EncloseRequest,
} from "./confinement.ts";
import { limitsWith } from "./limits.ts";
import { checkPlace } from "./place.ts";
import { createMarkCensus } from "./process-tree.ts";

export interface AskingDeps
  extends Pick<Attendance, "timers" | "now">, Pick<CommandLaunch, "stdio"> {
  /** Why there is no sandbox. */
  readonly problem: string;
  readonly secret: readonly string[];
  /** All of the server's environment that a command gets. */
  readonly env: Readonly<Record<string, string>>;
}

/** By which the processes of one command are found again, wherever they went. */
const CALL_VARIABLE = "ATRIUM_COMMAND";

export function createAsking(deps: AskingDeps): Confinement {
  const { problem, stdio } = deps;

  async function enclose(
    command: Command,
    { place, limits = limitsWith(), signal }: EncloseRequest,
  ): Promise<EnclosedCommand> {
    const checked = await checkPlace(command, place, deps.secret);
    if (!checked.ok) return checked;
    const { argv, env = {}, permit } = command;
    const cwd = checked.place.folder;
    const warning = `It runs without a sandbox, with the rights of the server's user and with the network. ${problem}`;
    const answer = await permit({ command: argv, cwd, warning }, signal);
    if (!answer.isAllowed) return { ok: false, reason: answer.reason };
    return { ok: true, launch: { argv, cwd, env: { ...deps.env, ...env }, limits, stdio } };
  }

  return {
    probe: () => Promise.resolve({ mode: "asking", problem, attempts: [] }),
    enclose,
    async run(command, place, limits, signal) {
      const id = randomUUID();
      const marked = { ...command, env: { ...command.env, [CALL_VARIABLE]: id } };
      const request = { place, descriptor: FREE_DESCRIPTOR, limits, signal };
      const enclosed = await enclose(marked, request);
      if (!enclosed.ok) return refusedCommand(enclosed.reason);
      const { timers, now } = deps;
      const strays = createMarkCensus(`${CALL_VARIABLE}=${id}`);
      return attend(enclosed.launch, { limits, signal, handling: command, timers, now, strays });
    },
  };
}
