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
interface Deed {
  readonly takes: readonly string[];
  readonly run: (
    client: GatewayClient,
    given: readonly string[],
    limit: number,
  ) => Promise<CommandResult>;
}

export type Subcommands = Readonly<Record<string, Deed>>;

export function pickSubcommand(
  command: string,
  deeds: Subcommands,
  [name = "list", ...given]: readonly string[],
): { readonly deed: Deed; readonly given: readonly string[] } {
  const deed = own(deeds, name);
  if (deed === undefined) {
    const there = Object.keys(deeds).join(", ");
    throw usageError(command, `Unknown subcommand: ${name}. Use one of: ${there}`);
  }
  if (given.length === deed.takes.length) return { deed, given };
  const call = ["atrium", command, name, ...deed.takes].join(" ");
  throw usageError(command, `Usage: ${call}`);
}
