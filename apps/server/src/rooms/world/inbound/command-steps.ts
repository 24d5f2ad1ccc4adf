/**
 * What comes before a command's method on one connection: it is subscribed, the command is not one
 * that was sent before, and there are not too many.
 */
import { accept, BoundedMap, type Outcome, type TokenBucket } from "@atrium/core";
import type { CallMethod, FrameOrigin } from "../../../pipeline/method-router.ts";
import type { WorldCaller } from "../commands/command-context.ts";
import type { CommandProblem } from "../messages/message.ts";
import { ProblemReply } from "../messages/problem.ts";
import { isMessage, problemIn } from "./protocol.ts";

export interface CommandStepsDeps {
  readonly call: CallMethod<WorldCaller>;
  readonly isSubscribed: () => boolean;
  readonly commands: Pick<TokenBucket, "take">;
  readonly playerPositions: Pick<TokenBucket, "take">;
}

interface RememberedCommand {
  readonly digest: string;
  readonly answered: Promise<Outcome<unknown>>;
}

/** How many of a connection's commands are remembered, to tell the same one from another under its id. */
const MAX_REMEMBERED = 512;

export function createCommandSteps(deps: CommandStepsDeps): CallMethod<WorldCaller> {
  const { call, isSubscribed, commands, playerPositions } = deps;
  const recent = new BoundedMap<string, RememberedCommand>(MAX_REMEMBERED);

  /** A refusal that passes is not kept: trying again later must be possible. */
  async function remember(id: string, remembered: RememberedCommand): Promise<void> {
    recent.set(id, remembered);
    const problem = problemIn(await remembered.answered);
    if (problem?.code === "RATE_LIMITED" || problem?.code === "INTERNAL") recent.delete(id);
  }

  async function command(
    name: string,
    data: unknown,
    caller: WorldCaller,
    frame: FrameOrigin,
  ): Promise<Outcome<unknown>> {
    if (!isSubscribed()) return deny("NOT_ALLOWED", "Subscribe to a scene first.");
    const { id = "", key } = frame;
    const run = (): Promise<Outcome<unknown>> | Outcome<unknown> => call(name, data, caller, frame);
    if (name === "player_pos") return tooMuch(playerPositions.take()) ?? run();
    if (key === undefined) return run();
    const before = recent.get(id);
    if (before?.digest === key.digest) return before.answered;
    if (before !== undefined) {
      return deny("CONFLICT", `Another command was sent as ${JSON.stringify(id)} before.`);
    }
    const answered = Promise.resolve(tooMuch(commands.take()) ?? run());
    void remember(id, { digest: key.digest, answered });
    return answered;
  }

  return (name, params, caller, frame = { id: undefined }) =>
    isMessage(name) ? call(name, params, caller, frame) : command(name, params, caller, frame);
}

export function deny(code: CommandProblem["code"], message: string): Outcome<ProblemReply> {
  return accept(new ProblemReply({ code, message }));
}

export function tooMuch(waitMs: number): Outcome<ProblemReply> | undefined {
  if (waitMs === 0) return undefined;
  return deny("RATE_LIMITED", `Too much at once; try again in ${waitMs} ms.`);
}
