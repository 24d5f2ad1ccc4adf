/** What an agent has delivered in a run: the documents that become files of its change. */
import { conversation, streamOf } from "@atrium/core";
import type { Log } from "@atrium/log";
import type { Blobs } from "../../platform/blobs.ts";
import type { SealedFile } from "../../workspaces/port/landing.ts";

export type ReadDelivered = (key: string, runId: string) => Promise<readonly SealedFile[]>;

/** The newest of each name. */
export function createReadDelivered(
  log: Pick<Log, "read">,
  blobs: Pick<Blobs, "get">,
): ReadDelivered {
  return async (key, runId) => {
    const digests = new Map<string, string>();
    for await (const entry of log.read({ stream: streamOf(conversation, key), backwards: true })) {
      const event = conversation.read(entry);
      if (!("runId" in event) || event.runId !== runId) continue;
      if (event.type === "run.started") break;
      if (event.type !== "run.delivered" || digests.has(event.name)) continue;
      digests.set(event.name, event.digest);
    }
    return Promise.all(
      [...digests].map(async ([path, digest]) => ({ path, content: await blobs.get(digest) })),
    );
  };
}
