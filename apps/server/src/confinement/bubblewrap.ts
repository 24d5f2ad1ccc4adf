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
import { limitsWith, limitedCommand, type CommandLimits } from "./limits.ts";
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

type FoundProgram =
  | { readonly ok: true; readonly bwrap: string }
  | { readonly ok: false; readonly reason: string };

export function createBubblewrap(deps: BubblewrapDeps): Confinement {
  const optionsFor = createSandboxOptions(deps);
  let found: Promise<FoundProgram> | undefined;
  let report: Promise<ConfinementReport> | undefined;

  async function enclose(
    command: Command,
    { place, descriptor, limits = limitsWith() }: EncloseRequest,
  ): Promise<EnclosedCommand> {
    const tools = await (found ??= findBubblewrap(deps.path));
    if (!tools.ok) return tools;
    const checked = await checkPlace(command, place, deps.secret);
    if (!checked.ok) return checked;
    const { argv, network = false } = command;
    const env = { ...deps.marks, ...environmentOf(command) };
    const request = { place: checked.place, env, network, limits };
    const descriptors = ["--args", `${descriptor}`, "--json-status-fd", `${descriptor + 1}`, "--"];
    return {
      ok: true,
      launch: {
        argv: [tools.bwrap, ...descriptors, ...limitedCommand(argv, limits, release())],
        cwd: "/",
        env: deps.marks,
        options: optionsFor(request),
        limits,
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
    const request = { place, descriptor: FREE_DESCRIPTOR, limits, signal };
    const enclosed = await enclose(command, request);
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
    const tools = await (found ??= findBubblewrap(deps.path));
    if (!tools.ok) return { mode: "bubblewrap", problem: tools.reason, attempts: [] };
    return tryEscapes({ run, secret: deps.secret, node: deps.node, marks: deps.marks });
  }

  return {
    probe: () => (report ??= examine()),
    enclose,
    run,
  };
}

function environmentOf({ env = {}, sandboxEnv = {} }: Command): Readonly<Record<string, string>> {
  const changed = new Map<string, string | null>(Object.entries({ ...env, ...sandboxEnv }));
  return Object.fromEntries(
    [...changed].filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** Nothing leaves the sandbox. */
function nobody(): readonly number[] {
  return [];
}

async function findBubblewrap(path: string): Promise<FoundProgram> {
  const bwrap = await findProgram("bwrap", path);
  if (bwrap !== undefined) return { ok: true, bwrap };
  const reason = "bubblewrap is not installed (on Debian: apt install bubblewrap).";
  return { ok: false, reason };
}
