/** What checks have printed, over plain HTTP: the end of it while they run, all of it afterwards. */
import { CliError, EXIT } from "../../command-line/cli-error.ts";
import type { ServerPlace } from "../../server/find-server.ts";
import { plainLine, plainText } from "../../terminal/plain-text.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { readFile } from "./read-files.ts";

export interface NamedCheck {
  readonly check_id: string;
  readonly name: string;
}

const MAX_NAME = 80;

export function readCheckOutput(place: ServerPlace, checkId: string): Promise<Buffer> {
  return readFile(place, `/api/checks/${encodeURIComponent(checkId)}/output`);
}

/** Of the one that is called so, by its name or id. */
export async function printCheckOutput(
  place: ServerPlace,
  checks: readonly NamedCheck[],
  name: string,
  terminal: Terminal,
): Promise<number> {
  const check = checks.find((each) => each.name === name || each.check_id === name);
  if (check === undefined) {
    const names = checks.map((each) => plainLine(each.name, MAX_NAME)).join(", ");
    throw new CliError(`No check is called ${plainLine(name, MAX_NAME)}.`, {
      advice: names === "" ? "Nothing was checked." : `Checks: ${names}`,
    });
  }
  const content = await readCheckOutput(place, check.check_id);
  if (terminal.stdout.isTTY) terminal.out(plainText(content.toString("utf8")));
  else terminal.stdout.write(content);
  return EXIT.ok;
}
