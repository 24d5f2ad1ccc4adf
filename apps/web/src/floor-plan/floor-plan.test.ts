import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { cozyOffice } from "@atrium/core";
import { madeUpState } from "../lab/made-up-state.ts";
import { NO_MARKS } from "../office/marks/floor-marks.ts";
import { figuresAt } from "../office/people/figures.ts";
import type { SvgElement } from "./drawn.ts";
import { createFloorPlan, drawFloorPlan } from "./floor-plan.ts";
import { PLAIN_SCALE, type PlanScale } from "./plan-labels.ts";

const NOW = 1_700_000_000_000;
const state = madeUpState(cozyOffice, 12, NOW);
const plan = drawFloorPlan(cozyOffice, state, NOW, ({ posture }) => posture);
const agents = plan.children!.filter(({ attributes }) => attributes["data-agent"] !== undefined);

function all(drawn: SvgElement): SvgElement[] {
  return [drawn, ...(drawn.children ?? []).flatMap(all)];
}

function agentOf({ attributes }: SvgElement): string | undefined {
  return attributes["data-agent"];
}

test("[WEB-18] the floor plan shows everyone where the 3D office has them", () => {
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

test("[WEB-18] every agent on it is a button that says who it is and what it does", () => {
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

test("[WEB-18] the amber ring is around those who need a person, and no one else", () => {
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

test("[WEB-18] all furniture is on it, inside the room, and ghosts are faint", () => {
  const objects = plan.children!.filter(({ attributes }) =>
    attributes["class"]?.startsWith("floor-plan-object"),
  );
  assert.equal(objects.length, cozyOffice.objects.length);
  assert.equal(plan.attributes["viewBox"], "-6.4 -4.9 12.8 9.8");
  const ghost = agents.find(({ attributes }) => attributes["data-agent"] === "agent_guest_1");
  assert.equal(ghost?.attributes["opacity"], "0.45");
});

test("[WEB-18] the same state at the same time is the same plan", () => {
  assert.deepEqual(
    drawFloorPlan(cozyOffice, state, NOW, ({ posture }) => posture),
    plan,
  );
});

test("[WEB-18] what looks as it did is the same drawing, so that nothing of it is looked at again", () => {
  const floorPlan = createFloorPlan(cozyOffice);
  const say = (): string => "here";
  const draw = (time: number): readonly SvgElement[] =>
    floorPlan.draw(figuresAt(cozyOffice, state, time), say).children!;
  const [before, after] = [draw(NOW), draw(NOW + 500)];
  for (const [at, each] of after.entries()) {
    assert.equal(each === before[at], isDeepStrictEqual(each, before[at]));
  }
  const changed = after.filter((each, at) => each !== before[at]).map(agentOf);
  const [walker] = figuresAt(cozyOffice, state, NOW).filter(
    ({ whereabouts }) => whereabouts.isWalking,
  );
  assert.ok(changed.includes(walker?.agent.agent_id));
  // Whoever stands in the way of a name that walks by may have it somewhere else; the rest stays.
  assert.ok(changed.length <= 3, changed.join());
});

test("[WEB-13] in a crowd the plan names those who are waited for, and everyone is still a button with a name", () => {
  const crowd = drawFloorPlan(cozyOffice, madeUpState(cozyOffice, 200, NOW), NOW, () => "here");
  const people = crowd.children!.filter(({ attributes }) => attributes["data-agent"] !== undefined);
  assert.equal(people.length, 200);
  const named = people.filter((each) => each.children!.some(({ name }) => name === "text"));
  assert.ok(named.length > 0 && named.length < 20, `${named.length}`);
  for (const { attributes } of named) assert.match(attributes["data-tone"] ?? "", /asks|failed/);
  for (const { attributes } of people) assert.match(attributes["aria-label"] ?? "", /: here$/);
});

/** Boxes of labels and heads, in meters. */
function boxesOn(drawn: SvgElement): readonly { readonly of: string; readonly box: number[] }[] {
  return drawn.children!.flatMap((agent) => {
    const of = agentOf(agent);
    if (of === undefined) return [];
    return agent.children!.flatMap(({ attributes }) => {
      const number = (name: string): number => Number(attributes[name]);
      if (attributes["class"] === "floor-plan-label") {
        const [x, y] = [number("x"), number("y")];
        return [{ of, box: [x, y, x + number("width"), y + number("height")] }];
      }
      if (attributes["class"] !== "floor-plan-body") return [];
      const [x, y, r] = [number("cx"), number("cy"), number("r") * 0.7];
      return [{ of, box: [x - r, y - r, x + r, y + r] }];
    });
  });
}

const PHONE = { pixelsPerMeter: 25, widthOf: PLAIN_SCALE.widthOf };

test("[WEB-18] on the plan no name covers another or a head, at any size", () => {
  for (const scale of [PLAIN_SCALE, PHONE]) {
    const drawn = createFloorPlan(cozyOffice).draw(
      figuresAt(cozyOffice, state, NOW),
      () => "writing the plan",
      { marks: NO_MARKS, scale },
    );
    const boxes = boxesOn(drawn);
    assert.ok(boxes.length > agents.length, "some are named");
    for (const [at, { box: one }] of boxes.entries()) {
      for (const { box: other } of boxes.slice(at + 1)) {
        const isApart =
          one[2]! <= other[0]! ||
          other[2]! <= one[0]! ||
          one[3]! <= other[1]! ||
          other[3]! <= one[1]!;
        assert.ok(isApart, `${one.join()} and ${other.join()} at ${scale.pixelsPerMeter}`);
      }
    }
  }
});

test("[WEB-18] names are as large as the page's print however small the plan is, and what each does is under them where there is room", () => {
  const say = (): string => "a rather long account of what is being done";
  const draw = (scale: PlanScale): readonly SvgElement[] =>
    all(
      createFloorPlan(cozyOffice).draw(figuresAt(cozyOffice, state, NOW), say, {
        marks: NO_MARKS,
        scale,
      }),
    );
  const lines = (drawn: readonly SvgElement[], which: string): readonly SvgElement[] =>
    drawn.filter(({ attributes }) => attributes["class"] === `floor-plan-${which}`);
  for (const scale of [PLAIN_SCALE, PHONE]) {
    for (const { attributes } of lines(draw(scale), "name")) {
      assert.equal(Number(attributes["font-size"]) * scale.pixelsPerMeter, 12);
    }
  }
  const [roomy, tight] = [PLAIN_SCALE, PHONE].map((scale) => lines(draw(scale), "does"));
  assert.ok(roomy!.length > tight!.length, `${roomy!.length} and ${tight!.length}`);
  assert.equal(roomy![0]!.text, " a rather long account…");
});

test("[WEB-42] who runs a command has it on the plan, with the end of what it prints, and no name covers it", () => {
  const figures = figuresAt(cozyOffice, state, NOW);
  const runner = figures.find(({ poi }) => poi?.poi_id === "poi_desk_1")!.agent.agent_id;
  const screens = new Map([
    [runner, { kind: "command", title: "npm test", text: "✔ one\n✖ two\n" } as const],
  ]);
  const draw = (pixelsPerMeter: number): readonly SvgElement[] => {
    const scale = { ...PLAIN_SCALE, pixelsPerMeter };
    return createFloorPlan(cozyOffice)
      .draw(figures, () => "working", { marks: NO_MARKS, scale, screens })
      .children!.filter((each) => agentOf(each) === runner)
      .flatMap(all);
  };
  const printed = (drawn: readonly SvgElement[]): readonly (string | undefined)[] =>
    drawn
      .filter(({ attributes }) => attributes["class"]?.startsWith("floor-plan-print"))
      .map(({ text }) => text);
  const { name } = figures.find(({ agent }) => agent.agent_id === runner)!.agent;
  const large = draw(70);
  assert.deepEqual(printed(large), [` ${name}`, " $ npm test", " ✔ one", " ✖ two"]);
  assert.ok(large.every(({ attributes }) => attributes["class"] !== "floor-plan-label"));
  const button = large.find(({ attributes }) => attributes["role"] === "button")!;
  assert.deepEqual(printed(all(button)), [], "what a screen prints is no part of a name");
  // Too small to be read, it is not there, and whoever works there has a name all the same.
  const small = draw(25);
  assert.deepEqual(printed(small), []);
  assert.ok(small.some(({ attributes }) => attributes["class"] === "floor-plan-name"));
});

test("[WEB-63] the lines of a plan that waits to be started lie on the meeting table", () => {
  const tasks = ["Draw the tide curve", "Write the readme"].map((title, at) => ({
    task_id: `task_t${at}`,
    project_id: "project_p",
    title,
    status: "planned" as const,
    attempts: 0,
    tokens: 0,
  }));
  const drawn = all(drawFloorPlan(cozyOffice, { ...state, tasks }, NOW, ({ posture }) => posture));
  const lines = drawn.filter(({ attributes }) => attributes["class"] === "floor-plan-card-line");
  assert.deepEqual(
    lines.map(({ text }) => text),
    ["1  Draw the tide curve", "2  Write the readme"],
  );
  const table = cozyOffice.pois.find(({ kind }) => kind === "meeting_table")!;
  for (const { attributes } of lines) {
    assert.ok(Math.abs(Number(attributes["y"]) - table.pos[2]) < 1);
  }
});

test("[SIGHT-13] the label of a joined session has its model and owner; the whole is its name for those who hear it", () => {
  const [first, ...others] = state.agents;
  const joined = {
    program: "codex",
    model: "gpt-tide",
    owner: "ann",
    can_ask: false,
    message_moments: [],
  };
  const shown = { ...state, agents: [{ ...first!, name: "Codex · shop", joined }, ...others] };
  const drawn = drawFloorPlan(cozyOffice, shown, NOW, ({ posture }) => posture);
  const mine = drawn.children!.find((each) => agentOf(each) === first!.agent_id)!;
  const lines = all(mine).filter(({ name }) => name === "text");
  assert.deepEqual(
    lines.map(({ text }) => text?.trim()),
    ["Codex · shop", "type", "gpt-tide · ann"],
  );
  assert.match(mine.attributes["aria-label"] ?? "", /^Codex · shop: .*gpt-tide · ann\)?$/);
  const long = { ...joined, model: "m".repeat(1_000), owner: "o".repeat(200) };
  const wide = drawFloorPlan(
    cozyOffice,
    { ...state, agents: [{ ...first!, joined: long }] },
    NOW,
    ({ posture }) => posture,
  );
  for (const { name, text } of all(wide)) {
    if (name === "text") assert.ok(Array.from(text ?? "").length < 25, String(text));
  }
});
