/** What pointing in the office does: a press is told to everyone, a zone is told and opened. */
import { useStore } from "zustand";
import type { Bounds, Spot } from "../../../office/marks/floor-marks.ts";
import type { StagePointing } from "../stage/mount-office.ts";
import { useOpen } from "../view/camera-control.ts";
import { usePlaces, useSpotOfAgent } from "./marks.ts";
import { placeAt } from "./places.ts";
import { usePointing } from "./pointing-store.ts";
import { zoneText } from "./zone.ts";

interface PointingHere extends StagePointing {
  pointAtAgent(agentId: string): void;
}

export function useStagePointing(): {
  readonly isPointing: boolean;
  readonly pointing: PointingHere;
} {
  const pointing = usePointing();
  const places = usePlaces();
  const chooseZone = useChooseZone();
  const pointAtAgent = usePointAtAgent();
  const isPointing = useStore(pointing.store, ({ isOn }) => isOn);
  const onPoint = (spot: Spot, agentId: string | undefined): void => {
    if (agentId !== undefined) return pointAtAgent(agentId);
    const zone = placeAt(places, spot)?.poiId;
    return pointing.point(spot, zone === undefined ? {} : { zone });
  };
  return {
    isPointing,
    pointing: {
      isOn: () => pointing.store.getState().isOn,
      onPoint,
      onDraw: (bounds) => pointing.draw(bounds),
      onZone: chooseZone,
      pointAtAgent,
    },
  };
}

export function useChooseZone(): (bounds: Bounds) => void {
  const pointing = usePointing();
  const open = useOpen();
  return (bounds) => {
    pointing.tellZone(bounds, "look");
    pointing.setOn(false);
    open({ kind: "zone", id: zoneText(bounds) });
  };
}

/** Where it is right now. */
export function usePointAtAgent(): (agentId: string) => void {
  const spotOf = useSpotOfAgent();
  const pointing = usePointing();
  return (agentId) => {
    const spot = spotOf(agentId);
    if (spot !== undefined) pointing.point(spot, { target: agentId });
  };
}
