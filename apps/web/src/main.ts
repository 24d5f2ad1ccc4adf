/** The page: the office in 3D where that is possible, its floor plan where it is not. */
import { cozyOffice } from "@atrium/core";
import { drawFloorPlan } from "./floor-plan/floor-plan.ts";
import { renderSvg } from "./floor-plan/svg.ts";
import { EMPTY_STATE } from "./office/office-state.ts";

const NARROW_PIXELS = 640;

const home = document.getElementById("office");
if (home !== null) await openOffice(home);

async function openOffice(parent: HTMLElement): Promise<void> {
  if (window.innerWidth < NARROW_PIXELS || !hasWebGl()) {
    const plan = document.createElement("div");
    plan.className = "office-plan";
    parent.append(plan);
    renderSvg(
      plan,
      drawFloorPlan(cozyOffice, EMPTY_STATE, Date.now(), ({ agent }) => agent.state),
    );
    return;
  }
  // In a file of its own, so that the page is there before three.js is.
  const { mountOffice } = await import("./mount-office.ts");
  mountOffice(parent, cozyOffice);
}

function hasWebGl(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}
