/**
 * What came with a message, as a program on the bridge is told of it: what it is, and where it lies. The files are in a
 * folder of the server's user alone, which goes when the program does.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnInbound } from "../../turn/agent-runtime.ts";

export interface InboundFile {
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
  readonly path: string;
}

export interface InboundFiles {
  keep(message: TurnInbound): Promise<readonly InboundFile[]>;
  remove(): Promise<void>;
}

export function createInboundFiles(): InboundFiles {
  let folder: Promise<string> | undefined;
  let kept = 0;
  return {
    async keep({ attachments }) {
      const files: InboundFile[] = [];
      for (const { name, mediaType, data } of attachments) {
        folder ??= mkdtemp(join(tmpdir(), "atrium-inbound-"));
        // The name is the sender's: it is told, and not used.
        const path = join(await folder, `file_${++kept}`);
        const content = Buffer.from(data, "base64");
        await writeFile(path, content, { mode: 0o600 });
        files.push({ name, media_type: mediaType, bytes: content.length, path });
      }
      return files;
    },
    async remove() {
      const opened = folder;
      folder = undefined;
      if (opened !== undefined) await rm(await opened, { recursive: true, force: true });
    },
  };
}
