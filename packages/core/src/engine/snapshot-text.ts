/**
 * How a projection's state rests in a snapshot: one line about it, then the state. The line says of which log it is and has a
 * checksum, so that a snapshot that was damaged, cut off or put there from elsewhere is known before it is believed.
 */
import type { Log, Snapshot } from "@atrium/log";
import type { Projection } from "./projection.ts";

const FORMAT = "atrium-snapshot-1";

/** A short text that is another one for any other text, as far as accidents go. */
export type Checksum = (text: string) => string;

export function writeSnapshot(
  projection: Projection,
  { epoch, seq }: { readonly epoch: string; readonly seq: number },
  checksum: Checksum = plainChecksum,
): Snapshot {
  const state = JSON.stringify(projection.save());
  const text = `${FORMAT} ${epoch} ${checksum(state)}\n${state}`;
  return { version: projection.version, seq, text };
}

export interface LoadedSnapshot {
  /** Up to here the projection needs to fold nothing; 0 when there was nothing to load. */
  readonly seq: number;
  /** Why a snapshot is of no use; one of another version of the projection is none. */
  readonly flaw?: string;
}

/** Loads it, or leaves the projection as it was and says why not. */
export async function loadSnapshot(
  projection: Projection,
  log: Pick<Log, "snapshots" | "epoch" | "head">,
  checksum: Checksum = plainChecksum,
): Promise<LoadedSnapshot> {
  const blank = JSON.stringify(projection.save());
  try {
    const snapshot = await log.snapshots.load(projection.name);
    if (snapshot === undefined || snapshot.version !== projection.version) return { seq: 0 };
    const { seq } = snapshot;
    if (!Number.isSafeInteger(seq) || seq < 0 || seq > log.head) {
      return { seq: 0, flaw: "it is from beyond the end of the log" };
    }
    const end = snapshot.text.indexOf("\n");
    const [format, epoch, sum] = snapshot.text.slice(0, Math.max(0, end)).split(" ");
    if (format !== FORMAT) return { seq: 0, flaw: "it is of another format" };
    if (epoch !== log.epoch) return { seq: 0, flaw: "it is of another log" };
    const state = snapshot.text.slice(end + 1);
    if (sum !== checksum(state)) return { seq: 0, flaw: "it is damaged" };
    projection.load(JSON.parse(state));
    return { seq };
  } catch (cause) {
    // It may have been half-way in.
    projection.load(JSON.parse(blank));
    const why = cause instanceof Error ? cause.message : String(cause);
    return { seq: 0, flaw: `it cannot be read (${why})` };
  }
}

/** FNV-1a, where no machine offers better. */
function plainChecksum(text: string): string {
  let sum = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at++) {
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01_00_01_93);
  }
  return (sum >>> 0).toString(16);
}
