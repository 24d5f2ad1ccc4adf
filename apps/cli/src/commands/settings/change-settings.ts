/** Changes settings of the server, and says what became of it. */
import type { CallParams, CallResult, GatewayClient } from "@atrium/client";
import { EXIT } from "../../command-line/cli-error.ts";
import type { Environment } from "../../command-line/environment.ts";
import { isRecord } from "../../server/settings.ts";
import { plainLine } from "../../terminal/plain-text.ts";

export interface CrewEntry {
  readonly id: string;
  readonly name: string;
}

const MAX_PATHS = 400;

export async function changeSettings(
  client: GatewayClient,
  change: CallParams<"settings.patch">,
  { terminal }: Environment,
  isJson: boolean | undefined,
): Promise<number> {
  const done = await client.call("settings.patch", change);
  terminal.out(isJson === true ? `${JSON.stringify(done)}\n` : describe(done));
  return EXIT.ok;
}

function describe({ changed, settings }: CallResult<"settings.patch">): string {
  if (changed.length === 0) return "Nothing to change: it is so already.\n";
  const paths = plainLine(changed.join(", "), MAX_PATHS);
  return `Changed: ${paths}. In effect now, and in ${plainLine(settings.path, MAX_PATHS)}.\n`;
}

export function crewIn(values: Readonly<Record<string, unknown>>): readonly CrewEntry[] {
  const { crew } = values;
  if (!Array.isArray(crew)) return [];
  return crew.flatMap((each: unknown) =>
    isRecord(each) && typeof each["id"] === "string" && typeof each["name"] === "string"
      ? [{ id: each["id"], name: each["name"] }]
      : [],
  );
}
