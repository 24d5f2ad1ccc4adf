/**
 * The settings of a server that opens again in its process. Its home, its journal and its process stay, so only what may
 * change while it runs follows the file; and whatever the file says by now, it opens with what it had rather than not.
 */
import { Fault } from "@atrium/core";
import { ConfigError } from "../../platform/config-error.ts";
import { readConfig, type Config, type ProcessInputs } from "../read-config.ts";
import { withLiveParts } from "./live-config.ts";

export interface NextLifeDeps<Opened> {
  readonly inputs: ProcessInputs;
  /** Those that the process began with. */
  readonly first: Config;
  /** Those of the last life, as they were at its end. */
  readonly last: Config;
  readonly open: (config: Config, isFileUsed: boolean) => Promise<Opened>;
  readonly report: (fault: Fault) => void;
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
}

export async function openNextLife<Opened>(deps: NextLifeDeps<Opened>): Promise<Opened> {
  const { inputs, first, last, open, report, note } = deps;
  try {
    const read = readConfig(inputs);
    const next = withLiveParts(first, read);
    const settings = differing(next, read);
    if (settings.length > 0) note(LEFT, { settings });
    return await open(next, true);
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    report(new Fault(KEPT, { why: cause.message }, cause));
    return open(withLiveParts(first, last), false);
  }
}

const LEFT = "settings in the file that differ need a restart of the process; it goes on without";
const KEPT = "the settings cannot be used as they are now; the node opens with those that it had";

/** By the names that they have in the file. */
function differing(one: Config, other: Config): readonly string[] {
  const there = new Map(
    Object.entries(other).map(([name, value]) => [name, JSON.stringify(value)]),
  );
  return Object.entries(one).flatMap(([name, value]) =>
    there.get(name) === JSON.stringify(value) ? [] : [name],
  );
}
