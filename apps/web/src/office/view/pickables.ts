/** The boxes around everything that can be pointed at. */
import { own } from "@atrium/wire";
import { Vector3 } from "three";
import type { Figure } from "../people/figures.ts";
import { BOARD } from "../room/furniture.ts";
import type { SceneManifest, SceneObject } from "../state/scene-manifest.ts";
import type { ShelfItem } from "../things/shelves.ts";
import { boxAround, type Pickable } from "./picking.ts";

export function agentPickables(figures: readonly Figure[]): Pickable[] {
  return figures.map(({ agent, whereabouts }) => ({
    picked: { kind: "agent", id: agent.agent_id },
    box: boxAround(whereabouts.pos, [0.55, 1.5, 0.55]),
  }));
}

export function standingPickables(
  kind: "trophy" | "artifact",
  things: readonly ShelfItem[],
): Pickable[] {
  const size = kind === "trophy" ? ([0.24, 0.3, 0.24] as const) : ([0.34, 0.06, 0.34] as const);
  return things.map(({ id, matrix }) => {
    const at = new Vector3().setFromMatrixPosition(matrix);
    return { picked: { kind, id }, box: boxAround([at.x, at.y, at.z], size) };
  });
}

/** A point of interest is picked by the furniture that stands at its place. */
export function poiPickables({ pois, objects }: SceneManifest): Pickable[] {
  return pois.flatMap(({ poi_id, pos }) =>
    objects
      .filter(
        (object) =>
          object.footprint !== null && object.pos[0] === pos[0] && object.pos[2] === pos[2],
      )
      .map((object): Pickable => ({ picked: { kind: "poi", id: poi_id }, box: boxOf(object) })),
  );
}

const HEIGHTS: Readonly<Record<string, number>> = {
  desk: 1.35,
  counter: 1,
  bookshelf: 2,
  low_shelf: 0.8,
  round_table: 0.8,
  coffee_table: 0.5,
};

function boxOf({ kind, pos, rotation, footprint }: SceneObject): Pickable["box"] {
  const isTurned = rotation % 180 !== 0;
  const [width, depth] =
    footprint?.shape === "box"
      ? [footprint.width, footprint.depth]
      : [(footprint?.radius ?? 0.5) * 2, (footprint?.radius ?? 0.5) * 2];
  const base = kind === "task_board" ? BOARD.middle - BOARD.height / 2 : 0;
  const height = kind === "task_board" ? BOARD.height : (own(HEIGHTS, kind) ?? 1);
  return boxAround(
    [pos[0], base, pos[2]],
    [isTurned ? depth : width, height, isTurned ? width : depth],
  );
}
