/** Sessions of agents, taken into terminals of this machine: for people who are on it. */
import { accept, refuse } from "@atrium/core";
import { terminalTake } from "@atrium/wire/gateway";
import type { Terminals } from "../../../agents/terminal/terminals.ts";
import { implement, type Caller, type Method } from "../../../pipeline/method-router.ts";
import { cleanText, titleOf } from "../../../platform/clean-text.ts";

const SOMEONE = "someone";

export function takeTerminalMethod<Who extends Caller>({
  take,
}: Pick<Terminals, "take">): Method<Who> {
  return implement<typeof terminalTake, Who>(
    terminalTake,
    async ({ target, pid, owner = "" }, { caller }) => {
      // Processes of another machine cannot be seen from here.
      if (!caller.principal.isLocal) return refuse("terminal.unavailable", ELSEWHERE);
      const by = titleOf(cleanText(owner)) || SOMEONE;
      const taken = await take(target, { by, pid });
      if (!taken.ok) return taken;
      const { runId, cwd, command, env, variables } = taken.value;
      return accept({
        runId,
        cwd,
        command: [...command],
        env: Object.entries(env).map(([name, value]) => ({ name, value })),
        variables: [...variables],
      });
    },
  );
}

const ELSEWHERE = "the terminal must be on the machine where the agent works";
