/** Opens the office: the scene, and everyone of the crew at a desk of their own. Doing it again changes nothing. */
import type {
  Aggregate,
  Clock,
  CrewMember,
  Dispatch,
  Floor,
  Office,
  OfficeCommand,
  OfficeEvent,
} from "@atrium/core";
import { DEFAULT_HANDLE, Fault } from "@atrium/core";

export interface OpeningDeps {
  readonly dispatch: Dispatch;
  readonly office: Aggregate<Office, OfficeCommand, OfficeEvent>;
  readonly floor: Floor;
  readonly crew: readonly CrewMember[];
  readonly clock: Clock;
  readonly report: (fault: Fault) => void;
}

export async function openOffice(deps: OpeningDeps): Promise<void> {
  const { dispatch, office, floor, crew, clock } = deps;
  const { scene_id: sceneId } = floor.scene;
  const at = clock.now();
  const commands: OfficeCommand[] = [
    { type: "create", sceneId, at },
    ...crew.map((member): OfficeCommand => {
      const homePoiId = homeOf(floor, crew, member);
      return { type: "join", agentId: member.id, homePoiId, at };
    }),
  ];
  for (const command of commands) {
    const done = await dispatch(office, sceneId, command);
    // Without a place in the office an agent works all the same.
    if (!done.ok) deps.report(new Fault("the office has no place", { ...command, why: done.code }));
  }
}

/** The front desk for who keeps it; desks for the others, shared when there are more of them than desks. */
export function homeOf(
  floor: Floor,
  crew: readonly CrewMember[],
  member: CrewMember,
): string | null {
  const { pois } = floor.scene;
  if (member.handle === DEFAULT_HANDLE) return floor.firstOf("bd_desk")?.poi_id ?? null;
  const desks = pois.filter(({ kind }) => kind === "desk");
  const others = crew.filter(({ handle }) => handle !== DEFAULT_HANDLE);
  return desks[others.indexOf(member) % desks.length]?.poi_id ?? null;
}
