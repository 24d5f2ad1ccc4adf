/** Where people of the crew sit: BD at the front desk, the others at the desks in order. */
import { DEFAULT_HANDLE, type CrewMember } from "@atrium/core";

export const MEETING_TABLE = "poi_meeting_table";
export const DELIVERY_SHELF = "poi_delivery_shelf";
const FRONT_DESK = "poi_bd_desk";
export const LOUNGE = "poi_lounge";
const DESKS = 8;
/** Who fits at the table with BD. */
export const MAX_PARTICIPANTS = 8;

/** The first desk that is nobody's, else the lounge. */
export function freeDesk(homes: readonly (string | null)[]): string {
  const desks = Array.from({ length: DESKS }, (_, index) => `poi_desk_${index + 1}`);
  return desks.find((desk) => !homes.includes(desk)) ?? LOUNGE;
}

export type HomeOf = (agentId: string) => string;

export function homesOf(crew: readonly CrewMember[]): HomeOf {
  const others = crew.filter(({ handle }) => handle !== DEFAULT_HANDLE);
  const homes = new Map(
    others.map(({ id }, index) => [id, index < DESKS ? `poi_desk_${index + 1}` : LOUNGE]),
  );
  for (const { id, handle } of crew) if (handle === DEFAULT_HANDLE) homes.set(id, FRONT_DESK);
  return (agentId) => homes.get(agentId) ?? LOUNGE;
}
