/** What people are asked and told, put together. Part of compose.ts. */
import { randomInt } from "node:crypto";
import { Fault, type Approvals } from "@atrium/core";
import { createChannels } from "../channels/channel.ts";
import { createOffice } from "../channels/office.ts";
import { createPolling } from "../channels/poll-commands.ts";
import { createWebchat } from "../channels/webchat.ts";
import { createHumanInput } from "../human-input/human-input.ts";
import { clock, ids } from "../platform/system-clock.ts";
import { systemTimers } from "../platform/timers.ts";
import { projectOfAsked } from "../projects/rules/as-decision.ts";
import { createDeadlines } from "../reactions/deadlines.ts";
import type { Part, ServerOptions } from "./part.ts";
import type { State } from "./state.ts";

/** What is asked of people and told to them. */
export type People = ReturnType<typeof composeHumanInput>;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- what it makes is its type
export function composeHumanInput({ config, report, note }: ServerOptions, state: State) {
  const { dispatch, approvals, questions, polls, projects } = state;
  const asked = { dispatch, approvals, questions, polls };
  const timers = systemTimers;
  const deadlines = createDeadlines({
    clock,
    timers,
    report: (name, cause) => report(new Fault("a deadline could not be kept", { name }, cause)),
  });
  const asking = createHumanInput({
    ...asked,
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
  const polling = createPolling({ ...asked, channels, clock, deadlines });
  const parts: Readonly<Record<string, Part>> = {
    // No run outlives the process, so nobody waits any more for what agents asked before.
    asking: {
      onBatch: asking.onBatch,
      recover: async () => {
        noteVoidRules(approvals, note);
        await asking.recover(() => false);
      },
    },
    polling: { onBatch: polling.onBatch, recover: () => polling.recover() },
  };
  return { ...asked, timers, deadlines, asking, channels, polling, parts };
}

/** Once a start, until someone has put them away. */
function noteVoidRules(approvals: Pick<Approvals, "rules">, note: ServerOptions["note"]): void {
  const rules = approvals.rules().filter(({ scope }) => scope === null);
  if (rules.length === 0) return;
  const what =
    "standing permissions of an earlier version covered more than was read; they are void";
  note(what, { count: rules.length, see: "atrium approvals" });
}
