/** Who points, over the spot. Told to those who cannot see it elsewhere, so these are for the eye alone. */
import { Vector3, type PerspectiveCamera } from "three";
import type { FloorPing } from "./floor-marks.ts";

export interface PingLabels {
  show(pings: readonly FloorPing[]): void;
  /** After the camera has moved. */
  place(camera: PerspectiveCamera): void;
  dispose(): void;
}

const LABEL_HEIGHT = 0.25;

export function createPingLabels(layer: HTMLElement): PingLabels {
  const labels = new Map<string, { readonly element: HTMLElement; readonly ping: FloorPing }>();
  return {
    show(pings) {
      const wanted = new Set(pings.map(({ id }) => id));
      for (const [id, { element }] of labels) {
        if (wanted.has(id)) continue;
        element.remove();
        labels.delete(id);
      }
      for (const ping of pings) {
        const element = labels.get(ping.id)?.element ?? appendLabel(layer);
        element.textContent = ping.name;
        labels.set(ping.id, { element, ping });
      }
    },
    place(camera) {
      const { clientWidth: width, clientHeight: height } = layer;
      for (const { element, ping } of labels.values()) {
        const point = new Vector3(ping.spot.x, LABEL_HEIGHT, ping.spot.z).project(camera);
        const [x, y] = [((point.x + 1) / 2) * width, ((1 - point.y) / 2) * height];
        element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -100%)`;
      }
    },
    dispose() {
      for (const { element } of labels.values()) element.remove();
      labels.clear();
    },
  };
}

function appendLabel(layer: HTMLElement): HTMLElement {
  const element = document.createElement("span");
  element.className = "office-ping";
  element.setAttribute("aria-hidden", "true");
  layer.append(element);
  return element;
}
