import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { layGrid } from "./geometry/grid.ts";
import type { Scene, SceneObject } from "./geometry/scene.ts";
import { gapToPoint, shapeOf } from "./geometry/shape.ts";
import { cozyOffice } from "./scenes/cozy-office-v0.ts";
import { cozyFloor } from "./testing/office-under-test.ts";
import { drawPlan } from "./testing/plan.ts";
import { validateScene } from "./validate-scene.ts";

test("[SIM-1] the cozy office has all that an office needs, and nothing wrong with it", () => {
  assert.deepEqual(validateScene(cozyOffice), []);
  assert.deepEqual(cozyOffice.size, { width: 12, depth: 9, height: 3 });
  const kinds = Map.groupBy(cozyOffice.pois, ({ kind }) => kind);
  const counts = [...kinds].map(([kind, pois]) => [
    kind,
    pois.length,
    pois.flatMap(({ seats }) => seats.map(({ pose }) => pose)).join(" "),
  ]);
  const times = (count: number, text: string): string => Array(count).fill(text).join(" ");
  assert.deepEqual(counts, [
    ["desk", 8, times(8, "sit stand")],
    ["bd_desk", 1, "sit stand stand"],
    ["meeting_table", 1, times(8, "sit")],
    ["lounge", 1, `${times(5, "sit")} ${times(4, "stand")}`],
    ["task_board", 1, times(3, "stand")],
    ["trophy_shelf", 1, times(3, "stand")],
    ["coffee", 1, times(2, "stand")],
    ["delivery_shelf", 1, times(4, "stand")],
    ["entrance", 1, times(4, "stand")],
  ]);
  assert.deepEqual(
    cozyOffice.decor_anchors.map(({ anchor_id }) => anchor_id),
    Array.from({ length: 12 }, (_, at) => `trophy_shelf_${String(at + 1).padStart(2, "0")}`),
  );
  assert.equal(JSON.stringify(JSON.parse(JSON.stringify(cozyOffice))), JSON.stringify(cozyOffice));
});

const [firstPoi, ...otherPois] = cozyOffice.pois;
const [door, ...otherSpawns] = cozyOffice.spawns;
assert.ok(firstPoi && door);

/** The same office with another piece of furniture, on a grid that knows of it. */
function withPiece(object: SceneObject): Scene {
  const objects = [...cozyOffice.objects, object];
  const { cell_size, agent_radius } = cozyOffice.navigation;
  return {
    ...cozyOffice,
    objects,
    navigation: layGrid(cozyOffice.size, objects, cell_size, agent_radius),
  };
}

const crate: SceneObject = {
  object_id: "crate",
  kind: "crate",
  pos: [-1, 0, 1.5],
  rotation: 0,
  footprint: { shape: "box", width: 0.5, depth: 0.5 },
};
const at = cozyOffice.objects.length;

