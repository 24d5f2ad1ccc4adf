/**
 * The cozy office: twelve by nine meters, two walls with windows, the other two sides open to the viewer.
 *
 * Desks stand in two rows under the windows in the north, the front desk and the task board in the north-east. The door
 * is in the middle of the west wall, between the shelves and the sofa; the meeting table has the south-east. Furniture
 * keeps to the quarter meters of the grid, so that no aisle is lost to half-covered cells.
 */
import { layGrid } from "../geometry/grid.ts";
import { directionOf, rounded } from "../geometry/point.ts";
import type {
  DecorAnchor,
  Poi,
  PoiKind,
  RoomSize,
  Scene,
  SceneObject,
  Seat,
} from "../geometry/scene.ts";
import { box, disc, facing, piece, seatAt, type Side, type Spot } from "./pieces.ts";

interface Corner {
  readonly poi: Poi;
  readonly objects: readonly SceneObject[];
}

const SIZE: RoomSize = { width: 12, depth: 9, height: 3 };
const CELL_SIZE = 0.25;
const AGENT_RADIUS = 0.2;

const ASLANT = Math.SQRT1_2;
/** Eighths of a circle. No sines: what they give in the last digit is up to the engine. */
const EIGHTHS = [
  [0, -1],
  [ASLANT, -ASLANT],
  [1, 0],
  [ASLANT, ASLANT],
  [0, 1],
  [-ASLANT, ASLANT],
  [-1, 0],
  [-ASLANT, -ASLANT],
] as const;

function poi(name: string, kind: PoiKind, label: string, spot: Spot, seats: readonly Seat[]): Poi {
  const { x, z, front } = spot;
  return { poi_id: `poi_${name}`, kind, label, pos: rounded(x, z), facing: facing(front), seats };
}

function standing(
  name: string,
  front: Side,
  ...spots: readonly (readonly [x: number, z: number])[]
): readonly Seat[] {
  return spots.map(([x, z], at) => seatAt(`${name}_stand_${at + 1}`, "stand", { x, z, front }));
}

/** One faces north over the desk, so that viewers see the screen; whoever visits stands beside the chair. */
function desk(number: number, x: number, z: number): Corner {
  const name = `desk_${number}`;
  const table: Spot = { x, z, front: "south" };
  const chair: Spot = { x, z: z + 0.625, front: "north" };
  return {
    poi: poi(name, "desk", `Desk ${number}`, table, [
      seatAt(`${name}_work`, "sit", chair),
      seatAt(`${name}_visitor`, "stand", { x: x + 0.625, z: z + 0.75, front: "north" }),
    ]),
    objects: [
      piece(name, "desk", table, box(1.5, 0.75)),
      piece(`${name}_chair`, "office_chair", chair, box(0.5, 0.5)),
    ],
  };
}

function frontDesk(): Corner {
  const counter: Spot = { x: 5, z: -1.875, front: "north" };
  const chair: Spot = { x: 5, z: -2.5, front: "south" };
  return {
    poi: poi("bd_desk", "bd_desk", "Front desk", counter, [
      seatAt("bd_desk_work", "sit", chair),
      ...standing("bd_desk", "north", [4.625, -1.125], [5.125, -1.125]),
    ]),
    objects: [
      piece("bd_desk", "counter", counter, box(1.5, 0.75)),
      piece("bd_desk_chair", "office_chair", chair, box(0.5, 0.5)),
    ],
  };
}

function meetingTable(): Corner {
  const middle: Spot = { x: 2, z: 2.25, front: "south" };
  const center = rounded(middle.x, middle.z);
  const seats = EIGHTHS.map(([east, south], at): Seat => {
    const pos = rounded(middle.x + 1.25 * east, middle.z + 1.25 * south);
    const inward = directionOf(pos, center) ?? facing("south");
    return { seat_id: `meeting_table_${at + 1}`, pos, facing: inward, pose: "sit" };
  });
  return {
    poi: poi("meeting_table", "meeting_table", "Meeting table", middle, seats),
    objects: [
      piece("meeting_rug", "rug", middle, null),
      piece("meeting_table", "round_table", middle, disc(0.875)),
      ...seats.map(({ seat_id, pos: [x, , z] }) =>
        piece(`${seat_id}_stool`, "stool", { x, z, front: "south" }, disc(0.2)),
      ),
    ],
  };
}

function lounge(): Corner {
  const sofa: Spot = { x: -5.25, z: 2.75, front: "east" };
  const table: Spot = { x: -3.5, z: 2.75, front: "south" };
  const poufs = [
    { x: -3.5, z: 1.625, front: "south" },
    { x: -3.5, z: 3.875, front: "north" },
  ] as const satisfies readonly Spot[];
  return {
    poi: poi("lounge", "lounge", "Lounge", table, [
      ...[2.125, 2.75, 3.375].map((z, at) =>
        seatAt(`lounge_sofa_${at + 1}`, "sit", { x: -5.125, z, front: "east" }),
      ),
      ...poufs.map((spot, at) => seatAt(`lounge_pouf_${at + 1}`, "sit", spot)),
      ...standing(
        "lounge",
        "west",
        [-2.625, 2.125],
        [-2.625, 2.625],
        [-2.625, 3.125],
        [-2.625, 3.625],
      ),
    ]),
    objects: [
      piece("lounge_rug", "rug", table, null),
      piece("lounge_sofa", "sofa", sofa, box(2, 1)),
      piece("lounge_table", "coffee_table", table, disc(0.5)),
      ...poufs.map((spot, at) => piece(`lounge_pouf_${at + 1}`, "pouf", spot, disc(0.25))),
      piece("lounge_lamp", "floor_lamp", { x: -5.625, z: 1.5, front: "east" }, disc(0.125)),
    ],
  };
}

