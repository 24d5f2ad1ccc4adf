/**
 * Arguments by node:util's parser. Unknown flags get our own message, because the parser's texts suggest what was
 * just tried.
 */
import { parseArgs } from "node:util";
import { own } from "@atrium/wire";
import { CliError, EXIT } from "./cli-error.ts";

/** One flag: how it is read, and how the help speaks of it. */
export interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: true;
  /** What it takes, in the help: `--limit N`. */
  readonly takes?: string;
  readonly help: string;
}
export type Options = Readonly<Record<string, Option>>;

/** How every command finds its server. */
export const SERVER_OPTIONS = {
  url: {
    type: "string",
    takes: "ADDRESS",
    help: "(ATRIUM_URL)      without it, the server of the home folder:",
  },
  home: {
    type: "string",
    takes: "FOLDER",
    help: "(ATRIUM_HOME, or home in atrium.config.json, or ~/.atrium)",
  },
  token: {
    type: "string",
    takes: "TEXT",
    help: "(ATRIUM_TOKEN, or token in atrium.config.json, or the home's)",
  },
  config: {
    type: "string",
    takes: "FILE",
    help: "(ATRIUM_CONFIG, or ./atrium.config.json, or the home's)",
  },
} as const satisfies Options;

interface ArgsConfig<Known extends Options> {
  args: string[];
  options: Known;
  allowPositionals: true;
  strict: true;
}

export type ParsedOptions<Known extends Options> = ReturnType<typeof parseArgs<ArgsConfig<Known>>>;

/** `command` is what it is called as, for the advice. */
export function readArgs<const Known extends Options>(
  command: string,
  args: readonly string[],
  options: Known,
): ParsedOptions<Known> {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { rawName, name, value, inlineValue } = token;
    const option = own(options, name);
    if (option === undefined) throw usageError(command, `Unknown option: ${rawName}`);
    const wantsValue = option.type === "string";
    if (!wantsValue && value !== undefined) throw usageError(command, `${rawName} takes no value.`);
    const isMissing = value === undefined || value === "";
    if (wantsValue && (isMissing || (value.startsWith("-") && !inlineValue))) {
      throw usageError(command, `${rawName} needs a value: ${rawName} ${option.takes ?? "TEXT"}`);
    }
  }
  return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
}

export function usageError(command: string, message: string): CliError {
  const advice = `See atrium ${`${command} --help`.trimStart()}`;
  return new CliError(message, { advice, exitCode: EXIT.misused });
}

/** A flag that says how many at most. */
export function readLimit(
  command: string,
  text: string | undefined,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  if (text === undefined) return usual;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= most) return limit;
  const upTo = most === Infinity ? "" : ` to ${most}`;
  throw usageError(command, `--limit takes a number from 1${upTo}.`);
}
