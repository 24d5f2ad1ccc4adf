import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { SignalsReceived } from "./signal-source.ts";

export const SIGNAL_EVENTS: EventDeclarations<SignalsReceived> = {
  "signals.received": v1({ signals: "array", passed: "array", merged: "array" }),
};
