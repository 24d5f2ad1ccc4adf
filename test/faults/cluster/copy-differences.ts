/** Whether the nodes' own copies are what the servers have: the chain by its hashes, and the entries that were made of it. */
import { isDeepStrictEqual } from "node:util";
import { decodeMessage } from "@atrium/log/chain";
import { CopyFile } from "@atrium/log/upkeep";
import type { ServerCopy } from "../../kit/nats/server-copies.ts";
import { entriesIn } from "./chain-entries.ts";

export interface NodeCopy {
  readonly name: string;
  /** Its file, which the node may have open. */
  readonly file: string;
}

/** One for each place where a node and a server that both have it do not have the same. */
export function findDifferences(
  nodes: readonly NodeCopy[],
  servers: readonly ServerCopy[],
): readonly string[] {
  return nodes.flatMap(({ name, file }) => {
    using copy = new CopyFile(file);
    return servers.flatMap((server, at) => {
      const where = `node ${name} and server ${at + 1}`;
      return [...compareHashes(copy, server, where), ...compareEntries(copy, server, where)];
    });
  });
}

function compareHashes(copy: CopyFile, server: ServerCopy, where: string): readonly string[] {
  const problems: string[] = [];
  let last = 0;
  for (const n of server.keys()) last = Math.max(last, n);
  for (let n = 1; n <= Math.min(copy.applied, last); n++) {
    const bytes = server.get(n);
    const there = bytes === undefined ? "nothing" : decodeMessage(bytes).hash;
    if (copy.hashAt(n) !== there) problems.push(`${where} differ at message ${n}`);
  }
  return problems;
}

function compareEntries(copy: CopyFile, server: ServerCopy, where: string): readonly string[] {
  const head = Number(copy.db.prepare("select max(seq) as head from entries").get()?.["head"] ?? 0);
  const find = copy.db.prepare("select stream, type, data from entries where seq = ?");
  return entriesIn(server).flatMap(({ seq, stream, type, data }) => {
    // It may come a moment later.
    if (seq > head) return [];
    const row = find.get(seq);
    if (row === undefined) return [`${where} differ at entry ${seq}`];
    const here = { ...row, data: JSON.parse(String(row["data"])) as unknown };
    const isSame = isDeepStrictEqual(here, { stream, type, data });
    return isSame ? [] : [`${where} differ at entry ${seq}`];
  });
}
