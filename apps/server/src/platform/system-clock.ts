/** The system's clock and random ids. */
import { randomUUID } from "node:crypto";
import type { Clock, Ids } from "@atrium/core";

export const clock: Clock = { now: () => Date.now() };
export const ids: Ids = { next: randomUUID };
