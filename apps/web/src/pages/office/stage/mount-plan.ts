/** The floor plan in an element: the same office where there is no WebGL, and on small screens. */
import type { SvgElement } from "../../../floor-plan/drawn.ts";
import { createFloorPlan, type Say } from "../../../floor-plan/floor-plan.ts";
import { renderSvg } from "../../../floor-plan/svg.ts";
import { NO_MARKS, isOnFloor, ontoFloor } from "../../../office/marks/floor-marks.ts";
import {
  listenForPointing,
  type Pointing,
  type SpotAt,
} from "../../../office/marks/pointing-gesture.ts";
import { figuresAt } from "../../../office/people/figures.ts";
import { openPlan } from "../../../office/state/open-plan.ts";
import { shownTime } from "../../../world/shown-office.ts";
import { whatItDoes } from "../text/agent-text.ts";
import { agentIn, type PutOffice, type Setting } from "./mount-office.ts";
import { watchPlanScale } from "./plan-scale.ts";

/** Often enough for people who walk, seldom enough for phones. */
const REDRAW_MS = 100;
/** While no one walks and nothing is new, time alone changes little: who is no longer heard of. */
const IDLE_REDRAWS = 20;

export async function putPlan(setting: Setting): Promise<PutOffice> {
  const { parent, scene, words, onPick, pointing, signal } = setting;
  const { shown, world } = setting.app;
  const plan = document.createElement("div");
  plan.className = "office-plan";
  parent.append(plan);
  const floorPlan = createFloorPlan(scene);
  const drawn = new WeakMap<Element, SvgElement>();
  let isMoving = false;
  let idleRedraws = 0;
  let marks = NO_MARKS;
  const draw = (): void => {
    const { office, past } = shown.getState();
    const time = shownTime(shown.getState(), world.store.getState(), Date.now());
    const say: Say = (figure) => whatItDoes(figure, office.tasks, words());
    const figures = figuresAt(scene, office, time);
    const screens = office.streams;
    const view = { marks, scale: scale.now(), screens, plan: openPlan(scene, office.tasks) };
    renderSvg(plan, floorPlan.draw(figures, say, view), drawn);
    isMoving =
      (past !== null && past.playing !== null) ||
      figures.some(({ whereabouts }) => whereabouts.isWalking);
    idleRedraws = 0;
  };
  const scale = watchPlanScale(plan, floorPlan.size, draw, signal);
  draw();
  const timer = setInterval(() => {
    idleRedraws += 1;
    if (isMoving || idleRedraws >= IDLE_REDRAWS) draw();
  }, REDRAW_MS);
  let isDue = false;
  const unsubscribe = shown.subscribe(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      if (!signal.aborted) draw();
    });
  });
  listenForPointing(plan, spotOn(plan, scene.size), pointingOn(pointing), signal);
  const press = (event: Event): void => {
    const id = agentIn(event.target);
    if (id === undefined) return;
    event.preventDefault();
    onPick({ kind: "agent", id });
  };
  plan.addEventListener("click", press, { signal });
  plan.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Enter" || event.key === " ") press(event);
    },
    { signal },
  );
  signal.addEventListener("abort", () => {
    clearInterval(timer);
    unsubscribe();
    plan.remove();
  });
  const markOnly = (id: string): void => {
    for (const each of plan.querySelectorAll("[data-agent]")) {
      each.classList.toggle("is-looked-at", each.getAttribute("data-agent") === id);
    }
  };
  return {
    mark(next) {
      marks = next;
      draw();
    },
    agentAt: ({ clientX, clientY }) => agentIn(document.elementFromPoint(clientX, clientY)),
    flyTo: markOnly,
    follow: markOnly,
    frameRoom: () => markOnly(""),
    setNight: () => undefined,
    setReducedMotion: () => undefined,
    refresh: draw,
  };
}

function pointingOn(pointing: Setting["pointing"]): Pointing {
  return { ...pointing, onPoint: (spot, { target }) => pointing.onPoint(spot, agentIn(target)) };
}

/** The plan is drawn in meters; the browser knows how large one is on the page. */
function spotOn(plan: HTMLElement, size: Setting["scene"]["size"]): SpotAt {
  return ({ clientX, clientY }, isStrict) => {
    const svg = plan.querySelector("svg");
    const toPage = svg?.getScreenCTM();
    if (toPage === null || toPage === undefined) return undefined;
    const { x, y: z } = new DOMPoint(clientX, clientY).matrixTransform(toPage.inverse());
    return isStrict && !isOnFloor({ x, z }, size) ? undefined : ontoFloor({ x, z }, size);
  };
}
