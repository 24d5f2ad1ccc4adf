/**
 * What the engine reads of a scene manifest: the room's size, what stands where, and where people go.
 *
 * Declared here because this is all it needs; a scene of the world protocol has more.
 */
export type Point = readonly [x: number, y: number, z: number];

export interface SceneSeat {
  readonly seat_id: string;
  readonly pos: Point;
  readonly facing: Point;
  readonly pose: "sit" | "stand";
}

export interface ScenePoi {
  readonly poi_id: string;
  readonly kind: string;
  readonly label: string;
  readonly pos: Point;
  readonly seats: readonly SceneSeat[];
}

export type Footprint =
  | { readonly shape: "box"; readonly width: number; readonly depth: number }
  | { readonly shape: "disc"; readonly radius: number };

export interface SceneObject {
  readonly object_id: string;
  readonly kind: string;
  readonly pos: Point;
  /** In degrees, clockwise seen from above; at 0 its front is to the south, which is +z. */
  readonly rotation: number;
  readonly footprint: Footprint | null;
}

export interface SceneManifest {
  readonly scene_id: string;
  readonly size: { readonly width: number; readonly depth: number; readonly height: number };
  readonly pois: readonly ScenePoi[];
  readonly objects: readonly SceneObject[];
  readonly decor_anchors: readonly { readonly anchor_id: string; readonly pos: Point }[];
}

/** The desk, with its monitor, that belongs to a place where someone sits. */
export function deskOf(
  poi: ScenePoi | undefined,
  { objects }: Pick<SceneManifest, "objects">,
): SceneObject | undefined {
  return objects.find(
    ({ kind, pos }) =>
      (kind === "desk" || kind === "counter") && pos[0] === poi?.pos[0] && pos[2] === poi.pos[2],
  );
}
