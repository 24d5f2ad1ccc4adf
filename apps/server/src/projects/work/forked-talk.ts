/**
 * What was said in a task until a moment of it, for whoever tries another way from there or takes it over. A
 * turn that was under way then had said nothing yet, so that what it had done is told in its place.
 */
import {
  conversation,
  createHistory,
  streamOf,
  type CrewMember,
  type ForkOrigin,
  type PastMessage,
} from "@atrium/core";
import type { Entry, Log } from "@atrium/log";
import type { WorkKeys } from "./work-keys.ts";

interface TalkMoment extends Pick<ForkOrigin, "workspaceId" | "seq"> {
  /** Whose own conversation it is to be read in: they know what was said there. */
  readonly reader?: string;
}

export type ReadForkedTalk = (from: TalkMoment) => Promise<readonly PastMessage[]>;

interface ForkedTalkDeps {
  readonly log: Pick<Log, "read">;
  readonly keys: Pick<WorkKeys, "task">;
  readonly crew: readonly Pick<CrewMember, "id">[];
}

const MAX_CHARS = 60_000;
const MAX_STEPS = 200;
const MAX_INPUT_CHARS = 300;

export function createForkedTalk({ log, keys, crew }: ForkedTalkDeps): ReadForkedTalk {
  const history = createHistory(log);

  /** Whoever had the task then: their conversation is the one that something was last said in. */
  async function findTalk({ workspaceId, seq }: TalkMoment): Promise<string | undefined> {
    let newest: { readonly key: string; readonly seq: number } | undefined;
    for (const { id } of crew) {
      const key = keys.task(workspaceId, id).text;
      const range = { stream: streamOf(conversation, key), before: seq + 1 };
      for await (const entry of log.read({ ...range, backwards: true, limit: 1 })) {
        if (entry.seq > (newest?.seq ?? 0)) newest = { key, seq: entry.seq };
      }
    }
    return newest?.key;
  }

  return async (from) => {
    const key = await findTalk(from);
    if (key === undefined || key === from.reader) return [];
    const before = from.seq + 1;
    const past = await history(key, before, MAX_CHARS);
    const steps = await readSteps(
      log.read({ stream: streamOf(conversation, key), before, backwards: true }),
    );
    if (steps.length === 0) return past;
    return [
      ...past,
      { role: "assistant", text: `What I had done until here:\n${steps.join("\n")}` },
    ];
  };
}

/** Of the turn that was under way, newest first in, oldest first out; none where none was. */
async function readSteps(newestFirst: AsyncIterable<Entry>): Promise<readonly string[]> {
  const steps: string[] = [];
  for await (const entry of newestFirst) {
    const event = conversation.read(entry);
    if (event.type === "run.tool.called" && steps.length < MAX_STEPS) {
      const input = JSON.stringify(event.input) ?? "";
      const cut = input.length > MAX_INPUT_CHARS ? `${input.slice(0, MAX_INPUT_CHARS)}…` : input;
      steps.push(`- ${event.name} ${cut}`);
    }
    if (event.type === "run.started") return steps.toReversed();
    if (event.type === "run.completed" || event.type === "run.failed") return [];
    if (event.type === "run.aborted" || event.type === "conversation.opened") return [];
  }
  return [];
}
