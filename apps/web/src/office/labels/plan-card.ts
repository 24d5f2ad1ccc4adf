/** The lines of a plan over the meeting table. The plan itself is read elsewhere, so this is for the eye alone. */
import { Vector3, type PerspectiveCamera } from "three";
import type { OpenPlan } from "../state/open-plan.ts";

export interface PlanCard {
  show(plan: OpenPlan | undefined): void;
  /** After the camera has moved. */
  place(camera: PerspectiveCamera): void;
  dispose(): void;
}

/** Above the heads of those who sit there. */
const CARD_HEIGHT = 1.3;

export function createPlanCard(layer: HTMLElement): PlanCard {
  const card = document.createElement("ol");
  card.className = "office-plan-card";
  card.setAttribute("aria-hidden", "true");
  let shown: OpenPlan | undefined;
  return {
    show(plan) {
      if (plan?.lines.join("\n") === shown?.lines.join("\n")) return;
      shown = plan;
      card.replaceChildren(
        ...(plan?.lines ?? []).map((line) => {
          const item = document.createElement("li");
          item.textContent = line;
          item.dir = "auto";
          return item;
        }),
      );
      if (plan === undefined) card.remove();
      else layer.prepend(card);
    },
    place(camera) {
      if (shown === undefined) return;
      const { clientWidth: width, clientHeight: height } = layer;
      const [x, , z] = shown.table.pos;
      const point = new Vector3(x, CARD_HEIGHT, z).project(camera);
      const [left, top] = [((point.x + 1) / 2) * width, ((1 - point.y) / 2) * height];
      card.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px) translate(-50%, -100%)`;
    },
    dispose: () => card.remove(),
  };
}
