/**
 * Pointing with mouse, pen or finger: a press is a spot, a drag is a zone.
 *
 * Listens before everything under it, so that a press that points neither turns the camera nor opens anything.
 */
import { boundsBetween, type Bounds, type Spot } from "./floor-marks.ts";

export interface Pointing {
  /** Whether a press points; with Alt it always does. */
  readonly isOn: () => boolean;
  readonly onPoint: (
    spot: Spot,
    pressed: { readonly place: PlaceOnPage; readonly target: EventTarget | null },
  ) => void;
  /** While it is drawn; undefined when it no longer is. */
  readonly onDraw: (bounds: Bounds | undefined) => void;
  readonly onZone: (bounds: Bounds) => void;
}

export interface PlaceOnPage {
  readonly clientX: number;
  readonly clientY: number;
}

/** `isStrict`: only what is on the floor; else the nearest that is. */
export type SpotAt = (place: PlaceOnPage, isStrict: boolean) => Spot | undefined;

interface Press extends PlaceOnPage {
  readonly spot: Spot;
  readonly pointerId: number;
  readonly target: EventTarget | null;
  isDrag: boolean;
}

const DRAG_PIXELS = 8;

export function listenForPointing(
  element: HTMLElement,
  spotAt: SpotAt,
  pointing: Pointing,
  signal: AbortSignal,
): void {
  const listening = { signal, capture: true };
  let pressed: Press | undefined;
  let isClickOver = true;

  const forget = (): void => {
    if (pressed?.isDrag === true) pointing.onDraw(undefined);
    pressed = undefined;
  };
  const boundsTo = (event: PointerEvent): Bounds | undefined => {
    const to = spotAt(event, false);
    return to === undefined || pressed === undefined ? undefined : boundsBetween(pressed.spot, to);
  };
  const onDown = (event: PointerEvent): void => {
    isClickOver = true;
    if (event.button !== 0 || !event.isPrimary || !(pointing.isOn() || event.altKey)) return;
    const spot = spotAt(event, true);
    if (spot === undefined) return;
    event.stopPropagation();
    const { clientX, clientY, pointerId, target } = event;
    pressed = { clientX, clientY, pointerId, target, spot, isDrag: false };
    element.setPointerCapture(pointerId);
    isClickOver = false;
  };
  const onMove = (event: PointerEvent): void => {
    if (pressed?.pointerId !== event.pointerId) return;
    event.stopPropagation();
    const { clientX, clientY } = pressed;
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > DRAG_PIXELS) {
      pressed.isDrag = true;
    }
    if (pressed.isDrag) pointing.onDraw(boundsTo(event));
  };
  const onUp = (event: PointerEvent): void => {
    if (pressed?.pointerId !== event.pointerId) return;
    event.stopPropagation();
    const { isDrag, spot, target } = pressed;
    const bounds = isDrag ? boundsTo(event) : undefined;
    forget();
    if (bounds !== undefined) pointing.onZone(bounds);
    else if (!isDrag) pointing.onPoint(spot, { place: event, target });
  };
  element.addEventListener("pointerdown", onDown, listening);
  element.addEventListener("pointermove", onMove, listening);
  element.addEventListener("pointerup", onUp, listening);
  element.addEventListener("pointercancel", forget, listening);
  // The click that follows the press; those of the keyboard have no press before them.
  element.addEventListener(
    "click",
    (event) => {
      if (isClickOver || event.detail === 0) return;
      isClickOver = true;
      event.stopPropagation();
      event.preventDefault();
    },
    listening,
  );
  window.addEventListener(
    "keydown",
    ({ key }) => {
      if (key === "Escape") forget();
    },
    { signal },
  );
}
