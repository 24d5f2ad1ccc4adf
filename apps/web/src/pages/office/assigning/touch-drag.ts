/**
 * Dragging a task by touch: from its handle onto a person. Browsers drag by touch only after a long press, if at all, so
 * this follows the finger itself; mouse and keys are left to the list.
 */
import type { PlaceOnPage } from "../../../office/marks/pointing-gesture.ts";

export interface TouchDragDeps {
  /** What is dragged when the finger comes down there. */
  readonly draggedAt: (
    target: Element,
  ) => { readonly id: string; readonly name: string } | undefined;
  /** Who would get it there. */
  readonly dropAt: (target: Element, place: PlaceOnPage) => string | undefined;
  /** Shows who would get it, and no longer who would have. */
  readonly mark: (now: string | undefined, before: string | undefined) => void;
  readonly onDrop: (id: string, onto: string) => void;
}

interface Drag {
  readonly id: string;
  readonly pointerId: number;
  readonly ghost: HTMLElement;
  over: string | undefined;
}

const ABOVE_FINGER_PIXELS = 36;

export function listenForTouchDrag(
  root: HTMLElement,
  { draggedAt, dropAt, mark, onDrop }: TouchDragDeps,
  signal: AbortSignal,
): void {
  const listening = { signal, capture: true };
  let dragged: Drag | undefined;

  const look = (now: Drag, over: string | undefined): void => {
    if (now.over === over) return;
    mark(over, now.over);
    now.over = over;
  };
  const end = (): void => {
    if (dragged === undefined) return;
    look(dragged, undefined);
    dragged.ghost.remove();
    dragged = undefined;
  };
  const follow = (now: Drag, { clientX, clientY }: PointerEvent): void => {
    const y = clientY - ABOVE_FINGER_PIXELS;
    now.ghost.style.transform = `translate(${clientX}px, ${y}px) translate(-50%, -50%)`;
    const under = document.elementFromPoint(clientX, clientY);
    look(now, under === null ? undefined : dropAt(under, { clientX, clientY }));
  };
  const onDown = (event: PointerEvent): void => {
    const { target, pointerType, pointerId } = event;
    if (pointerType !== "touch" || !(target instanceof Element)) return;
    const what = draggedAt(target);
    if (what === undefined || dragged !== undefined) return;
    event.stopPropagation();
    const ghost = document.createElement("div");
    ghost.className = "board-ghost";
    ghost.setAttribute("aria-hidden", "true");
    ghost.textContent = what.name;
    document.body.append(ghost);
    dragged = { id: what.id, pointerId, ghost, over: undefined };
    root.setPointerCapture(pointerId);
    follow(dragged, event);
  };
  const onMove = (event: PointerEvent): void => {
    if (dragged?.pointerId === event.pointerId) follow(dragged, event);
  };
  const onUp = (event: PointerEvent): void => {
    if (dragged?.pointerId !== event.pointerId) return;
    const { id, over } = dragged;
    end();
    if (over !== undefined) onDrop(id, over);
  };
  // The browser's own drag, after a long press, would take the finger away from this one.
  const onDragStart = (event: DragEvent): void => {
    if (dragged === undefined) return;
    event.preventDefault();
    event.stopPropagation();
  };
  root.addEventListener("pointerdown", onDown, listening);
  root.addEventListener("pointermove", onMove, listening);
  root.addEventListener("pointerup", onUp, listening);
  root.addEventListener("pointercancel", end, listening);
  root.addEventListener("dragstart", onDragStart, listening);
  signal.addEventListener("abort", end);
}
