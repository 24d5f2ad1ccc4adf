/**
 * Commands in a sandbox of Linux namespaces, made by bubblewrap. Needs no root and no daemon, but a
 * kernel that lets users have namespaces.
 */
import { release } from "node:os";
import { attend, FREE_DESCRIPTOR, refusedCommand, type Attendance } from "./attended-command.ts";
import type {
  Command,
  CommandLaunch,
  CommandResult,
  Confinement,
  ConfinementReport,
  EnclosedCommand,
  EncloseRequest,
} from "./confinement.ts";
import { findProgram } from "./find-program.ts";
import { limitsWith, resourceLimits, type CommandLimits } from "./limits.ts";
import { checkPlace, type CommandPlace } from "./place.ts";
import { createSandboxOptions, type SandboxSettings } from "./sandbox-profile.ts";
import { tryEscapes } from "./self-test.ts";

export interface BubblewrapDeps
  extends SandboxSettings, Pick<Attendance, "timers" | "now">, Pick<CommandLaunch, "stdio"> {
  /** The folders in which programs are looked for. */
  readonly path: string;
  /** The environment of the sandbox itself, which commands can read; nothing of the server's. */
  readonly marks: Readonly<Record<string, string>>;
}

interface Programs {
  readonly bwrap: string;
  readonly prlimit: string;
}

type FoundPrograms =
  | { readonly ok: true; readonly programs: Programs }
  | { readonly ok: false; readonly reason: string };

export function createBubblewrap(deps: BubblewrapDeps): Confinement {
  const optionsFor = createSandboxOptions(deps);
  let found: Promise<FoundPrograms> | undefined;
  let report: Promise<ConfinementReport> | undefined;

  async function enclose(
    command: Command,
    { place, descriptor }: EncloseRequest,
    limits = limitsWith(),
  ): Promise<EnclosedCommand> {
    const tools = await (found ??= findPrograms(deps.path));
    if (!tools.ok) return tools;
    const checked = await checkPlace(command, place, deps.secret);
    if (!checked.ok) return checked;
    const { argv, env = {}, network = false } = command;
    const { bwrap, prlimit } = tools.programs;
    const request = { place: checked.place, env: { ...deps.marks, ...env }, network, limits };
    const descriptors = ["--args", `${descriptor}`, "--json-status-fd", `${descriptor + 1}`, "--"];
    const limiting = [prlimit, ...resourceLimits(limits, release())];
    return {
      ok: true,
      launch: {
        argv: [bwrap, ...descriptors, ...limiting, ...argv],
        cwd: "/",
        env: deps.marks,
        options: optionsFor(request),
        stdio: deps.stdio,
      },
    };
  }

  async function run(
    command: Command,
    place: CommandPlace,
    limits: CommandLimits,
    signal: AbortSignal,
  ): Promise<CommandResult> {
    const request = { place, descriptor: FREE_DESCRIPTOR, signal };
    const enclosed = await enclose(command, request, limits);
    if (!enclosed.ok) return refusedCommand(enclosed.reason);
    const { timers, now } = deps;
    return attend(enclosed.launch, {
      limits,
      signal,
      handling: command,
      timers,
      now,
      strays: nobody,
    });
  }

  async function examine(): Promise<ConfinementReport> {
    const tools = await (found ??= findPrograms(deps.path));
    if (!tools.ok) return { mode: "bubblewrap", problem: tools.reason, attempts: [] };
    return tryEscapes({ run, secret: deps.secret, node: deps.node, marks: deps.marks });
  }

  return {
    probe: () => (report ??= examine()),
    enclose: (command, request) => enclose(command, request),
    run,
  };
}

/** Nothing leaves the sandbox. */
function nobody(): readonly number[] {
  return [];
}

async function findPrograms(path: string): Promise<FoundPrograms> {
  const bwrap = await findProgram("bwrap", path);
  if (bwrap === undefined) {
    return {
      ok: false,
      reason: "bubblewrap is not installed (on Debian: apt install bubblewrap).",
    };
  }
  const prlimit = await findProgram("prlimit", path);
  if (prlimit === undefined) {
    return { ok: false, reason: "prlimit is not installed (on Debian: apt install util-linux)." };
  }
  return { ok: true, programs: { bwrap, prlimit } };
}
