/**
 * A command: how it is called, its flags, an example, and what it does. Its help and the page of all commands are made
 * from this declaration, so neither can describe what does not exist.
 */
import type { Environment } from "./environment.ts";
import { usageError, readArgs, type ParsedOptions, type Options } from "./read-args.ts";

/** What it looks like after `atrium `, and what that does. */
export type Call = readonly [call: string, what: string];

export interface Command {
  /** As it is called: `chat`, `signals tail`. */
  readonly name: string;
  readonly calls: readonly Call[];
  readonly options: Options;
  readonly examples: readonly string[];
  /** Commands of their own behind one more word. */
  readonly members?: readonly Command[];
  /** Resolves with the exit code. */
  readonly run: (args: readonly string[], environment: Environment) => Promise<number>;
  /** What comes after its own help, from elsewhere. */
  readonly moreHelp?: () => Promise<number>;
}

interface CommandDeclaration<Known extends Options> extends Omit<Command, "run" | "options"> {
  readonly options: Known;
  /** Takes words beside its flags. */
  readonly takesWords?: boolean;
  readonly run: (given: ParsedOptions<Known>, environment: Environment) => Promise<number>;
}

export function command<const Known extends Options>({
  takesWords = false,
  run,
  ...declared
}: CommandDeclaration<Known>): Command {
  const { name, options } = declared;
  return {
    ...declared,
    async run(args, environment) {
      const given = readArgs(name, args, options);
      const [extra] = given.positionals;
      if (!takesWords && extra !== undefined) {
        throw usageError(name, `Unexpected argument: ${extra}`);
      }
      return run(given, environment);
    },
  };
}

/** Commands that share their first word. */
export function group(name: string, members: readonly Command[]): Command {
  const words = members.map((each) => each.name.slice(name.length + 1)).join(", ");
  return {
    name,
    members,
    calls: members.flatMap(({ calls }) => calls),
    options: {},
    examples: members.flatMap(({ examples }) => examples),
    async run([first, ...rest], environment) {
      const member = members.find((each) => each.name === `${name} ${first}`);
      if (member !== undefined) return member.run(rest, environment);
      throw usageError(
        name,
        first === undefined
          ? `Missing subcommand. Use one of: ${words}`
          : `Unknown subcommand: ${first}. Use one of: ${words}`,
      );
    },
  };
}
