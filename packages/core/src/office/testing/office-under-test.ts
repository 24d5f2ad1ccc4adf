/** The cozy office with what happened in it, decided and folded as in production, only without a log. */
import assert from "node:assert/strict";
import type { RefusalCode } from "../../engine/refusal.ts";
import { createOfficeView, type OfficeView } from "../../projections/office-view.ts";
import { createFloor, type Floor } from "../floor.ts";
import type { Office, OfficeCommand, OfficeEvent, OpenOffice } from "../office-events.ts";
import { createOffice } from "../office.ts";
import { cozyOffice } from "../scenes/cozy-office-v0.ts";

export const cozyFloor: Floor = createFloor(cozyOffice);
export const OPENED_AT = 1_000;
export const CREATE = { type: "create", sceneId: cozyOffice.scene_id, at: OPENED_AT } as const;

export interface OfficeUnderTest {
  readonly state: OpenOffice;
  readonly view: OfficeView;
  /** Everything that happened. */
  readonly events: readonly OfficeEvent[];
  /** Decides and folds it; what became of it. */
  ask(command: OfficeCommand): readonly OfficeEvent[];
  /** The code with which it is refused. */
  refusalOf(command: OfficeCommand): RefusalCode | undefined;
}

export function openOffice(): OfficeUnderTest {
  const office = createOffice([cozyFloor]);
  const view = createOfficeView(cozyFloor);
  const events: OfficeEvent[] = [];
  let state: Office = office.initial;

  function ask(command: OfficeCommand): readonly OfficeEvent[] {
    const decided = office.decide(state, command);
    assert.ok(decided.ok, JSON.stringify(decided));
    for (const event of decided.value) {
      state = office.evolve(state, event);
      events.push(event);
      const { type, ...data } = event;
      const stream = `office/${cozyOffice.scene_id}`;
      view.apply({ seq: events.length, stream, type, at: OPENED_AT, data });
    }
    return decided.value;
  }

  ask(CREATE);
  return {
    get state() {
      assert.equal(state.state, "open");
      return state;
    },
    view,
    events,
    ask,
    refusalOf(command) {
      const decided = office.decide(state, command);
      return decided.ok ? undefined : decided.code;
    },
  };
}

export function join(agentId: string, homePoiId: string | null = null): OfficeCommand {
  return { type: "join", agentId, homePoiId, at: OPENED_AT };
}

export function sendTo(agentId: string, poiId: string, at = OPENED_AT): OfficeCommand {
  return {
    type: "set-goal",
    agentId,
    goal: { kind: "go_to_poi", poiId },
    at,
    because: `evt_${agentId}`,
  };
}