test("[SIM-1] whatever is wrong with a scene is named by its path", () => {
  const flawed: readonly (readonly [Scene, readonly string[]])[] = [
    [{ ...cozyOffice, scene_id: "Cozy" }, ["/scene_id"]],
    [{ ...cozyOffice, version: 0 }, ["/version"]],
    [{ ...cozyOffice, office_shell: { url: "office.gltf" } }, ["/office_shell/url"]],
    [
      { ...cozyOffice, pois: [{ ...firstPoi, poi_id: "desk_1" }, ...otherPois] },
      ["/pois/0/poi_id"],
    ],
    [{ ...cozyOffice, pois: [{ ...firstPoi, seats: [] }, ...otherPois] }, ["/pois/0/seats"]],
    [
      { ...cozyOffice, pois: [{ ...firstPoi, facing: [1, 0, 1] }, ...otherPois] },
      ["/pois/0/facing"],
    ],
    [
      { ...cozyOffice, pois: [...cozyOffice.pois, { ...firstPoi, seats: [] }] },
      ["/pois/16/poi_id", "/pois/16/seats"],
    ],
    [
      {
        ...cozyOffice,
        pois: [
          {
            ...firstPoi,
            seats: [{ seat_id: "x", pos: [-1, 0, 2], facing: [0, 0, 1], pose: "sit" }],
          },
          ...otherPois,
        ],
      },
      ["/pois/0/seats/0"],
    ],
    [
      {
        ...cozyOffice,
        pois: [
          {
            ...firstPoi,
            seats: [
              { seat_id: "x", pos: [2, 0, 2.25], facing: [0, 0, 1], pose: "stand" },
              { seat_id: "y", pos: [7, 0, 2.25], facing: [0, 0, 1], pose: "stand" },
              { seat_id: "z", pos: [5.6, 0, 4.1], facing: [0, 0, 1], pose: "stand" },
            ],
          },
          ...otherPois,
        ],
      },
      ["/pois/0/seats/0", "/pois/0/seats/1", "/pois/0/seats/1/pos", "/pois/0/seats/2"],
    ],
    [{ ...cozyOffice, spawns: [door] }, ["/spawns"]],
    [
      {
        ...cozyOffice,
        spawns: [door, ...otherSpawns.map((spawn) => ({ ...spawn, pos: [2, 0, 2.25] as const }))],
      },
      ["/spawns/1/pos"],
    ],
    [
      { ...cozyOffice, decor_anchors: [{ anchor_id: "high", pos: [0, 3.5, 0] }] },
      ["/decor_anchors/0/pos"],
    ],
    [{ ...cozyOffice, navigation: { ...cozyOffice.navigation, cols: 47 } }, ["/navigation"]],
    [{ ...cozyOffice, objects: [...cozyOffice.objects, crate] }, ["/navigation/blocked"]],
    [withPiece({ ...crate, pos: [6, 0, 3] }), [`/objects/${at}/pos`]],
    [withPiece({ ...crate, pos: [2, 0, 2.25] }), [`/objects/${at}`]],
    [
      withPiece({ ...crate, footprint: { shape: "disc", radius: 0.4 }, pos: [3.3, 0, 2.25] }),
      [`/objects/${at}`],
    ],
    [withPiece({ ...crate, object_id: "desk_1" }), [`/objects/${at}/object_id`]],
  ];
  for (const [scene, paths] of flawed) {
    const found = validateScene(scene).map(({ path }) => path);
    assert.deepEqual([...new Set(found)].toSorted(), paths.toSorted());
  }
  assert.deepEqual(validateScene(withPiece(crate)), []);
});

test("[SIM-1] a table behind a wall of crates is one that nobody gets to", () => {
  const wallOf = (width: number, x: number): Scene =>
    withPiece({ ...crate, pos: [x, 0, 1.25], footprint: { shape: "box", width, depth: 0.25 } });
  assert.deepEqual(validateScene(wallOf(3, -1)), []);
  const unreached = validateScene(wallOf(12, 0)).filter(
    ({ problem }) => problem === "cannot be reached",
  );
  const table = cozyOffice.pois.findIndex(({ kind }) => kind === "meeting_table");
  assert.ok(unreached.some(({ path }) => path === `/pois/${table}/seats/4`));
  assert.ok(!unreached.some(({ path }) => path.startsWith("/pois/0/")));
});

test("[SIM-1] whoever stays in free cells stays clear of walls and furniture", () => {
  const { navigation, objects, size } = cozyOffice;
  const shapes = objects.flatMap((object) => shapeOf(object) ?? []);
  const half = navigation.cell_size / 2;
  const isBlocked = new Set(navigation.blocked.map(String));
  let free = 0;
  for (const [cell, [x, , z]] of cozyFloor.centers.entries()) {
    const col = cell % navigation.cols;
    if (isBlocked.has(String([col, (cell - col) / navigation.cols]))) continue;
    free += 1;
    for (const [dx, dz] of [
      [-half, -half],
      [half, -half],
      [-half, half],
      [half, half],
      [0, 0],
    ] as const) {
      const point = [x + dx, 0, z + dz] as const;
      const gaps = shapes.map((shape) => gapToPoint(shape, point));
      const toWall = Math.min(size.width / 2 - Math.abs(x + dx), size.depth / 2 - Math.abs(z + dz));
      assert.ok(Math.min(toWall, ...gaps) >= navigation.agent_radius, String(point));
    }
  }
  assert.ok(free > 700, `${free} free cells`);
});

test("the plan is the one that was looked at", async () => {
  const url = new URL("./scenes/cozy-office-v0.plan.txt", import.meta.url);
  assert.equal(drawPlan(cozyOffice), await readFile(url, "utf8"));
});
