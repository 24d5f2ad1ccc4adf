/**
 * Gives a chain back what its servers have lost at its end, from the longest copy that agrees with what they still
 * have: the same bytes, each on the same condition as the first time. What is missing in the middle cannot be put
 * there again, because a place never takes a second message; for that there is only advice.
 */
import type { Chain } from "../chain/chain.ts";
import { decodeMessage } from "../chain/state/message.ts";
import { LogFault } from "../log.ts";
import type { CopyFile } from "./copy-file.ts";

const MAX_TRIES = 30;

export interface RepairPlan {
  /** The last message that the servers have. */
  readonly last: number;
  /** What to publish again; undefined when nothing is missing at the end. */
  readonly tail: { readonly copy: CopyFile; readonly to: number } | undefined;
  /** Copies with another history than the servers: they are not used. */
  readonly strangers: readonly string[];
}

export async function planRepair(
  chain: Pick<Chain, "read" | "last">,
  copies: readonly CopyFile[],
): Promise<RepairPlan> {
  const last = await chain.last();
  const agreeing: CopyFile[] = [];
  const strangers: string[] = [];
  for (const copy of copies) {
    if (await agrees(chain, last, copy)) agreeing.push(copy);
    else strangers.push(copy.path);
  }
  const [longest] = agreeing.toSorted((a, b) => b.applied - a.applied);
  if (last === 0) checkOneHistory(agreeing);
  const tail =
    longest === undefined || longest.applied <= last
      ? undefined
      : { copy: longest, to: longest.applied };
  if (tail !== undefined) checkWhole(tail.copy, last, tail.to);
  return { last, tail, strangers };
}

/** Says after each message how far it got. */
export async function repairChain(
  chain: Chain,
  { last, tail }: RepairPlan,
  note: (message: number, of: number) => void,
): Promise<number> {
  if (tail === undefined) return 0;
  const { copy, to } = tail;
  for (let n = last + 1; n <= to; n++) {
    await putBack(chain, n, copy);
    note(n, to);
  }
  return to - last;
}

async function putBack(chain: Chain, n: number, copy: CopyFile): Promise<void> {
  const bytes = copy.bytesAt(n);
  if (bytes === undefined) throw erased(n, copy);
  for (let tries = 1; ; tries++) {
    if ((await chain.publish(n - 1, bytes)) === "written") return;
    const standing = await chain.read(n);
    if (standing === undefined && tries < MAX_TRIES) continue;
    if (standing === undefined) {
      const why = chain.trouble ?? "they do not acknowledge what is sent";
      throw new LogFault("unreadable", `The log's servers take nothing: ${why}. Try again later.`);
    }
    if (Buffer.from(standing).equals(bytes)) return;
    throw new LogFault(
      "locked",
      `someone wrote message ${n} meanwhile: stop every node, then run atrium log verify`,
    );
  }
}

/** Where both have a message, the newest of these is the same, and its hash covers all before it. */
export async function agrees(
  chain: Pick<Chain, "read">,
  last: number,
  copy: CopyFile,
): Promise<boolean> {
  const n = Math.min(last, copy.applied);
  if (n === 0) return true;
  const bytes = await chain.read(n);
  if (bytes === undefined) return false;
  try {
    return decodeMessage(bytes).hash === copy.hashAt(n);
  } catch {
    return false;
  }
}

/** When the servers have nothing, only the copies can say which log it was. */
function checkOneHistory(copies: readonly CopyFile[]): void {
  const shortest = Math.min(...copies.map(({ applied }) => applied));
  const hashes = new Set(copies.map((copy) => copy.hashAt(shortest)));
  if (hashes.size <= 1) return;
  const paths = copies.map(({ path }) => path).join(", ");
  throw new LogFault(
    "foreign",
    `the servers have nothing, and the copies do not agree: give only those of one log (${paths})`,
  );
}

/** Looked at before anything is done: half a repair would be a new loss. */
function checkWhole(copy: CopyFile, last: number, to: number): void {
  for (let n = last + 1; n <= to; n++) {
    const bytes = copy.bytesAt(n);
    if (bytes === undefined) throw erased(n, copy);
    const { hash, message } = decodeMessage(bytes);
    if (hash !== copy.hashAt(n) || (n > 1 && message.previous !== copy.hashAt(n - 1))) {
      throw new LogFault(
        "corrupt",
        `message ${n} in ${copy.path} is damaged: use another node's copy`,
      );
    }
  }
}

function erased(n: number, { path }: CopyFile): LogFault {
  return new LogFault(
    "unreadable",
    `message ${n} in ${path} was erased since it was written, so it cannot be put back as it was: copy ${path} to a new stream instead (atrium log copy)`,
  );
}
