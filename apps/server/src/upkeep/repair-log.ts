/**
 * `atrium log repair`: gives servers back what they lost at the end of the log, from the longest copy that agrees with
 * them, and says what to do about everything else. Without `--yes` it only says what it would do.
 */
import { existsSync } from "node:fs";
import type { Chain } from "@atrium/log/chain";
import { CopyFile, planRepair, repairChain, verifyChain } from "@atrium/log/upkeep";
import { ConfigError } from "../platform/config-error.ts";
import type { NatsSettings } from "../settings/cluster-settings.ts";
import { checkNobodyRuns } from "./live-nodes.ts";
import type { UpkeepProgress, UpkeepReport } from "./upkeep-report.ts";

export interface RepairOptions {
  /** Copies of nodes; those that are not there are an error. */
  readonly copies: readonly string[];
  readonly isSure: boolean;
}

export async function repairServers(
  nats: NatsSettings,
  { copies: files, isSure }: RepairOptions,
  progress: UpkeepProgress,
): Promise<UpkeepReport> {
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) throw new ConfigError(`--copies: there is no copy at ${missing}`);
  if (files.length === 0) {
    throw new ConfigError("there is no chain.db in the home; name copies of nodes with --copies");
  }
  using stack = new DisposableStack();
  const copies = files.map((file) => stack.use(new CopyFile(file)));
  const { connectNats, NoStream } = await import("@atrium/log/nats");
  const name = "atrium log repair";
  try {
    await using servers = await connectNats(nats, { name, isLooking: true });
    if (isSure) await checkNobodyRuns(servers.bus);
    return await repair(servers.chain, { copies, isSure, nats }, progress);
  } catch (cause) {
    if (!(cause instanceof NoStream)) throw cause;
    if (!isSure) return await repair(NOTHING, { copies, isSure, nats }, progress);
  }
  // The servers lost even the stream: an empty one takes everything.
  await using servers = await connectNats(nats, { name });
  return await repair(servers.chain, { copies, isSure, nats }, progress);
}

interface Repair {
  readonly copies: readonly CopyFile[];
  readonly isSure: boolean;
  readonly nats: NatsSettings;
}

async function repair(
  chain: Chain,
  { copies, isSure, nats }: Repair,
  progress: UpkeepProgress,
): Promise<UpkeepReport> {
  const plan = await planRepair(chain, copies);
  const { last, tail, strangers } = plan;
  const note = (message: number, of: number): void => progress("repairing", message, of);
  const count = tail === undefined ? 0 : tail.to - last;
  if (isSure) await repairChain(chain, plan, note);
  const source = tail?.copy ?? copies.find(({ path }) => !strangers.includes(path));
  const checking = (message: number, of: number): void => progress("checking", message, of);
  const { broken, problems, messages, hash } = await verifyChain(chain, source, checking);
  const rest = isSure || count === 0 ? problems : problems.slice(0, -1);
  const facts = {
    stream: nats.stream,
    messages,
    hash,
    missingAtEnd: isSure ? 0 : count,
    restored: isSure ? count : 0,
    broken,
    otherHistories: strangers,
  };
  const isMended = isSure || count === 0;
  const isWell = isMended && broken.length === 0 && rest.length === 0 && strangers.length === 0;
  return {
    isWell,
    facts,
    lines: [...tell(count, tail?.copy.path), ...rest, ...advise(broken, nats)],
  };

  function tell(missing: number, path: string | undefined): readonly string[] {
    const others = strangers.map(
      (stranger) => `${stranger} has another history than the servers; it was not used.`,
    );
    if (strangers.length === copies.length) {
      return [...others, "No copy was given that agrees with the servers, so nothing can be told."];
    }
    if (missing === 0) return ["Nothing is missing at the end of the log.", ...others];
    const range = `messages ${last + 1} to ${last + missing}`;
    return [
      isSure
        ? `Put back ${range} from ${path}: the same bytes at the same places.`
        : `The servers lack ${range}; ${path} has them. Stop every node, then run this again with --yes.`,
      ...others,
    ];
  }
}

/** A place never takes a second message, so holes are for the servers to mend, or for a new stream. */
function advise(broken: readonly number[], { stream }: NatsSettings): readonly string[] {
  if (broken.length === 0) return [];
  return [
    "For messages in the middle, in this order:",
    "  1. On each server that lacks some, one after the other: stop it, remove the folder msgs of the",
    "     stream (jetstream/ACCOUNT/streams/STREAM/msgs), start it. It fetches all from the others.",
    "  2. If it is still missing everywhere, nodes go on with their copies and no new node can start:",
    `     stop a node and copy its whole log to a new stream:`,
    `     atrium log copy --from HOME/chain.db --to nats://… --log-stream ${stream}-2`,
  ];
}

/** Servers without the stream. */
const NOTHING: Chain = {
  maxBytes: 0,
  trouble: undefined,
  publish: () => Promise.resolve("unknown"),
  read: () => Promise.resolve(undefined),
  last: () => Promise.resolve(0),
  async *watch() {
    // Nothing comes.
  },
};
