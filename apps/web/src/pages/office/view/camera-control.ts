/** Where the camera is told to go; the stage, once it is there, listens. */
import { createContext, use } from "react";
import { useApp } from "../../../app/app.ts";
import { pathOf } from "../../../app/route.ts";
import { kickoffStep, type KickoffWatch } from "./kickoff-watch.ts";
import { showOf, type View } from "./view.ts";

export interface Camera {
  flyTo(id: string): void;
  follow(agentId: string): void;
  frameRoom(): void;
}

export interface CameraControl extends Camera {
  /** Something was asked for: the kickoff is looked at while people are in it. */
  watchKickoff(): void;
  /** Who does what has changed. */
  look(agents: Parameters<typeof kickoffStep>[1]): void;
  /** Returns how to step down again. */
  operate(camera: Camera): () => void;
}

const MEETING_TABLE = "poi_meeting_table";

export function createCameraControl(): CameraControl {
  let operator: Camera | undefined;
  let watch: KickoffWatch = "over";
  /** Sent elsewhere, it stays there. */
  const send = (go: (camera: Camera) => void): void => {
    watch = "over";
    if (operator !== undefined) go(operator);
  };
  return {
    flyTo: (id) => send((camera) => camera.flyTo(id)),
    follow: (agentId) => send((camera) => camera.follow(agentId)),
    frameRoom: () => send((camera) => camera.frameRoom()),
    watchKickoff() {
      operator?.frameRoom();
      watch = "waiting";
    },
    look(agents) {
      const step = kickoffStep(watch, agents);
      ({ watch } = step);
      if (step.go === "table") operator?.flyTo(MEETING_TABLE);
      else if (step.go === "room") operator?.frameRoom();
    },
    operate(camera) {
      operator = camera;
      return () => {
        if (operator === camera) operator = undefined;
      };
    },
  };
}

export const CameraContext = createContext<CameraControl>(createCameraControl());

export function useCamera(): CameraControl {
  return use(CameraContext);
}

/** Opens something beside the office, or closes what is open. */
export function useOpen(): (view: View | undefined) => void {
  const { navigation } = useApp();
  return (view) => navigation.go(pathOf("office", view === undefined ? undefined : showOf(view)));
}
