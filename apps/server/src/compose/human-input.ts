/** What people are asked and told, put together. Part of compose.ts. */
import { randomInt } from "node:crypto";
import { Fault, type Approvals, type Dispatch } from "@atrium/core";
import { createChannels, type Channels } from "../channels/channel.ts";
import { createOffice } from "../channels/office.ts";
import { createPollCommands, type PollCommands } from "../channels/poll-commands.ts";
import { createWebchat } from "../channels/webchat.ts";
import { createHumanInput, type HumanInput } from "../human-input/human-input.ts";
import { clock, ids } from "../platform/system-clock.ts";
import { systemTimers, type Timers } from "../platform/timers.ts";
import { projectOfAsked } from "../projects/rules/as-decision.ts";
import { createDeadlines, type Deadlines } from "../reactions/deadlines.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { State } from "./state.ts";

/** What is asked of people and told to them. */
export interface People {
  readonly timers: Timers;
  readonly deadlines: Deadlines;
  readonly humanInput: HumanInput;
  readonly channels: Channels;
  readonly pollCommands: PollCommands;
  /** For agents, and for those who direct them. */
  readonly ownHumanInput: HumanInput;
  readonly parts: { readonly humanInput: Part; readonly pollCommands: Part };
}

/** Deadlines are kept by the node that directs, whoever has asked. */
const NO_DEADLINES: Deadlines = {
  set: () => undefined,
  clear: () => undefined,
  close: () => undefined,
};

export function composeHumanInput(options: ServerOptions, state: State): People {
  const { report, note } = options;
  const { dispatch, direct, approvals } = state;
  const timers = systemTimers;
  const deadlines = createDeadlines({
    clock,
    timers,
    report: (name, cause) => report(new Fault("a deadline could not be kept", { name }, cause)),
  });
  const served = composeDesk(options, state, { dispatch, deadlines: NO_DEADLINES });
  const own = composeDesk(options, state, { dispatch: direct, deadlines });
  const parts = {
    humanInput: {
      onBatch: served.humanInput.onBatch,
      recover: async () => noteVoidRules(approvals, note),
      directs: {
        onBatch: own.humanInput.onBatch,
        // No run outlives its director, so nobody waits any more for what agents asked before.
        recover: () => own.humanInput.recover(() => false),
      },
    },
    pollCommands: {
      directs: { onBatch: own.pollCommands.onBatch, recover: () => own.pollCommands.recover() },
    },
  };
  return { timers, deadlines, ...served, ownHumanInput: own.humanInput, parts };
}

type Desk = Pick<People, "humanInput" | "channels" | "pollCommands">;

/** One for what peers ask, and one for what is done under the lease. */
function composeDesk(
  { config }: Pick<ServerOptions, "config">,
  { approvals, questions, polls, projects }: State,
  { dispatch, deadlines }: { readonly dispatch: Dispatch; readonly deadlines: Deadlines },
): Desk {
  const humanInput = createHumanInput({
    dispatch,
    approvals,
    questions,
    clock,
    ids,
    random: randomInt,
    deadlines,
    projectOf: ({ runId, conversationKey }) =>
      projectOfAsked(projects, runId, conversationKey)?.project.projectId ?? null,
  });
  const channels = createChannels(() => clock.now());
  channels.register(createWebchat({ dispatch, ids, crew: config.crew }));
  channels.register(createOffice({ dispatch, ids }));
  const pollCommands = createPollCommands({ dispatch, polls, channels, clock, deadlines });
  return { humanInput, channels, pollCommands };
}

/** Once a start, until someone has put them away. */
function noteVoidRules(approvals: Pick<Approvals, "rules">, note: ServerOptions["note"]): void {
  const rules = approvals.rules().filter(({ scope }) => scope === null);
  if (rules.length === 0) return;
  const what =
    "standing permissions of an earlier version covered more than was read; they are void";
  note(what, { count: rules.length, see: "atrium approvals" });
}
