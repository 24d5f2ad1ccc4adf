/**
 * A snapshot's id says which log it was taken of, and where in it: `snap_<log>_<seq>_<time>`. The protocol's cursor
 * carries the id back, so a client that keeps nothing else can be told from one that saw another log.
 */
import { createHash } from "node:crypto";

const TAG_CHARS = 16;
const FORM = /^snap_([0-9a-f]{16})_(\d{1,16})_\d{1,16}$/;

export interface SnapshotOrigin {
  /** Of the log's epoch; equal tags mean the same log. */
  readonly tag: string;
  readonly seq: number;
}

/** Epochs may be any text; ids may not. */
export function epochTag(epoch: string): string {
  return createHash("sha256").update(epoch).digest("hex").slice(0, TAG_CHARS);
}

export function snapshotId({ tag, seq }: SnapshotOrigin, time: number): string {
  return `snap_${tag}_${seq}_${time}`;
}

/** Undefined when it is none of ours, or of a version that did not say. */
export function originOf(id: string): SnapshotOrigin | undefined {
  const [, tag, seq] = FORM.exec(id) ?? [];
  return tag === undefined || seq === undefined ? undefined : { tag, seq: Number(seq) };
}
