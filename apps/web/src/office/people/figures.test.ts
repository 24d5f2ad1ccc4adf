import assert from "node:assert/strict";
import { test } from "node:test";
import { cozyOffice } from "@atrium/core";
import { textsOf } from "../../i18n/texts.ts";
import { madeUpState } from "../../lab/made-up-state.ts";
import { whatItDoes } from "../../pages/office/text/agent-text.ts";
import { toneOf } from "../labels/tone.ts";
import type { OfficeState } from "../state/office-state.ts";
import { figuresAt } from "./figures.ts";
import { headingOf } from "./walk.ts";

const NOW = 1_700_000_000_000;
const words = textsOf("en");
const state = madeUpState(cozyOffice, 12, NOW);
const figureOf = (agentId: string, time = NOW) =>
  figuresAt(cozyOffice, state, time).find(({ agent }) => agent.agent_id === agentId);

test("[WEB-10] what is seen is a function of state and time, whatever was looked at before", () => {
  const first = figuresAt(cozyOffice, state, NOW + 700);
  figuresAt(cozyOffice, state, NOW + 9_000);
  figuresAt(cozyOffice, state, NOW - 9_000);
  assert.deepEqual(figuresAt(cozyOffice, structuredClone(state), NOW + 700), first);
});

test("who has come to a seat sits on it and looks where it looks", () => {
  const figure = figureOf("agent_eng_1");
  const seat = cozyOffice.pois.find(({ poi_id }) => poi_id === "poi_desk_1")?.seats[0];
  assert.equal(figure?.posture, "type");
  assert.equal(figure.poi?.poi_id, "poi_desk_1");
  assert.deepEqual(figure.whereabouts.pos, seat?.pos);
  assert.equal(figure.whereabouts.heading, headingOf(seat!.facing));
});

test("who walks past a seat does not sit down", () => {
  const seat = cozyOffice.pois.find(({ poi_id }) => poi_id === "poi_desk_1")!.seats[0]!;
  const [x, , z] = seat.pos;
  const agent = state.agents.find(({ agent_id }) => agent_id === "agent_design_1")!;
  const goal = {
    ...state.goals.get("agent_design_1")!,
    path: [
      [x - 1, 0, z],
      [x + 1, 0, z],
    ] as [number, number, number][],
    started_at: NOW,
    speed_mps: 1,
  };
  const passing = {
    ...state,
    snapshotAt: NOW - 1,
    agents: [agent],
    goals: new Map([["agent_design_1", goal]]),
  };
  const [figure] = figuresAt(cozyOffice, passing, NOW + 1000);
  assert.deepEqual([figure?.posture, figure?.poi], ["walk-carrying", undefined]);
});

test("[WEB-11] an open decision is seen on who asked it, and only while it is open", () => {
  assert.deepEqual(
    [figureOf("agent_eng_2")?.posture, figureOf("agent_eng_2")?.isAsking],
    ["ask", true],
  );
  const agents = state.agents.map((agent) => ({ ...agent, state: "WorkingAtPOI" as const }));
  const answered = {
    ...state,
    agents,
    decisions: state.decisions.map((one) => ({ ...one, status: "resolved" as const })),
  };
  assert.ok(figuresAt(cozyOffice, answered, NOW).every(({ isAsking }) => !isAsking));
});

test("[SIGHT-14] who was not heard of for two minutes sits still, whatever it was heard doing", () => {
  const busy = state.agents.find(({ agent_id }) => agent_id === "agent_eng_1")!;
  const heardAt = (heard_at: number) => ({
    ...state,
    decisions: [],
    agents: [{ ...busy, is_visitor: true, heard_at }],
  });
  const [heard] = figuresAt(cozyOffice, heardAt(NOW - 119_000), NOW);
  assert.deepEqual([heard?.posture, heard?.isGhost], ["type", false]);
  const [unheard] = figuresAt(cozyOffice, heardAt(NOW - 121_000), NOW);
  assert.deepEqual([unheard?.posture, unheard?.isGhost, unheard?.isMoving], ["sit", true, false]);
});

test("[SIGHT-17] who asks in a terminal and was not heard of for two minutes is greyed; a question that is open here is not", () => {
  const busy = state.agents.find(({ agent_id }) => agent_id === "agent_eng_1")!;
  const asker = {
    ...busy,
    is_visitor: true,
    status: "asks" as const,
    state: "BlockedWaiting" as const,
  };
  const lookAt = (heardAt: number, decisions: OfficeState["decisions"] = []) => {
    const seen = { ...state, decisions, agents: [{ ...asker, heard_at: heardAt }] };
    const [figure] = figuresAt(cozyOffice, seen, NOW);
    assert.ok(figure);
    return [toneOf(figure), figure.isAsking, figure.posture, whatItDoes(figure, [], words)];
  };
  assert.deepEqual(lookAt(NOW - 119_000), ["asks", true, "ask-seated", "asks you"]);
  assert.deepEqual(lookAt(NOW - 121_000), ["ghost", false, "sit", "no recent signal"]);
  const [open] = state.decisions.filter(({ status }) => status === "open");
  const held = [{ ...open!, agent_id: asker.agent_id }];
  assert.deepEqual(lookAt(NOW - 121_000, held), ["asks", true, "ask-seated", "asks you"]);
  const answered = held.map((one) => ({ ...one, status: "resolved" as const }));
  assert.deepEqual(lookAt(NOW - 121_000, answered)[0], "ghost");
});
