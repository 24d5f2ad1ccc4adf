/** Where a message stands in its conversation as it is now: how many newer ones there are. */
import type { Log } from "@atrium/log";
import { streamOf } from "../engine/dispatch.ts";
import { conversation } from "./conversation.ts";
import { isBeginning, messageOf } from "./transcript.ts";

/** Undefined: no message of the conversation has that id, or it was said before the last reset. */
export type FindMessage = (key: string, messageId: string) => Promise<number | undefined>;

export function createFindMessage(log: Pick<Log, "read">): FindMessage {
  return async (key, messageId) => {
    let newer = 0;
    for await (const entry of log.read({ stream: streamOf(conversation, key), backwards: true })) {
      const event = conversation.read(entry);
      if (isBeginning(event)) return undefined;
      const message = messageOf(event, entry.at);
      if (message?.id === messageId) return newer;
      if (message !== undefined) newer += 1;
    }
    return undefined;
  };
}
