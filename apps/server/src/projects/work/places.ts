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

export interface Seated extends Pick<CrewMember, "id" | "handle"> {
  /** The number of its desk; left out: the first that is free. */
  readonly desk?: number;
}

/** Looked up anew each time: the crew may change. */
export function homesOf(
  crew: readonly Seated[],
  guestHomeOf: (agentId: string) => string | undefined = () => undefined,
): HomeOf {
  return (agentId) => {
    const member = crew.find(({ id }) => id === agentId);
    if (member === undefined) return guestHomeOf(agentId) ?? LOUNGE;
    if (member.handle === DEFAULT_HANDLE) return FRONT_DESK;
    return deskOf(member.desk ?? freeDesks(crew)[placeless(crew).indexOf(member)]);
  };
}

const deskOf = (desk: number | undefined): string =>
  desk === undefined ? LOUNGE : `poi_desk_${desk}`;

const placeless = (crew: readonly Seated[]): readonly Seated[] =>
  crew.filter(({ handle, desk }) => handle !== DEFAULT_HANDLE && desk === undefined);

function freeDesks(crew: readonly Seated[]): readonly number[] {
  const taken = new Set(crew.map(({ desk }) => desk));
  const all = Array.from({ length: DESKS }, (_, at) => at + 1);
  return all.filter((desk) => !taken.has(desk));
}