/** What stands along a wall, with places to stand before it. */
function atTheWalls(): readonly Corner[] {
  const board: Spot = { x: 4.875, z: -4.4375, front: "south" };
  const trophies: Spot = { x: -5.75, z: -2.75, front: "east" };
  const coffee: Spot = { x: -5.75, z: -0.875, front: "east" };
  const deliveries: Spot = { x: 5.75, z: 1.25, front: "west" };
  const door: Spot = { x: -6, z: 0.625, front: "east" };
  return [
    {
      poi: poi("task_board", "task_board", "Task board", board, [
        ...standing("task_board", "north", [4.875, -3.625], [4.375, -3.625], [5.375, -3.625]),
      ]),
      objects: [piece("task_board", "task_board", board, box(1.75, 0.125))],
    },
    {
      poi: poi("trophy_shelf", "trophy_shelf", "Trophy shelf", trophies, [
        ...standing("trophy_shelf", "west", [-5.125, -2.625], [-5.125, -3.125], [-5.125, -2.125]),
      ]),
      objects: [piece("trophy_shelf", "bookshelf", trophies, box(2, 0.5))],
    },
    {
      poi: poi("coffee", "coffee", "Coffee corner", coffee, [
        ...standing("coffee", "west", [-5.125, -1.125], [-5.125, -0.625]),
      ]),
      objects: [piece("coffee_counter", "coffee_counter", coffee, box(1.25, 0.5))],
    },
    {
      poi: poi("delivery_shelf", "delivery_shelf", "Delivery shelf", deliveries, [
        ...standing(
          "delivery_shelf",
          "east",
          [5.125, 1.125],
          [5.125, 0.625],
          [5.125, 1.625],
          [5.125, 2.125],
        ),
      ]),
      objects: [piece("delivery_shelf", "low_shelf", deliveries, box(2, 0.5))],
    },
    {
      poi: poi("entrance", "entrance", "Entrance", door, [
        ...standing(
          "entrance",
          "east",
          [-5.375, 0.375],
          [-5.375, 0.875],
          [-4.875, 0.375],
          [-4.875, 0.875],
        ),
      ]),
      objects: [
        piece("door", "door", door, null),
        piece("doormat", "rug", { x: -5.375, z: 0.625, front: "east" }, null),
      ],
    },
  ];
}

function ornaments(): readonly SceneObject[] {
  const plants = [
    [-5.625, -4.125],
    [-5.625, 4.125],
    [5.625, -0.375],
    [5.625, 4.125],
  ] as const;
  return [
    ...plants.map(([x, z], at) =>
      piece(`plant_${at + 1}`, "plant", { x, z, front: "south" }, disc(0.25)),
    ),
    ...[-3.75, -1.25, 1.25].map((x, at) =>
      piece(`window_${at + 1}`, "window", { x, z: -4.5, front: "south" }, null),
    ),
  ];
}

/** Three boards of the shelf, the topmost first, from its north end to its south end. */
function trophyAnchors(): readonly DecorAnchor[] {
  return [1.8, 1.3, 0.8].flatMap((height, board) =>
    [-3.5, -3, -2.5, -2].map((z, place): DecorAnchor => {
      const number = String(4 * board + place + 1).padStart(2, "0");
      return { anchor_id: `trophy_shelf_${number}`, pos: [-5.75, height, z] };
    }),
  );
}

function furnish(): Scene {
  const corners = [
    ...[-4, -1.75, 0.5, 2.75].flatMap((x, column) => [
      desk(2 * column + 1, x, -3.625),
      desk(2 * column + 2, x, -1.125),
    ]),
    frontDesk(),
    meetingTable(),
    lounge(),
    ...atTheWalls(),
  ];
  const objects = [...corners.flatMap((corner) => corner.objects), ...ornaments()];
  return {
    scene_id: "cozy_office_v0",
    version: 1,
    size: SIZE,
    office_shell: { url: "cozy_office_v0.glb" },
    pois: corners.map((corner) => corner.poi),
    objects,
    navigation: layGrid(SIZE, objects, CELL_SIZE, AGENT_RADIUS),
    decor_anchors: trophyAnchors(),
    spawns: [
      { spawn_id: "door", kind: "visitor", pos: rounded(-5.625, 0.625), facing: facing("east") },
      { spawn_id: "player", kind: "player", pos: rounded(-0.625, 2.625), facing: facing("north") },
    ],
    lighting_profile: "warm_day",
    ambience_profile: "quiet_office",
  };
}

export const cozyOffice: Scene = furnish();
