/** Arguments by node:util's parser; what it does not know is a complaint, not a stack trace. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { Complaint, EXIT, messageOf } from "./complaint.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** How every command finds its server. */
export const SERVER_OPTIONS = {
  url: { type: "string" },
  token: { type: "string" },
  home: { type: "string" },
  config: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const satisfies Options;

interface Reading<Given extends Options> {
  args: string[];
  options: Given;
  allowPositionals: true;
  strict: true;
}

export function readArgs<const Given extends Options>(
  args: readonly string[],
  options: Given,
): ReturnType<typeof parseArgs<Reading<Given>>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (cause) {
    throw misused(messageOf(cause));
  }
}

export function misused(message: string): Complaint {
  return new Complaint(message, { advice: "See atrium --help", exitCode: EXIT.misused });
}
