/** `atrium signals`: send what other programs tell, and watch what happens. */
import { EXIT } from "../complaint.ts";
import { misused, readArgs, SERVER_OPTIONS } from "../read-args.ts";
import type { Surroundings } from "../surroundings.ts";
import { USAGE } from "../usage.ts";
import { hook } from "./signals/hook.ts";
import { pipe } from "./signals/pipe.ts";
import { tail } from "./signals/tail.ts";

export async function signals(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const [name, ...rest] = args;
  // Whatever is wrong, a hook must not stand in Claude's way: it sees to its own complaints.
  if (name === "hook") return hook(rest, surroundings);
  const { values, positionals } = readArgs(args, {
    ...SERVER_OPTIONS,
    from: { type: "string" },
    agent: { type: "string", multiple: true },
    source: { type: "string", multiple: true },
    type: { type: "string", multiple: true },
    correlation: { type: "string", multiple: true },
    after: { type: "string" },
    limit: { type: "string" },
    json: { type: "boolean" },
  });
  if (values.help === true) {
    surroundings.terminal.out(USAGE);
    return EXIT.ok;
  }
  const [deed = "", ...more] = positionals;
  if (more.length > 0) throw misused(`atrium signals ${deed} takes no ${more.join(" ")}.`);
  switch (deed) {
    case "pipe":
      return pipe(values, surroundings);
    case "tail":
      return tail(values, surroundings);
    default:
      throw misused(`There is no atrium signals ${deed}; there are hook, pipe and tail.`);
  }
}
