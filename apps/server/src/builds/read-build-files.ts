/** What was delivered in the course of a build, read from the conversation its turns are in. */
import { conversation, streamOf, type BuildRow } from "@atrium/core";
import type { Log } from "@atrium/log";

export interface StoredBuildFile {
  readonly fileId: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly digest: string;
  readonly at: number;
}

export type ReadBuildFiles = (row: BuildRow) => Promise<readonly StoredBuildFile[]>;

/** Oldest first. What is delivered again under its name takes the place of what was there. */
export function createReadBuildFiles(log: Pick<Log, "read">): ReadBuildFiles {
  return async ({ build: { conversationKey } }) => {
    const files = new Map<string, StoredBuildFile>();
    for await (const entry of log.read({ stream: streamOf(conversation, conversationKey) })) {
      const event = conversation.read(entry);
      if (event.type !== "run.delivered") continue;
      const { artifactId: fileId, name, mediaType, bytes, digest } = event;
      files.delete(name);
      files.set(name, { fileId, name, mediaType, bytes, digest, at: entry.at });
    }
    return [...files.values()];
  };
}
