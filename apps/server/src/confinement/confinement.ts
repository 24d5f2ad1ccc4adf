/**
 * Where commands of agents run: the port, and the only way to start one.
 *
 *   command -> place checked -> sandbox, or a person's permission -> output, capped -> one end
 *
 * What a command may reach is its place: it writes in one folder, reads what the place names and what
 * every program needs, and has no network unless a person allowed it for this one call. When a call is
 * over, every process that it started is gone. confinement.contract.ts has what each way must do.
 */
import type { CapturedOutput, OutputHandling } from "./captured-output.ts";
import type { StdioEntry } from "./inherited-descriptors.ts";
import type { CommandLimits } from "./limits.ts";
import type { CommandPlace } from "./place.ts";

export type ConfinementMode = "bubblewrap" | "asking";

/** What a person is asked before a command runs outside of a sandbox. */
export interface CommandPermission {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly warning: string;
}

export type PermitCommand = (
  request: CommandPermission,
  signal: AbortSignal,
) => Promise<{ readonly isAllowed: true } | { readonly isAllowed: false; readonly reason: string }>;

export interface Command extends OutputHandling {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Beyond what every command gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of these, what is another in a sandbox; null: what it does not get there. */
  readonly sandboxEnv?: Readonly<Record<string, string | null>>;
  /** Only where a person has allowed it for this command. */
  readonly network?: boolean;
  /** Asked where nothing confines the command. */
  readonly permit: PermitCommand;
}

/** How to start a program where it is confined; whoever starts it sees to its end. */
export interface CommandLaunch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What the sandbox must be told on the descriptor that was named; it tells how it goes on the next. */
  readonly options?: string;
  /** What it may take with everything it starts; left out: whoever starts it knows. */
  readonly limits?: CommandLimits;
  /** For spawn: these, and none of the server's open files. */
  readonly stdio: (wanted: readonly StdioEntry[]) => StdioEntry[];
}

export type EnclosedCommand =
  | { readonly ok: true; readonly launch: CommandLaunch }
  /** For a person. */
  | { readonly ok: false; readonly reason: string };

/** A program that lives on beside whoever started it, on its own standard streams and descriptors. */
export interface EncloseRequest {
  readonly place: CommandPlace;
  /** The first descriptor that the program does not use. */
  readonly descriptor: number;
  /** The usual ones, unless it is said. */
  readonly limits?: CommandLimits;
  readonly signal: AbortSignal;
}

export type CommandEnd =
  | { readonly how: "exited"; readonly code: number }
  | { readonly how: "killed"; readonly signal: string }
  /** Ended from here, with everything it had started. */
  | { readonly how: "stopped"; readonly why: "time" | "memory" | "processes" | "aborted" }
  /** Never started; the reason is for a person. */
  | { readonly how: "refused"; readonly reason: string };

export interface CommandResult {
  readonly end: CommandEnd;
  readonly durationMs: number;
  readonly output: CapturedOutput;
}

/** One way out that was tried from inside. */
export interface EscapeAttempt {
  readonly name: string;
  readonly outcome: "refused" | "escaped" | "untried";
  /** What was seen; empty when it was refused. */
  readonly detail: string;
}

export interface ConfinementReport {
  readonly mode: ConfinementMode;
  /** Why commands are not sandboxed; null when they are. */
  readonly problem: string | null;
  readonly attempts: readonly EscapeAttempt[];
}

export interface Confinement {
  /** For programs that are spoken with. What is allowed and seen is the same as for commands. */
  enclose(command: Command, request: EncloseRequest): Promise<EnclosedCommand>;
  /** Tries the escapes. Costs something the first time; the report stays the same. */
  probe(): Promise<ConfinementReport>;
  /** Never rejects for what the command or the place is like. */
  run(
    command: Command,
    place: CommandPlace,
    limits: CommandLimits,
    signal: AbortSignal,
  ): Promise<CommandResult>;
}
