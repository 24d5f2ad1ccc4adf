/** Where a message is that the watch did not bring, or brought damaged. */
import { LogFault } from "../log.ts";
import type { Chain } from "./chain.ts";
import type { ChainState } from "./state/chain-state.ts";
import { hashIn } from "./state/frame.ts";
import { decodeMessage, type DecodedMessage } from "./state/message.ts";

export interface LinkSearchDeps {
  readonly chain: Chain;
  readonly state: ChainState;
  /** The copies of other nodes. */
  readonly askOthers: (n: number) => Promise<Uint8Array | undefined>;
  /** Names this node's copy in a fault. */
  readonly path: string;
}

export type SearchResult =
  | { readonly type: "found"; readonly bytes: Uint8Array; readonly isRepair: boolean }
  /** Nobody has it. */
  | { readonly type: "missing" }
  /** Nobody can tell for the moment, which says nothing about the message. */
  | { readonly type: "silence" }
  /** What stands there can never be applied here. */
  | { readonly type: "fault"; readonly fault: LogFault };

/** The message that comes after what the state has applied. */
export async function searchLink(deps: LinkSearchDeps, n: number): Promise<SearchResult> {
  const { chain, state, askOthers } = deps;
  let bytes: Uint8Array | undefined;
  try {
    bytes = await chain.read(n);
  } catch {
    return { type: "silence" };
  }
  if (state.applied >= n) return { type: "silence" };
  const fault = bytes === undefined ? undefined : faultIn(deps, n, bytes);
  if (fault !== undefined) return { type: "fault", fault };
  if (bytes !== undefined && checkLink(state, bytes) !== undefined) {
    return { type: "found", bytes, isRepair: false };
  }
  const kept = await askOthers(n);
  if (kept === undefined || checkLink(state, kept) === undefined) return { type: "missing" };
  if (!(await isFollowed(chain, n, kept))) return { type: "missing" };
  return { type: "found", bytes: kept, isRepair: true };
}

/** What the bytes say, when they are whole and follow on what is applied. */
export function checkLink(state: ChainState, bytes: Uint8Array): DecodedMessage | undefined {
  try {
    const decoded = decodeMessage(bytes);
    return state.follows(decoded.message) ? decoded : undefined;
  } catch {
    return undefined;
  }
}

export function astray(n: number, path: string): LogFault {
  return new LogFault(
    "corrupt",
    `message ${n} of the log's servers does not follow on this node's copy ${path}: ` +
      "one of them has another history; compare them with atrium log verify",
  );
}

/** A whole message that follows on something else, or that this program cannot read. */
function faultIn(
  { state, path }: LinkSearchDeps,
  n: number,
  bytes: Uint8Array,
): LogFault | undefined {
  try {
    return state.follows(decodeMessage(bytes).message) ? undefined : astray(n, path);
  } catch (error) {
    return error instanceof LogFault && error.code === "foreign" ? error : undefined;
  }
}

/** Whether the chain goes on behind these bytes, as far as that can be seen. */
async function isFollowed(chain: Chain, n: number, bytes: Uint8Array): Promise<boolean> {
  const next = await chain.read(n + 1).catch(() => undefined);
  try {
    return next === undefined || decodeMessage(next).message.previous === hashIn(bytes);
  } catch {
    return true;
  }
}
