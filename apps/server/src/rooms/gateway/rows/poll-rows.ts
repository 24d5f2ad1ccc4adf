/** The state of a poll. OpenClaw has no shape for it, so this one is Atrium's own. */
import { tallyOf, type PollRow } from "@atrium/core";
import type { PollSnapshot } from "@atrium/wire/gateway";

export function pollSnapshot(row: PollRow): PollSnapshot {
  const { subject, closed } = row;
  const { voters, options } = tallyOf(row);
  return {
    pollId: row.id,
    question: subject.question,
    maxSelections: subject.maxSelections,
    isAnonymous: subject.isAnonymous,
    channel: subject.channel,
    to: subject.to,
    status: closed === null ? "open" : "closed",
    openedAtMs: row.openedAt,
    closesAtMs: subject.closesAt,
    ...(closed !== null && { closedAtMs: closed.at }),
    ...(closed?.by && { closedBy: closed.by.name }),
    voters,
    options: options.map(({ label, votes, names }) => ({ label, votes, names: [...names] })),
  };
}
