/** The first message of a chain: which log it is. Of several nodes that begin one at once, one wins. */
import { randomUUID } from "node:crypto";
import { LogFault } from "../log.ts";
import type { Chain } from "./chain.ts";
import type { NodeIdentity } from "./cluster-log.ts";
import type { Copy } from "./copy/copy.ts";
import type { Genesis } from "./state/chain-state.ts";
import { decodeMessage, encodeMessage, NO_HASH } from "./state/message.ts";
import { pause, type ChainClock } from "./waiting/clock.ts";
import { insist } from "./waiting/insist.ts";

const RETRY_MS = 250;

export interface GenesisDeps {
  readonly chain: Chain;
  readonly copy: Copy;
  readonly node: NodeIdentity;
  readonly clock: ChainClock;
  readonly keyRetentionMs: number;
}

export async function openGenesis(deps: GenesisDeps): Promise<Genesis> {
  const { copy } = deps;
  const standing = await findGenesis(deps);
  const own = copy.start.genesis;
  if (own !== undefined && own.hash !== standing.hash) {
    throw new LogFault(
      "foreign",
      `${copy.path} is the copy of another log: give this node a folder of its own, or remove that file`,
    );
  }
  return standing;
}

async function findGenesis(deps: GenesisDeps): Promise<Genesis> {
  const { chain, copy, clock } = deps;
  const bytes = encodeGenesis(deps);
  for (;;) {
    const standing = await insist(clock, () => chain.read(1));
    if (standing !== undefined) return readGenesis(standing);
    if (copy.start.applied > 0) throw gone(copy);
    if ((await chain.publish(0, bytes)) !== "written") await pause(clock, RETRY_MS);
  }
}

function encodeGenesis({ node, keyRetentionMs }: GenesisDeps): Uint8Array {
  return encodeMessage({
    author: { node: node.id, life: node.life },
    previous: NO_HASH,
    first: 1,
    body: { kind: "genesis", epoch: randomUUID(), keyRetentionMs },
  });
}

function readGenesis(bytes: Uint8Array): Genesis {
  const { message, hash } = decodeMessage(bytes);
  if (message.body.kind === "genesis") return { ...message.body, hash };
  throw new LogFault("foreign", "the log's servers hold something else where this log would begin");
}

function gone({ path, start }: Copy): LogFault {
  return new LogFault(
    "corrupt",
    `the log's servers are empty, and ${path} has ${start.applied} messages: ` +
      "they lost acknowledged entries; run atrium log repair",
  );
}
