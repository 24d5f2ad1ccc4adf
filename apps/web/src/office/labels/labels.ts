/** Names over heads, as real buttons over the canvas: crisp, translatable, in the tab order. */
import { Vector3, type PerspectiveCamera } from "three";
import { BODY } from "../people/body.ts";
import type { Figure } from "../people/figures.ts";
import { placeLabels, type LabelWish, type Picture } from "./label-layout.ts";

/** One label, made by whoever owns the page. `update` says what is to be read on it now. */
export interface Label {
  readonly element: HTMLElement;
  update(figure: Figure): void;
}

export type LabelFactory = (agentId: string) => Label;

export interface Labels {
  update(figures: readonly Figure[], camera: PerspectiveCamera): void;
  dispose(): void;
}

interface Mounted extends Label {
  /** Measured when the text has changed, since measuring makes the browser lay out the page. */
  size: { readonly width: number; readonly height: number } | undefined;
  text: string;
  place: number | undefined;
}

export function createLabels(layer: HTMLElement, create: LabelFactory): Labels {
  const mounted = new Map<string, Mounted>();

  const mount = (agentId: string): Mounted => {
    const label = create(agentId);
    label.element.style.position = "absolute";
    label.element.style.left = "0";
    label.element.style.top = "0";
    layer.append(label.element);
    const entry: Mounted = {
      element: label.element,
      update: (figure) => label.update(figure),
      size: undefined,
      text: "",
      place: undefined,
    };
    mounted.set(agentId, entry);
    return entry;
  };
  const sizeOf = (label: Mounted): { readonly width: number; readonly height: number } => {
    const text = label.element.textContent;
    if (label.size !== undefined && label.text === text) return label.size;
    label.element.classList.remove("is-dot");
    label.text = text;
    label.size = { width: label.element.offsetWidth, height: label.element.offsetHeight };
    return label.size;
  };

  return {
    update(figures, camera) {
      const picture = { width: layer.clientWidth, height: layer.clientHeight };
      const present = new Set(figures.map(({ agent }) => agent.agent_id));
      for (const [id, { element }] of mounted) {
        if (present.has(id)) continue;
        element.remove();
        mounted.delete(id);
      }
      const wishes = figures.flatMap((figure): LabelWish[] => {
        const id = figure.agent.agent_id;
        const label = mounted.get(id) ?? mount(id);
        label.update(figure);
        const head = headOf(figure, camera, picture);
        // Who needs a person is named at the edge; others are not, when they are out of the picture.
        const isShown = figure.isAsking || isWithin(head, picture);
        label.element.style.visibility = isShown ? "" : "hidden";
        const rank = figure.isAsking ? 0 : 1;
        return isShown ? [{ id, head, ...sizeOf(label), rank, last: label.place }] : [];
      });
      for (const { id, x, y, isDot, place } of placeLabels(wishes, picture)) {
        const label = mounted.get(id);
        if (label === undefined) continue;
        const { element } = label;
        label.place = place;
        element.classList.toggle("is-dot", isDot);
        element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -50%)`;
      }
    },
    dispose() {
      for (const { element } of mounted.values()) element.remove();
      mounted.clear();
    },
  };
}

function isWithin({ x, y }: LabelWish["head"], { width, height }: Picture): boolean {
  return x >= 0 && x <= width && y >= 0 && y <= height;
}

/** Chairs are as high as hips, so that heads are this high also of those who sit. */
const HEAD_TOP = BODY.hip + BODY.neck + BODY.headUp + BODY.headRadius * 1.1;

function headOf(
  { whereabouts }: Figure,
  camera: PerspectiveCamera,
  { width, height }: Picture,
): LabelWish["head"] {
  const [x, , z] = whereabouts.pos;
  const point = new Vector3(x, HEAD_TOP, z);
  const distance = point.distanceTo(camera.position);
  point.project(camera);
  const pixelsPerMeter = height / (2 * distance * Math.tan((camera.fov * Math.PI) / 360));
  return {
    x: ((point.x + 1) / 2) * width,
    y: ((1 - point.y) / 2) * height,
    radius: BODY.headRadius * pixelsPerMeter,
  };
}
