import type { EventDeclarations } from "../engine/codec.ts";
import type { SignalsReceived } from "./signal-source.ts";

export const SIGNAL_EVENTS: EventDeclarations<SignalsReceived> = {
  "signals.received": { version: 1, shape: { signals: "array", passed: "array", merged: "array" } },
};
