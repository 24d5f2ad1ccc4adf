/**
 * The program of a runtime, started where it works: in a turn's workspace it is confined like any command
 * there, else it works where its settings say, with the rights of the server's user.
 */
import { realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import type { Confinement } from "../../confinement/confinement.ts";
import { findProgram } from "../../confinement/find-program.ts";
import { openChild, type OpenedChild } from "../../confinement/program/child.ts";
import { PathRefused } from "../../platform/folder-files.ts";
import type { Timers } from "../../platform/timers.ts";
import type { ProgramSettings } from "../settings/runtime-settings.ts";
import type { Turn, TurnHost } from "../turn/agent-runtime.ts";
import { prepareHome, type HomeRequest, type PreparedHome } from "./home/prepare-home.ts";
import type { ShownLogin } from "./home/shown-login.ts";
import { installationOf, realUnlessSystem } from "./installation.ts";

/** Without a workspace it works in its `cwd`. */
type ProgramPlace = Pick<ProgramSettings<"command">, "command" | "cwd" | "env"> & {
  readonly sandbox?: ProgramSettings<"acp">["sandbox"];
  /** Left out: a script of the user's, of which nothing is known. */
  readonly home?: HomeRequest;
};

export interface ProgramDeps {
  readonly timers: Timers;
  readonly confinement?: Pick<Confinement, "enclose"> | undefined;
}

export type OpenedProgram =
  | (Extract<OpenedChild, { readonly ok: true }> & {
      /** Whether a sandbox is around it. */
      readonly isConfined: boolean;
      /** Undefined: it is not confined, or has no home of its own. */
      readonly login: ShownLogin | undefined;
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
  if (workspace === undefined) return opened(await openChild({ command, cwd, env }, timers));
  if (confinement === undefined) {
    return { ok: false, reason: "Programs cannot be confined here, so that none works on files." };
  }
  const [program = "", ...args] = command;
  const file = await findFile(program, cwd, env["PATH"] ?? "");
  if (file === undefined) return { ok: false, reason: `There is no program "${program}".` };
  const skills = (turn.skills ?? []).map(({ folder }) => folder);
  const named = await Promise.all([file, ...(sandbox.readable ?? []), ...skills].map(realPath));
  const { programs } = workspace;
  const parts = await partsOf(settings, { file, args, env, programs, readable: named }).catch(
    refusedHome,
  );
  if ("reason" in parts) return parts;
  const readable = [...new Set([...named, ...parts.readable])];
  const kept = Object.entries(env).filter(([name]) => !OUTSIDE.has(name));
  const { folder, store } = workspace;
  const enclosed = await confinement.enclose(
    {
      argv: parts.argv,
      env: { ...Object.fromEntries(kept), ATRIUM_WORKTREE: folder },
      ...(parts.home && { sandboxEnv: parts.home.sandboxEnv }),
      network: sandbox.network ?? true,
      permit: async ({ warning }, signal) => {
        const request = { tool: program, input: { command }, cwd: folder, warning };
        const answer = await host.requestPermission(request, signal);
        if (answer === "allowed") return { isAllowed: true };
        return {
          isAllowed: false,
          reason: `Nobody allowed "${program}" to run without a sandbox.`,
        };
      },
    },
    {
      place: {
        folder,
        store,
        readable: [...readable.map((from) => ({ from })), ...(parts.home?.readable ?? [])],
        writable: parts.home?.writable ?? [],
      },
      descriptor: FREE_DESCRIPTOR,
      signal: host.signal,
    },
  );
  if (!enclosed.ok) return enclosed;
  const { argv, ...launch } = enclosed.launch;
  // What is allowed to run without a sandbox has no options of one.
  const isConfined = launch.options !== undefined;
  const login = isConfined ? parts.home?.login : undefined;
  return opened(await openChild({ ...launch, command: argv }, timers), { isConfined, login });
}

function opened(
  child: OpenedChild,
  around: Pick<Extract<OpenedProgram, { readonly ok: true }>, "isConfined" | "login"> = {
    isConfined: false,
    login: undefined,
  },
): OpenedProgram {
  return child.ok ? { ...child, ...around } : child;
}

/** An agent may have made of its home what it liked. */
function refusedHome(cause: unknown): Extract<OpenedProgram, { readonly ok: false }> {
  if (!(cause instanceof PathRefused)) throw cause;
  const reason = `Its home in the sandbox cannot be used: ${cause.message} Give the work to another agent, or begin it anew.`;
  return { ok: false, reason };
}

interface ProgramParts {
  readonly readable: readonly string[];
  readonly argv: readonly string[];
  /** Undefined: it keeps nothing. */
  readonly home: PreparedHome | undefined;
}

interface StartedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly programs: string | undefined;
  readonly readable: readonly string[];
}

/** What is shown of a program that was installed, and of its user's home. */
async function partsOf(
  { home: request, sandbox }: ProgramPlace,
  { file, args, env, programs, readable }: StartedProgram,
): Promise<ProgramParts> {
  if (request === undefined) {
    const argv = [await realUnlessSystem(file), ...args];
    return { readable: [], argv, home: undefined };
  }
  const installation = await installationOf(file, args, env);
  if (programs === undefined) return { ...installation, home: undefined };
  const hasLogin = sandbox?.login ?? true;
  const home = await prepareHome(request, { programs, env, hasLogin, readable });
  return { ...installation, home };
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
