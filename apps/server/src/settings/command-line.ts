/** The server's command line: its flags and its help, from the settings table. */
import { parseArgs } from "node:util";
import { ArgsError } from "../platform/config-error.ts";
import type { Flag } from "./setting.ts";
import { SETTINGS } from "./table.ts";

export interface ParsedArgs {
  readonly action: "help" | "version" | "serve";
  /** By the name of the flag. */
  readonly values: Readonly<Record<string, unknown>>;
}

const FLAG_COLUMNS = 24;
const TEXT_COLUMNS = 58;

const rows: readonly Flag[] = Object.values(SETTINGS);

export const USAGE = `atrium: the front hall of an agent team

${rows.map(describeFlag).join("")}  --help, --version
`;

const isSwitch = { type: "boolean" } as const;
const takesText = { type: "string" } as const;
const OPTIONS = Object.fromEntries(
  rows.flatMap(({ flag }) =>
    flag === undefined ? [] : [[nameOf(flag), flag.includes(" ") ? takesText : isSwitch]],
  ),
);

export function readArgs(args: readonly string[]): ParsedArgs {
  try {
    const options = { ...OPTIONS, help: isSwitch, version: isSwitch };
    const { values } = parseArgs({ args: [...args], strict: true, options });
    const { help, version } = values;
    return { action: help === true ? "help" : version === true ? "version" : "serve", values };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    // Without the parser's advice, which is about positional arguments; there are none here.
    const [problem = ""] = message.split(/\.? (?:To specify|Did you|This command)/);
    throw new ArgsError(`${problem}\n\n${USAGE}`, { cause });
  }
}

/** `port` of `--port NUMBER`. */
export function nameOf(flag: string): string {
  return flag.replace(/^--| .*$/g, "");
}

/** The default as people read it; undefined where there is none. */
function describeDefault({ default: value, defaultText }: Flag): string | undefined {
  if (defaultText !== undefined || value === undefined) return defaultText;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function describeFlag(row: Flag): string {
  const { flag, env, help = "" } = row;
  if (flag === undefined) return "";
  const text = `  ${flag.padEnd(FLAG_COLUMNS)}${help}`;
  if (env === undefined) return `${text}\n`;
  return `${text.padEnd(TEXT_COLUMNS)}(${env}, ${describeDefault(row) ?? ""})\n`;
}
