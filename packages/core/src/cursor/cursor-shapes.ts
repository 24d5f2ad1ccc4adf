import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { CursorMoved } from "./cursor.ts";

export const CURSOR_EVENTS: EventDeclarations<CursorMoved> = {
  "cursor.moved": v1({ seq: "number" }),
};
