/** What happens to the disks and files of servers. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messagesFolder, type ServerFiles } from "../../kit/nats/mend-server.ts";
import type { NatsServers } from "../../kit/nats/nats-servers.ts";

/** Files of a server that was cleanly stopped are damaged, so that it starts without noticing. */
export const DAMAGES: readonly {
  readonly name: string;
  readonly damage: (file: string) => void;
}[] = [
  { name: "one flipped bit", damage: flipBit },
  {
    name: "one block that ends halfway",
    damage: (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  },
];

/** Damages the first block of a server's copy, with that server down meanwhile. */
export async function damageServer(
  { nats, stream, server }: ServerFiles,
  damage: (file: string) => void,
): Promise<void> {
  await nats.end(server);
  const folder = messagesFolder({ nats, stream, server });
  // A server that fetched everything again may number its blocks anew.
  const blocks = readdirSync(folder).filter((name) => name.endsWith(".blk"));
  const [first = ""] = blocks.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  damage(join(folder, first));
  nats.start(server);
}

/**
 * Damages the entry with that text in the files of all servers, which are down meanwhile: nobody can give its message
 * any more, and everyone counts it.
 */
export async function damageEntry(nats: NatsServers, stream: string, text: string): Promise<void> {
  const servers = [...nats.urls.keys()];
  await Promise.all(servers.map((server) => nats.end(server)));
  for (const server of servers) {
    const folder = messagesFolder({ nats, stream, server });
    const blocks = readdirSync(folder).filter((name) => name.endsWith(".blk"));
    const isThere = blocks.some((name) => flipBitAt(join(folder, name), text));
    assert.ok(isThere, `server ${server + 1} has no ${text}`);
    nats.start(server);
  }
}

/** Until nothing more goes in. */
export function fillDisk(file: string): void {
  for (let bytes = 1_048_576; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    for (;;) {
      try {
        writeFileSync(file, Buffer.alloc(bytes), { flag: "a" });
      } catch {
        break;
      }
    }
  }
}

/** In what an entry says: a server that finds its own records broken fetches them again by itself. */
function flipBit(file: string): void {
  const hasFlipped = flipBitAt(file, '":"', statSync(file).size / 2);
  assert.ok(hasFlipped, `${file} has no entry in its second half`);
}

/** In the second byte of the first such text from there on; false where there is none. */
function flipBitAt(file: string, text: string, from = 0): boolean {
  const bytes = readFileSync(file);
  const place = bytes.indexOf(text, from);
  if (place < 0) return false;
  bytes[place + 1] = (bytes[place + 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  return true;
}
