/**
 * What is wrong with a scene, by path; nothing, when it can be walked in.
 *
 * For whoever furnishes an office: ids that no client would take, furniture in furniture, a desk nobody gets to.
 */
import { createFloor, type Floor } from "./floor.ts";
import { layGrid } from "./geometry/grid.ts";
import { distance } from "./geometry/point.ts";
import type { Point, Scene, Seat } from "./geometry/scene.ts";
import { doOverlap, gapToPoint, shapeOf, type Shape } from "./geometry/shape.ts";

export interface SceneProblem {
  readonly path: string;
  readonly problem: string;
}

const NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const POI_ID = /^poi_[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const SHELL_URL = /\.glb$/;
/** How much a direction's length may differ from 1, being rounded. */
const UNIT_SLACK = 0.01;
const ORIGIN: Point = [0, 0, 0];

export function validateScene(scene: Scene): readonly SceneProblem[] {
  return [
    ...nameProblems(scene),
    ...repeatProblems(scene),
    ...extentProblems(scene),
    ...overlapProblems(scene),
    ...gridProblems(scene),
    ...reachProblems(scene),
    ...directionProblems(scene),
  ];
}

function problem(path: string, text: string): SceneProblem {
  return { path, problem: text };
}

/** Everything that has an id, with where it stands in the manifest. */
function listIds(scene: Scene): readonly (readonly [path: string, id: string, pattern: RegExp])[] {
  return [
    ["/scene_id", scene.scene_id, NAME],
    ...scene.pois.map((poi, at) => [`/pois/${at}/poi_id`, poi.poi_id, POI_ID] as const),
    ...listSeats(scene).map(([path, seat]) => [`${path}/seat_id`, seat.seat_id, NAME] as const),
    ...scene.objects.map(
      ({ object_id }, at) => [`/objects/${at}/object_id`, object_id, NAME] as const,
    ),
    ...scene.decor_anchors.map(
      ({ anchor_id }, at) => [`/decor_anchors/${at}/anchor_id`, anchor_id, NAME] as const,
    ),
    ...scene.spawns.map(({ spawn_id }, at) => [`/spawns/${at}/spawn_id`, spawn_id, NAME] as const),
  ];
}

function listSeats({ pois }: Scene): readonly (readonly [path: string, seat: Seat])[] {
  return pois.flatMap(({ seats }, poi) =>
    seats.map((seat, at) => [`/pois/${poi}/seats/${at}`, seat] as const),
  );
}

function nameProblems(scene: Scene): readonly SceneProblem[] {
  const { version, office_shell } = scene;
  return [
    ...listIds(scene)
      .filter(([, id, pattern]) => !pattern.test(id))
      .map(([path, id, pattern]) => problem(path, `"${id}" does not match ${pattern.source}`)),
    ...(Number.isInteger(version) && version >= 1 ? [] : [problem("/version", "is not 1 or more")]),
    ...(SHELL_URL.test(office_shell.url)
      ? []
      : [problem("/office_shell/url", `"${office_shell.url}" does not end in .glb`)]),
  ];
}

/** An id is used once among its kind. */
function repeatProblems(scene: Scene): readonly SceneProblem[] {
  const seen = new Set<string>();
  return listIds(scene).flatMap(([path, id]) => {
    const key = `${path.slice(path.lastIndexOf("/"))} ${id}`;
    if (seen.has(key)) return [problem(path, `"${id}" is used twice`)];
    seen.add(key);
    return [];
  });
}

/** Everything is in the room. */
function extentProblems(scene: Scene): readonly SceneProblem[] {
  const { size, pois, objects, decor_anchors, spawns } = scene;
  const isInside = ([x, y, z]: Point): boolean =>
    Math.abs(x) <= size.width / 2 && Math.abs(z) <= size.depth / 2 && y >= 0 && y <= size.height;
  const points: readonly (readonly [string, Point])[] = [
    ...pois.map(({ pos }, at) => [`/pois/${at}/pos`, pos] as const),
    ...listSeats(scene).map(([path, { pos }]) => [`${path}/pos`, pos] as const),
    ...objects.flatMap((object, at) =>
      cornersOf(object.pos, shapeOf(object)).map((pos) => [`/objects/${at}/pos`, pos] as const),
    ),
    ...decor_anchors.map(({ pos }, at) => [`/decor_anchors/${at}/pos`, pos] as const),
    ...spawns.map(({ pos }, at) => [`/spawns/${at}/pos`, pos] as const),
  ];
  const outside = points.filter(([, pos]) => !isInside(pos)).map(([path]) => path);
  return [...new Set(outside)].map((path) => problem(path, "is outside the room"));
}

function cornersOf(pos: Point, shape: Shape | undefined): readonly Point[] {
  if (shape === undefined) return [pos];
  if (shape.shape === "disc") {
    const { x, z, radius } = shape;
    return [
      [x - radius, pos[1], z - radius],
      [x + radius, pos[1], z + radius],
    ];
  }
  return [
    [shape.minX, pos[1], shape.minZ],
    [shape.maxX, pos[1], shape.maxZ],
  ];
}

function overlapProblems({ objects }: Scene): readonly SceneProblem[] {
  const shapes = objects.map(shapeOf);
  return objects.flatMap(({ object_id }, at) => {
    const shape = shapes[at];
    const other = objects.find((_, before) => {
      const earlier = shapes[before];
      return (
        before < at && shape !== undefined && earlier !== undefined && doOverlap(shape, earlier)
      );
    });
    if (other === undefined) return [];
    return [problem(`/objects/${at}`, `${object_id} overlaps ${other.object_id}`)];
  });
}

/** The grid is what the furniture makes it. */
function gridProblems({ size, objects, navigation }: Scene): readonly SceneProblem[] {
  const { cell_size, agent_radius, cols, rows, origin, blocked } = navigation;
  const laid = layGrid(size, objects, cell_size, agent_radius);
  if (cols !== laid.cols || rows !== laid.rows || String(origin) !== String(laid.origin)) {
    return [problem("/navigation", "does not cover the room")];
  }
  const difference = new Set(blocked.map(String)).symmetricDifference(
    new Set(laid.blocked.map(String)),
  );
  if (difference.size === 0) return [];
  return [problem("/navigation/blocked", `differs from the furniture in ${difference.size} cells`)];
}

/** Everyone can get everywhere. */
function reachProblems(scene: Scene): readonly SceneProblem[] {
  const floor = createFloor(scene);
  const { pois, spawns } = scene;
  const missing = (["player", "visitor"] as const).filter(
    (kind) => !spawns.some((spawn) => spawn.kind === kind),
  );
  return [
    ...missing.map((kind) => problem("/spawns", `has none for a ${kind}`)),
    ...spawns.flatMap(({ pos }, at) =>
      floor.footing(pos)?.isOpen === true
        ? []
        : [problem(`/spawns/${at}/pos`, "cannot be stood on")],
    ),
    ...pois.flatMap(({ seats }, at) =>
      seats.length > 0 ? [] : [problem(`/pois/${at}/seats`, "has no place for anyone")],
    ),
    ...listSeats(scene).flatMap(([path, seat]) => seatProblems(floor, path, seat)),
  ];
}

function seatProblems(floor: Floor, path: string, { pos, pose }: Seat): readonly SceneProblem[] {
  const footing = floor.footing(pos);
  if (footing === undefined) return [problem(path, "cannot be reached")];
  const isOnFurniture = floor.scene.objects.some((object) => {
    const shape = shapeOf(object);
    return shape !== undefined && gapToPoint(shape, pos) === 0;
  });
  if (pose === "sit" && !isOnFurniture) return [problem(path, "has nothing to sit on")];
  if (pose === "stand" && !footing.isOpen) return [problem(path, "cannot be stood on")];
  return [];
}

function directionProblems(scene: Scene): readonly SceneProblem[] {
  const facings: readonly (readonly [string, Point])[] = [
    ...scene.pois.map(({ facing }, at) => [`/pois/${at}/facing`, facing] as const),
    ...listSeats(scene).map(([path, { facing }]) => [`${path}/facing`, facing] as const),
    ...scene.spawns.map(({ facing }, at) => [`/spawns/${at}/facing`, facing] as const),
  ];
  return facings
    .filter(([, facing]) => Math.abs(distance(ORIGIN, facing) - 1) > UNIT_SLACK)
    .map(([path]) => problem(path, "is not a direction of length 1"));
}
