/** Where the camera is told to go; the stage, once it is there, listens. */
import { createContext, use } from "react";
import { useHouse } from "../../shell/house.ts";
import { pathOf } from "../../shell/route.ts";
import { showOf, type View } from "./view.ts";

export interface Camera {
  flyTo(id: string): void;
  follow(agentId: string): void;
  frameRoom(): void;
}

export interface CameraDesk extends Camera {
  /** Returns how to step down again. */
  operate(camera: Camera): () => void;
}

export function createCameraDesk(): CameraDesk {
  let operator: Camera | undefined;
  return {
    flyTo: (id) => operator?.flyTo(id),
    follow: (agentId) => operator?.follow(agentId),
    frameRoom: () => operator?.frameRoom(),
    operate(camera) {
      operator = camera;
      return () => {
        if (operator === camera) operator = undefined;
      };
    },
  };
}

export const CameraContext = createContext<CameraDesk>(createCameraDesk());

export function useCamera(): CameraDesk {
  return use(CameraContext);
}

/** Opens something beside the office, or closes what is open. */
export function useOpen(): (view: View | undefined) => void {
  const { navigation } = useHouse();
  return (view) => navigation.go(pathOf("office", view === undefined ? undefined : showOf(view)));
}
