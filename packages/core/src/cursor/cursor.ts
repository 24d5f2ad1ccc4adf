/**
 * How far someone who reacts to the log has come, for whoever goes on with it on another node. A single node keeps this
 * as a snapshot instead and writes no entry.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept } from "../engine/refusal.ts";
import { CURSOR_EVENTS } from "./cursor-shapes.ts";

export interface MoveCursor {
  readonly type: "move";
  /** Everything up to it was reacted to. */
  readonly seq: number;
}

export interface CursorMoved {
  readonly type: "cursor.moved";
  readonly seq: number;
}

export const cursor: Aggregate<number, MoveCursor, CursorMoved> = {
  name: "cursor",
  initial: 0,
  decide: (present, { seq }) => accept(seq > present ? [{ type: "cursor.moved", seq }] : []),
  evolve: (_present, { seq }) => seq,
  recall: 1,
  ...createCodec<CursorMoved>(CURSOR_EVENTS),
};
