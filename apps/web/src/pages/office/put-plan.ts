/** The floor plan in an element: the same office where there is no WebGL, and on small screens. */
import { drawFloorPlan } from "../../floor-plan/floor-plan.ts";
import { renderSvg } from "../../floor-plan/svg.ts";
import { shownTime } from "../../world/shown-office.ts";
import { whatItDoes } from "./agent-words.ts";
import type { PutOffice, Setting } from "./put-office.ts";

/** Often enough for people who walk, seldom enough for phones. */
const REDRAW_MS = 200;

export async function putPlan(setting: Setting): Promise<PutOffice> {
  const { parent, house, scene, words, onPick, signal } = setting;
  const { shown, world } = house;
  const plan = document.createElement("div");
  plan.className = "office-plan";
  parent.append(plan);
  const draw = (): void => {
    const { office } = shown.getState();
    const time = shownTime(shown.getState(), world.store.getState(), Date.now());
    const say = (figure: Parameters<typeof whatItDoes>[0]): string =>
      whatItDoes(figure, office.tasks, words());
    renderSvg(plan, drawFloorPlan(scene, office, time, say));
  };
  draw();
  const timer = setInterval(draw, REDRAW_MS);
  const press = (event: Event): void => {
    const agent = event.target instanceof Element ? event.target.closest("[data-agent]") : null;
    const id = agent?.getAttribute("data-agent");
    if (id === null || id === undefined) return;
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
    plan.remove();
  });
  const markOnly = (id: string): void => {
    for (const each of plan.querySelectorAll("[data-agent]")) {
      each.classList.toggle("is-looked-at", each.getAttribute("data-agent") === id);
    }
  };
  return {
    flyTo: markOnly,
    follow: markOnly,
    frameRoom: () => markOnly(""),
    setNight: () => undefined,
    setReducedMotion: () => undefined,
    refresh: draw,
  };
}
