/** Opens the office and has the crew take their places; what is so already stays as it is. */
import { Fault, type CrewMember, type OfficeCommand } from "@atrium/core";
import type { OfficeLogDeps } from "./agent-walks.ts";
import type { HomeOf } from "./places.ts";

export interface OpenOfficeDeps extends OfficeLogDeps {
  readonly crew: readonly CrewMember[];
  readonly homeOf: HomeOf;
}

export async function openOffice(deps: OpenOfficeDeps): Promise<void> {
  const { office, sceneId, dispatch, clock, crew, homeOf } = deps;
  const dispatchToOffice = async (command: OfficeCommand): Promise<void> => {
    const done = await dispatch(office, sceneId, command);
    if (!done.ok) throw new Fault("the office cannot be opened", { why: done.detail ?? done.code });
  };
  await dispatchToOffice({ type: "create", sceneId, at: clock.now() });
  for (const { id } of crew) {
    await dispatchToOffice({ type: "join", agentId: id, homePoiId: homeOf(id), at: clock.now() });
  }
}
