/** From a scene's objects to parts: which builder furnishes which kind, and where it is put. */
import type { Footprint, SceneManifest, SceneObject } from "../state/scene-manifest.ts";
import { officeChair, pouf, stool } from "./chair.ts";
import { counter, desk } from "./desk.ts";
import { floorLamp } from "./lamps.ts";
import { coffeeCounter, coffeeTable, sofa } from "./lounge.ts";
import { meetingTable } from "./meeting-table.ts";
import { ACCENT_LIST, NAVY, STEEL, WOOD } from "./palette.ts";
import { plant } from "./plants.ts";
import { rugNameOf } from "./rug-plan.ts";
import { rug } from "./rug.ts";
import { seeded } from "./seeded.ts";
import { box, matte, placed, satin, type Part, type Triple } from "./shape.ts";
import { bookshelf, books, lowShelf } from "./shelf.ts";

export function furniture(scene: SceneManifest): Part[] {
  return scene.objects.flatMap((object) =>
    placed(piece(object, scene), object.pos, turnOf(object)),
  );
}

/** Scenes turn clockwise, as a map does; three.js the other way. */
export function turnOf({ rotation }: SceneObject): Triple {
  return [0, -rotation, 0];
}

function piece(object: SceneObject, scene: SceneManifest): Part[] {
  const { width, depth } = extent(object.footprint);
  switch (object.kind) {
    case "desk":
      return desk(seeded(object.object_id)());
    case "counter":
      return counter();
    case "office_chair":
      return officeChair();
    case "stool":
      return stool(accentOf(object.object_id));
    case "pouf":
      return pouf(accentOf(object.object_id));
    case "round_table":
      return meetingTable(width / 2);
    case "coffee_table":
      return coffeeTable(width / 2);
    case "sofa":
      return sofa(width);
    case "bookshelf":
      return [...bookshelf({ width, depth }, boardsOf(scene)), ...rowsOfBooks(width, scene)];
    case "low_shelf":
      return lowShelf({ width, depth });
    case "coffee_counter":
      return coffeeCounter(width, depth);
    case "floor_lamp":
      return floorLamp();
    case "plant":
      return plant(object.object_id);
    case "task_board":
      return boardFrame(width);
    case "rug":
      return rug(rugNameOf(object, scene));
    case "window":
    case "door":
      // Part of the walls.
      return [];
    default:
      // A kind this client does not know yet: its footprint, so that nobody seems to walk around nothing.
      return [box([width, 0.5, depth], satin(STEEL, [0, 0.25, 0]))];
  }
}

function extent(footprint: Footprint | null): { readonly width: number; readonly depth: number } {
  if (footprint === null) return { width: 1, depth: 1 };
  if (footprint.shape === "box") return footprint;
  return { width: footprint.radius * 2, depth: footprint.radius * 2 };
}

function accentOf(id: string): string {
  const number = Number(/(\d+)\D*$/.exec(id)?.[1] ?? 0);
  return ACCENT_LIST[number % ACCENT_LIST.length] ?? NAVY;
}

/** The heights trophies stand at, the lowest first. */
function boardsOf({ decor_anchors }: SceneManifest): readonly number[] {
  return [...new Set(decor_anchors.map(({ pos }) => pos[1]))].toSorted((low, high) => low - high);
}

/** Books only where no trophy is to stand: beside the dividers, on every board but the top. */
function rowsOfBooks(width: number, scene: SceneManifest): Part[] {
  const boards = boardsOf(scene).slice(0, -1);
  return boards.flatMap((height, row) => [
    ...books([(row % 2 === 0 ? -1 : 1) * 0.12 * width, height, -0.06], width * 0.14, `row ${row}`),
    ...books([(row % 2 === 0 ? 1 : -1) * 0.43 * width, height, -0.06], width * 0.08, `end ${row}`),
  ]);
}

export const BOARD = { width: 1.75, height: 1.15, middle: 1.62 } as const;

function boardFrame(width: number): Part[] {
  const { height, middle } = BOARD;
  const look = { color: WOOD.dark, finish: "wood" } as const;
  return [
    box([width + 0.12, 0.07, 0.07], { ...look, at: [0, middle + height / 2, -0.03] }, 0.015),
    box([width + 0.12, 0.07, 0.11], { ...look, at: [0, middle - height / 2, -0.01] }, 0.015),
    ...[-1, 1].map((side) =>
      box(
        [0.07, height, 0.07],
        { ...look, at: [(side * (width + 0.05)) / 2, middle, -0.03] },
        0.015,
      ),
    ),
    ...["#e2532f", "#2f6fd0", "#2d8a4e"].map((color, at) =>
      box(
        [0.1, 0.022, 0.022],
        matte(color, [-0.3 + at * 0.16, middle - height / 2 + 0.045, 0.025]),
        0.01,
      ),
    ),
  ];
}
