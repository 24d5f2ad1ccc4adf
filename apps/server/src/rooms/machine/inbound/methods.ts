/** What can be asked of the machine that agents work on, at the gateway and over plain HTTP. */
import { accept, type Outcome } from "@atrium/core";
import { agentsDiscover } from "@atrium/wire/gateway";
import type { Detection } from "../../../agents/detection/detector.ts";
import { implement, type Caller, type Method } from "../../../pipeline/method-router.ts";
import { viewOf } from "../outbound/detection-view.ts";

export type Detect = (isFresh: boolean) => Promise<Outcome<Detection>>;

export function discoverMethod<Who extends Caller>(detect: Detect): Method<Who> {
  return implement<typeof agentsDiscover, Who>(agentsDiscover, async ({ refresh = false }) => {
    const detection = await detect(refresh);
    return detection.ok ? accept(viewOf(detection.value)) : detection;
  });
}

/** The same, and the names of the programs that are there: all that earlier versions told over HTTP. */
export function listProgramsMethod<Who extends Caller>(detect: Detect): Method<Who> {
  return implement<typeof agentsDiscover, Who>(agentsDiscover, async ({ refresh = false }) => {
    const detection = await detect(refresh);
    if (!detection.ok) return detection;
    const view = viewOf(detection.value);
    const there = view.agentPrograms.filter(({ state }) => state !== "missing");
    return accept({ programs: there.map(({ id }) => id), ...view });
  });
}
