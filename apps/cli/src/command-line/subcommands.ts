/** Commands whose next word says what to do: `atrium sessions rename KEY LABEL`. Without one it is a list. */
import type { GatewayClient } from "@atrium/client";
import { own } from "@atrium/wire";
import type { Paint } from "../terminal/paint.ts";
import { usageError } from "./read-args.ts";

/** What a command has to say, to programs and to people. */
export interface CommandResult {
  readonly json: unknown;
  readonly text: (paint: Paint, now: number) => string;
}

/** What it does once there is a server: what it is called with, and what it has to say. */
interface Subcommand {
  readonly takes: readonly string[];
  readonly run: (
    client: GatewayClient,
    given: readonly string[],
    limit: number,
  ) => Promise<CommandResult>;
}

export type Subcommands = Readonly<Record<string, Subcommand>>;

export function pickSubcommand(
  command: string,
  subcommands: Subcommands,
  [name = "list", ...given]: readonly string[],
): { readonly subcommand: Subcommand; readonly given: readonly string[] } {
  const subcommand = own(subcommands, name);
  if (subcommand === undefined) {
    const there = Object.keys(subcommands).join(", ");
    throw usageError(command, `Unknown subcommand: ${name}. Use one of: ${there}`);
  }
  if (given.length === subcommand.takes.length) return { subcommand, given };
  const call = ["atrium", command, name, ...subcommand.takes].join(" ");
  throw usageError(command, `Usage: ${call}`);
}
