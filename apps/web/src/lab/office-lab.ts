/**
 * The office by itself, with a made-up state, for looking at it and for tests in a real browser.
 *
 *   office-lab.html?agents=8&tier=high&night&still&zoom=poi_lounge
 *   office-lab.html?agents=8&tier=low&plan
 *
 * `still` stops the clock, so that two pictures of the same page are the same picture.
 */
import { Fault, cozyOffice } from "@atrium/core";
import { drawFloorPlan } from "../floor-plan/floor-plan.ts";
import { renderSvg } from "../floor-plan/svg.ts";
import { createPlainLabel } from "../office/labels/plain-label.ts";
import { OfficeEngine } from "../office/office-engine.ts";
import { browserFrames } from "../office/view/browser-frames.ts";
import { TIERS, type Tier } from "../office/view/quality.ts";
import { CAST, madeUpState } from "./made-up-state.ts";

const START = 1_700_000_000_000;

const query = new URLSearchParams(location.search);
const isStill = query.has("still");
const opened = performance.now();
const clock = (): number => START + (isStill ? 0 : performance.now() - opened);
const does = new Map(CAST.map((one) => [one.agentId, one.does]));
const engine = new OfficeEngine({
  canvas: element("office", HTMLCanvasElement),
  labelLayer: element("labels", HTMLElement),
  scene: cozyOffice,
  clock,
  frames: browserFrames(window),
  createLabel: (agentId) =>
    createPlainLabel(
      agentId,
      ({ posture }) => does.get(agentId) ?? posture,
      (id) => engine.follow(id),
    ),
  tier: tierOf(query.get("tier")),
  pixelRatio: Number(query.get("dpr") ?? devicePixelRatio),
  isNight: query.has("night"),
  isMotionReduced: isStill,
  onPick: (picked) => picked !== undefined && engine.flyTo(picked.id),
});
engine.show(madeUpState(cozyOffice, Number(query.get("agents") ?? 8), START));
const zoom = query.get("zoom");
if (zoom !== null) engine.flyTo(zoom);
if (query.has("plan")) showPlan(Number(query.get("agents") ?? 8));
window.addEventListener("resize", () => engine.resize());
Object.assign(window, {
  officeLab: {
    engine,
    show: (count: number) => engine.show(madeUpState(cozyOffice, count, clock())),
    renderSvg,
  },
});

/** The floor plan of the same state, over the office. */
function showPlan(count: number): void {
  const plan = document.body.appendChild(document.createElement("div"));
  plan.id = "plan";
  const state = madeUpState(cozyOffice, count, START);
  renderSvg(
    plan,
    drawFloorPlan(cozyOffice, state, START, ({ posture }) => posture),
  );
}

function tierOf(name: string | null): Tier {
  return TIERS.find((tier) => tier === name) ?? "high";
}

function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Fault("the page lacks an element", { id });
  return found;
}
