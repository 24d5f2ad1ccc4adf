/** Opens the office and has the crew take their places; what is so already stays as it is. */
import { Fault, type CrewMember, type OfficeCommand } from "@atrium/core";
import type { OfficeLogDeps } from "./agent-walks.ts";
import type { HomeOf } from "./places.ts";

export interface OpenOfficeDeps extends OfficeLogDeps {
  readonly crew: readonly CrewMember[];
  readonly homeOf: HomeOf;
}

export interface OpenedOffice {
  /** Has those who came take a place, those who left leave, and others move to their new desks. */
  reseat(): Promise<void>;
}

export async function openOffice(deps: OpenOfficeDeps): Promise<OpenedOffice> {
  const { office, sceneId, dispatch, clock, crew, homeOf } = deps;
  const dispatchToOffice = async (command: OfficeCommand): Promise<void> => {
    const done = await dispatch(office, sceneId, command);
    if (!done.ok) throw new Fault("the office cannot be opened", { why: done.detail ?? done.code });
  };
  await dispatchToOffice({ type: "create", sceneId, at: clock.now() });
  const seat = async (): Promise<void> => {
    const ids = crew.map(({ id }) => id);
    for (const id of ids) {
      await dispatchToOffice({ type: "join", agentId: id, homePoiId: homeOf(id), at: clock.now() });
    }
  };
  const homes = (): ReadonlyMap<string, string> => new Map(crew.map(({ id }) => [id, homeOf(id)]));
  await seat();
  let known = homes();
  return {
    async reseat() {
      const next = homes();
      // All of them first: one may take the desk of another.
      for (const [agentId, home] of known) {
        if (next.get(agentId) !== home) await dispatchToOffice({ type: "leave", agentId });
      }
      await seat();
      known = next;
    },
  };
}
