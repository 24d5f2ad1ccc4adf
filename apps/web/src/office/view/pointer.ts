/** Mouse and touch over the canvas: what is under it, and what was pressed rather than dragged. */
import { Plane, Raycaster, Vector2, Vector3, type PerspectiveCamera } from "three";
import type { Spot } from "../marks/floor-marks.ts";
import { pickNearest, type Pickable, type Picked } from "./picking.ts";

export interface Pointer {
  /** In pixels of the page, from the canvas's corner. */
  pickAt(x: number, y: number): Picked | undefined;
  floorAt(x: number, y: number): Spot | undefined;
  dispose(): void;
}

/** Who moves further than this between press and release turns the camera. */
const DRAG_PIXELS = 5;
const FLOOR = new Plane(new Vector3(0, 1, 0));

export function createPointer(
  canvas: HTMLCanvasElement,
  camera: PerspectiveCamera,
  pickables: () => readonly Pickable[],
  onPick: (picked: Picked | undefined) => void,
): Pointer {
  const raycaster = new Raycaster();
  const listening = new AbortController();
  const { signal } = listening;
  let pressedAt: readonly [number, number] | undefined;

  const aim = (x: number, y: number): Raycaster["ray"] => {
    const place = new Vector2((x / canvas.clientWidth) * 2 - 1, 1 - (y / canvas.clientHeight) * 2);
    raycaster.setFromCamera(place, camera);
    return raycaster.ray;
  };
  const pickAt = (x: number, y: number): Picked | undefined => pickNearest(aim(x, y), pickables());
  const floorAt = (x: number, y: number): Spot | undefined => {
    const hit = aim(x, y).intersectPlane(FLOOR, new Vector3());
    return hit === null ? undefined : { x: hit.x, z: hit.z };
  };
  const onDown = ({ offsetX, offsetY }: PointerEvent): void => {
    pressedAt = [offsetX, offsetY];
  };
  const onMove = ({ offsetX, offsetY, buttons }: PointerEvent): void => {
    if (buttons !== 0) return;
    canvas.style.cursor = pickAt(offsetX, offsetY) === undefined ? "" : "pointer";
  };
  const onUp = ({ offsetX, offsetY }: PointerEvent): void => {
    const [x, y] = pressedAt ?? [Infinity, Infinity];
    pressedAt = undefined;
    if (Math.hypot(offsetX - x, offsetY - y) <= DRAG_PIXELS) onPick(pickAt(offsetX, offsetY));
  };
  canvas.addEventListener("pointerdown", onDown, { signal });
  canvas.addEventListener("pointermove", onMove, { signal });
  canvas.addEventListener("pointerup", onUp, { signal });
  return { pickAt, floorAt, dispose: () => listening.abort() };
}
