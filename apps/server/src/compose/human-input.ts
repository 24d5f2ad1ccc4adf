/** What people are asked and told, put together. Part of compose.ts. */
import { randomInt } from "node:crypto";
import { Fault, type Approvals } from "@atrium/core";
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
  readonly parts: { readonly humanInput: Part; readonly pollCommands: Part };
}

export function composeHumanInput({ config, report, note }: ServerOptions, state: State): People {
  const { dispatch, approvals, questions, polls, projects } = state;
  const timers = systemTimers;
  const deadlines = createDeadlines({
    clock,
    timers,
    report: (name, cause) => report(new Fault("a deadline could not be kept", { name }, cause)),
  });
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
  const parts = {
    // No run outlives the process, so nobody waits any more for what agents asked before.
    humanInput: {
      onBatch: humanInput.onBatch,
      recover: async () => {
        noteVoidRules(approvals, note);
        await humanInput.recover(() => false);
      },
    },
    pollCommands: { onBatch: pollCommands.onBatch, recover: () => pollCommands.recover() },
  };
  return { timers, deadlines, humanInput, channels, pollCommands, parts };
}

/** Once a start, until someone has put them away. */
function noteVoidRules(approvals: Pick<Approvals, "rules">, note: ServerOptions["note"]): void {
  const rules = approvals.rules().filter(({ scope }) => scope === null);
  if (rules.length === 0) return;
  const what =
    "standing permissions of an earlier version covered more than was read; they are void";
  note(what, { count: rules.length, see: "atrium approvals" });
}
