/** What of the page lies over the office, so that the camera and the labels keep clear of it. */
import { createContext, use, type RefCallback } from "react";
import type { Rectangle } from "../../../office/view/rectangle.ts";

export interface Covers {
  /** For `ref`: this element lies over the office, or may at some size of the window. */
  readonly ref: RefCallback<Element>;
  /** Tells what lies over the stage now and whenever that changes; returns how to stop. */
  watch(stage: Element, listener: (covers: readonly Rectangle[]) => void): () => void;
}

export function createCovers(): Covers {
  const elements = new Set<Element>();
  let look = NO_STAGE;
  const observer = new ResizeObserver(() => look());
  return {
    ref(element) {
      if (element === null) return undefined;
      elements.add(element);
      observer.observe(element);
      return () => {
        elements.delete(element);
        observer.unobserve(element);
        look();
      };
    },
    watch(stage, listener) {
      let last = "";
      const mine = (): void => {
        const covers = coversOf(stage.getBoundingClientRect(), [...elements].map(boxOf));
        const now = JSON.stringify(covers);
        if (now === last) return;
        last = now;
        listener(covers);
      };
      look = mine;
      observer.observe(stage);
      mine();
      return () => {
        observer.unobserve(stage);
        if (look === mine) look = NO_STAGE;
      };
    },
  };
}

const NO_STAGE = (): void => undefined;

/** Those that overlap the stage, measured from its corner. Pure. */
export function coversOf(stage: Rectangle, boxes: readonly Rectangle[]): readonly Rectangle[] {
  return boxes
    .map(({ left, top, right, bottom }) => ({
      left: Math.max(left, stage.left) - stage.left,
      top: Math.max(top, stage.top) - stage.top,
      right: Math.min(right, stage.right) - stage.left,
      bottom: Math.min(bottom, stage.bottom) - stage.top,
    }))
    .filter(({ left, top, right, bottom }) => right > left && bottom > top);
}

function boxOf(element: Element): Rectangle {
  return element.getBoundingClientRect();
}

export const CoversContext = createContext<Covers | null>(null);

/** Outside the office nothing is covered. */
export function useCover(): RefCallback<Element> | undefined {
  return use(CoversContext)?.ref;
}
