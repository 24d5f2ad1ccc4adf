/** A place among the signals: an entry of the log, and how many of its signals are behind. */
export interface SignalPosition {
  readonly seq: number;
  /** The index of the last signal of that entry that was received. */
  readonly index: number;
}

const PLACE = /^(\d{1,15})(?:\.(\d{1,9}))?$/;

export function formatPosition(seq: number, index: number): string {
  return `${seq}.${index}`;
}

/** An entry's number alone is the end of that entry. Undefined: it is no place. */
export function parsePosition(text: string): SignalPosition | undefined {
  const found = PLACE.exec(text);
  if (found === null) return undefined;
  const [, seq, index] = found;
  return { seq: Number(seq), index: index === undefined ? Infinity : Number(index) };
}

export function describeBadPosition(text: string): string {
  return `${text.slice(0, 40)} is not a position. A position looks like 12.0.`;
}

/** The last entry all of whose signals are behind, as far as the place says. */
export function lastCompleteSeq({ seq, index }: SignalPosition): number {
  return index === Infinity ? seq : seq - 1;
}
