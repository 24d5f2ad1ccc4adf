/**
 * The scene manifest: what an office is made of, as data that server and client share.
 *
 * Meters; x to the east, z to the south, y up with the floor at 0. The middle of the room is the origin. A facing is
 * a direction of length 1 on the floor. Names of members are those of the world protocol, since clients read this.
 */
export type Point = readonly [x: number, y: number, z: number];

export type PoiKind =
  | "desk"
  | "bd_desk"
  | "meeting_table"
  | "delivery_shelf"
  | "trophy_shelf"
  | "task_board"
  | "lounge"
  | "coffee"
  | "entrance";

/** A place for one. Whoever sits is on a piece of furniture; whoever stands is on the free floor. */
export interface Seat {
  readonly seat_id: string;
  readonly pos: Point;
  readonly facing: Point;
  readonly pose: "sit" | "stand";
}

/** A point of interest: where agents go, and look at. */
export interface Poi {
  readonly poi_id: string;
  readonly kind: PoiKind;
  readonly label: string;
  readonly pos: Point;
  readonly facing: Point;
  /** Best first. */
  readonly seats: readonly Seat[];
}

/** Before it is turned: the width is along x, the depth along z. */
export type Footprint =
  | { readonly shape: "box"; readonly width: number; readonly depth: number }
  | { readonly shape: "disc"; readonly radius: number };

/** Clockwise, seen from above, in degrees; at 0 the front is to the south. */
export type Rotation = 0 | 90 | 180 | 270;

export interface SceneObject {
  readonly object_id: string;
  readonly kind: string;
  readonly pos: Point;
  readonly rotation: Rotation;
  /** Null: nobody bumps into it, as into a rug or a window. */
  readonly footprint: Footprint | null;
}

export interface Navigation {
  /** The corner of the first cell. */
  readonly origin: readonly [x: number, z: number];
  readonly cell_size: number;
  readonly cols: number;
  readonly rows: number;
  /** How far from furniture and walls the middle of an agent stays. */
  readonly agent_radius: number;
  /** The cells that the middle of an agent does not enter. */
  readonly blocked: readonly (readonly [col: number, row: number])[];
}

export interface DecorAnchor {
  readonly anchor_id: string;
  readonly pos: Point;
}

export interface Spawn {
  readonly spawn_id: string;
  readonly kind: "player" | "visitor";
  readonly pos: Point;
  readonly facing: Point;
}

export interface RoomSize {
  readonly width: number;
  readonly depth: number;
  readonly height: number;
}

export interface Scene {
  readonly scene_id: string;
  readonly version: number;
  readonly size: RoomSize;
  /** Clients that build their rooms in code take the file's base name as the builder's name. */
  readonly office_shell: { readonly url: string };
  readonly pois: readonly Poi[];
  readonly objects: readonly SceneObject[];
  readonly navigation: Navigation;
  readonly decor_anchors: readonly DecorAnchor[];
  readonly spawns: readonly Spawn[];
  readonly lighting_profile: string;
  readonly ambience_profile: string;
}
