/** The clock and the ids of this machine, for compose to hand on. */
import { randomUUID } from "node:crypto";
import type { Clock, Ids } from "@atrium/core";

export const clock: Clock = { now: () => Date.now() };
export const ids: Ids = { next: randomUUID };
