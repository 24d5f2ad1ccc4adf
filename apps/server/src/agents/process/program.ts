/**
 * The program of a runtime, started where it works: in a turn's workspace it is confined like any command
 * there, else it works where its settings say, with the rights of the server's user.
 */
import { realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import type { Confinement } from "../../confinement/confinement.ts";
import { findProgram } from "../../confinement/find-program.ts";
import { openChild, type OpenedChild } from "../../confinement/program/child.ts";
import type { Timers } from "../../platform/timers.ts";
import type { ProgramSettings } from "../settings/runtime-settings.ts";
import type { Turn, TurnHost } from "../turn/agent-runtime.ts";

/** Without a workspace it works in its `cwd`. */
type ProgramPlace = Pick<ProgramSettings<"command">, "command" | "cwd" | "env" | "sandbox">;

export interface ProgramDeps {
  readonly timers: Timers;
  readonly confinement?: Pick<Confinement, "enclose"> | undefined;
}

export type OpenedProgram =
  | (Extract<OpenedChild, { readonly ok: true }> & {
      /** Whether a sandbox is around it. */
      readonly isConfined: boolean;
    })
  | Extract<OpenedChild, { readonly ok: false }>;

/** A program is spoken with on descriptors 0 to 3. */
const FREE_DESCRIPTOR = 4;
/** Of the server's environment, what means something else in a sandbox. */
const OUTSIDE = new Set(["PATH", "HOME", "TMPDIR", "LANG", "TERM"]);

export async function openProgram(
  settings: ProgramPlace,
  { turn, host }: { readonly turn: Turn; readonly host: TurnHost },
  { timers, confinement }: ProgramDeps,
): Promise<OpenedProgram> {
  const { command, cwd, sandbox = {} } = settings;
  const env = { ...settings.env, ...turn.env };
  const { workspace } = turn;
  if (workspace === undefined) return opened(await openChild({ command, cwd, env }, timers), false);
  if (confinement === undefined) {
    return { ok: false, reason: "Programs cannot be confined here, so that none works on files." };
  }
  const [program = "", ...args] = command;
  const file = await findFile(program, cwd, env["PATH"] ?? "");
  if (file === undefined) return { ok: false, reason: `There is no program "${program}".` };
  const skills = (turn.skills ?? []).map(({ folder }) => folder);
  const readable = await Promise.all([file, ...(sandbox.readable ?? []), ...skills].map(realPath));
  const kept = Object.entries(env).filter(([name]) => !OUTSIDE.has(name));
  const enclosed = await confinement.enclose(
    {
      argv: [file, ...args],
      env: { ...Object.fromEntries(kept), ATRIUM_WORKTREE: workspace.folder },
      network: sandbox.network ?? true,
      permit: async ({ warning }, signal) => {
        const request = { tool: program, input: { command }, cwd: workspace.folder, warning };
        const answer = await host.requestPermission(request, signal);
        if (answer === "allowed") return { isAllowed: true };
        return {
          isAllowed: false,
          reason: `Nobody allowed "${program}" to run without a sandbox.`,
        };
      },
    },
    {
      place: { ...workspace, readable: readable.map((from) => ({ from })) },
      descriptor: FREE_DESCRIPTOR,
      signal: host.signal,
    },
  );
  if (!enclosed.ok) return enclosed;
  const { argv, ...launch } = enclosed.launch;
  // What is allowed to run without a sandbox has no options of one.
  const isConfined = launch.options !== undefined;
  return opened(await openChild({ ...launch, command: argv }, timers), isConfined);
}

function opened(child: OpenedChild, isConfined: boolean): OpenedProgram {
  return child.ok ? { ...child, isConfined } : child;
}

async function findFile(program: string, cwd: string, path: string): Promise<string | undefined> {
  if (isAbsolute(program)) return program;
  return program.includes("/") ? resolve(cwd, program) : findProgram(program, path);
}

/** What is missing is told by whoever wants to show it. */
async function realPath(path: string): Promise<string> {
  const absolute = resolve(path);
  return realpath(absolute).catch(() => absolute);
}
