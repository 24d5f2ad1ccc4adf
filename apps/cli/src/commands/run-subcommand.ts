/** Runs the subcommand that was asked for against the server, and prints what it has to say. */
import { CliError, EXIT } from "../command-line/cli-error.ts";
import type { Environment } from "../command-line/environment.ts";
import { pickSubcommand, type Subcommands } from "../command-line/subcommands.ts";
import { connectServer } from "../server/connect-server.ts";
import { findServer, type ServerFlags } from "../server/find-server.ts";

interface SubcommandArgs {
  readonly values: ServerFlags & { readonly json?: boolean | undefined };
  readonly positionals: readonly string[];
}

export async function runSubcommand(
  name: string,
  subcommands: Subcommands,
  { values, positionals }: SubcommandArgs,
  environment: Environment,
  limit = Infinity,
): Promise<number> {
  const { terminal, now } = environment;
  const { subcommand, given } = pickSubcommand(name, subcommands, positionals);
  await using client = await connectServer(await findServer(values, environment));
  const { json, text } = await subcommand.run(client, given, limit);
  terminal.out(values.json === true ? `${JSON.stringify(json)}\n` : text(terminal.paint, now()));
  return EXIT.ok;
}

/** The one row that has the id, or the only one that has an id which begins like that. */
export function chooseRow<Row extends { readonly id: string }>(
  command: string,
  one: string,
  given: string,
  found: readonly Row[],
): Row {
  const [first, second] = found;
  if (first !== undefined && (second === undefined || first.id === given)) return first;
  throw new CliError(
    second === undefined
      ? `${one} has the id ${given}.`
      : `${given} matches several ids. Use more of the id.`,
    { advice: `To list them, run: atrium ${command}` },
  );
}
