import assert from "node:assert/strict";
import { test } from "node:test";
import { cozyOffice } from "@atrium/core";
import { madeUpState } from "../lab/made-up-state.ts";
import { figuresAt } from "../office/people/figures.ts";
import { createFloorPlan, drawFloorPlan, type Drawn } from "./floor-plan.ts";

const NOW = 1_700_000_000_000;
const state = madeUpState(cozyOffice, 12, NOW);
const plan = drawFloorPlan(cozyOffice, state, NOW, ({ posture }) => posture);
const agents = plan.children!.filter(({ attributes }) => attributes["data-agent"] !== undefined);

function all(drawn: Drawn): Drawn[] {
  return [drawn, ...(drawn.children ?? []).flatMap(all)];
}

test("[WEB-20] the floor plan shows everyone where the 3D office has them", () => {
  const places = figuresAt(cozyOffice, state, NOW).map(
    ({ whereabouts: { pos } }) =>
      `${Math.round(pos[0] * 1000) / 1000} ${Math.round(pos[2] * 1000) / 1000}`,
  );
  assert.deepEqual(
    agents.map((agent) => {
      const body = all(agent).find(({ attributes }) => attributes["class"] === "floor-plan-body");
      return `${body?.attributes["cx"]} ${body?.attributes["cy"]}`;
    }),
    places,
  );
});

test("[WEB-20] every agent on it is a button that says who it is and what it does", () => {
  for (const { attributes } of agents) {
    assert.deepEqual([attributes["role"], attributes["tabindex"]], ["button", "0"]);
    assert.match(attributes["aria-label"] ?? "", /^.+: .+$/);
  }
  assert.equal(
    agents.find(({ attributes }) => attributes["data-agent"] === "agent_eng_2")?.attributes[
      "aria-label"
    ],
    "Eng 2: ask",
  );
});

test("[WEB-20] the amber ring is around those who need a person, and no one else", () => {
  const ringed = agents.filter((agent) =>
    all(agent).some(({ attributes }) => attributes["class"] === "floor-plan-ring"),
  );
  assert.deepEqual(
    ringed.map(({ attributes }) => attributes["data-agent"]),
    ["agent_eng_2"],
  );
  assert.deepEqual(
    ringed.map(({ attributes }) => attributes["data-tone"]),
    ["asks"],
  );
});

test("[WEB-20] all furniture is on it, inside the room, and ghosts are faint", () => {
  const objects = plan.children!.filter(({ attributes }) =>
    attributes["class"]?.startsWith("floor-plan-object"),
  );
  assert.equal(objects.length, cozyOffice.objects.length);
  assert.equal(plan.attributes["viewBox"], "-6.4 -4.9 12.8 9.8");
  const ghost = agents.find(({ attributes }) => attributes["data-agent"] === "agent_guest_1");
  assert.equal(ghost?.attributes["opacity"], "0.45");
});

test("[WEB-20] the same state at the same time is the same plan", () => {
  assert.deepEqual(
    drawFloorPlan(cozyOffice, state, NOW, ({ posture }) => posture),
    plan,
  );
});

test("[WEB-155] what looks as it did is the same drawing, so that nothing of it is looked at again", () => {
  const floorPlan = createFloorPlan(cozyOffice);
  const say = (): string => "here";
  const draw = (time: number): readonly Drawn[] =>
    floorPlan.draw(figuresAt(cozyOffice, state, time), say).children!;
  const [before, after] = [draw(NOW), draw(NOW + 500)];
  const changed = after.filter((each, at) => each !== before[at]);
  assert.deepEqual(
    changed.map(({ attributes }) => attributes["data-agent"]),
    figuresAt(cozyOffice, state, NOW)
      .filter(({ whereabouts }) => whereabouts.isWalking)
      .map(({ agent }) => agent.agent_id),
  );
});

test("[WEB-152] in a crowd the plan names those who are waited for, and everyone is still a button with a name", () => {
  const crowd = drawFloorPlan(cozyOffice, madeUpState(cozyOffice, 200, NOW), NOW, () => "here");
  const people = crowd.children!.filter(({ attributes }) => attributes["data-agent"] !== undefined);
  assert.equal(people.length, 200);
  const named = people.filter((each) => each.children!.some(({ name }) => name === "text"));
  assert.ok(named.length > 0 && named.length < 20, `${named.length}`);
  for (const { attributes } of named) assert.match(attributes["data-tone"] ?? "", /asks|stuck/);
  for (const { attributes } of people) assert.match(attributes["aria-label"] ?? "", /: here$/);
});
