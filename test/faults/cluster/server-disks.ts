/** What happens to the disks and files of servers. */
import {
  closeSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { STREAM, type LogCluster } from "./log-cluster.ts";

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
  cluster: LogCluster,
  server: number,
  damage: (file: string) => void,
): Promise<void> {
  await cluster.nats.end(server);
  const folder = messagesFolder(cluster, server);
  // A server that fetched everything again may number its blocks anew.
  const blocks = readdirSync(folder).filter((name) => name.endsWith(".blk"));
  const [first = ""] = blocks.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  damage(join(folder, first));
  cluster.nats.start(server);
}

/** What docs/cluster.md tells an operator to do: without its messages the server fetches them from the others. */
export async function mendServer(cluster: LogCluster, server: number): Promise<void> {
  await cluster.nats.end(server);
  rmSync(messagesFolder(cluster, server), { recursive: true });
  cluster.nats.start(server);
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

function messagesFolder({ nats }: LogCluster, server: number): string {
  return join(nats.storeFolder(server), "jetstream/LOG/streams", STREAM, "msgs");
}

function flipBit(file: string): void {
  const descriptor = openSync(file, "r+");
  const byte = Buffer.alloc(1);
  const place = Math.floor(statSync(file).size / 2);
  readSync(descriptor, byte, 0, 1, place);
  writeSync(descriptor, Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, place);
  closeSync(descriptor);
}
