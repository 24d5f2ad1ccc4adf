/**
 * Who looks at the office, on whichever node, and where each of them stands: a place of its own, near to where it says
 * it is. Passing by nature: nothing of it is kept, and whoever leaves is gone.
 */
import { takePlaceNear, type Floor, type Point } from "@atrium/core";
import type { OpenMirror } from "../../cluster/relay.ts";

export interface Viewer {
  readonly viewerId: string;
  readonly name: string;
  readonly pos: Point;
  readonly facing: Point;
}

export interface Sighting {
  readonly viewerId: string;
  readonly name: string;
  readonly pos: Point;
  readonly facing?: Point | undefined;
}

export interface PlayerPositions {
  /** Whoever moved last is the last. */
  list(): readonly Viewer[];
  /** Whether that changes anything. */
  see(sighting: Sighting): boolean;
  /** Whether they were there. */
  leave(viewerId: string): boolean;
  /** Where the viewer nearest to that place stands; undefined when nobody looks. */
  nearestTo(place: Point): Point | undefined;
  /** Calls back when those of another node have changed. */
  onChangeElsewhere(listener: () => void): void;
}

type ViewerChange =
  | { readonly type: "see"; readonly viewer: Viewer }
  | { readonly type: "leave"; readonly viewerId: string };

const SOUTH: Point = [0, 0, 1];
/** People stand this far apart, in meters. */
const ELBOW_ROOM = 0.5;

interface Standing {
  /** Where it says it is. */
  readonly reported: Point;
  readonly viewer: Viewer;
  /** Undefined: of this node. */
  readonly node?: string;
}

export function createPlayerPositions(floor: Floor, openMirror: OpenMirror): PlayerPositions {
  const viewers = new Map<string, Standing>();
  const listeners: (() => void)[] = [];
  const mirror = openMirror<ViewerChange>({
    name: "viewers",
    *whole() {
      for (const { viewer, node } of viewers.values()) {
        if (node === undefined) yield { type: "see", viewer };
      }
    },
    apply(change, node) {
      applyOf(node, change);
      for (const listener of listeners) listener();
    },
    replace(changes, node) {
      for (const [viewerId, each] of viewers) if (each.node === node) viewers.delete(viewerId);
      for (const change of changes) applyOf(node, change);
      for (const listener of listeners) listener();
    },
  });

  function applyOf(node: string, change: ViewerChange): void {
    const viewerId = change.type === "see" ? change.viewer.viewerId : change.viewerId;
    viewers.delete(viewerId);
    if (change.type === "leave") return;
    const { viewer } = change;
    viewers.set(viewerId, { reported: viewer.pos, viewer, node });
  }

  function placeFor(viewerId: string, pos: Point): Point {
    const others = [...viewers.values()].flatMap(({ viewer }) =>
      viewer.viewerId === viewerId ? [] : [viewer.pos],
    );
    const isClear = others.every((other) => distance(other, pos) >= ELBOW_ROOM);
    if (isClear) return pos;
    return takePlaceNear(floor, { around: pos, keepOff: 0 }, pos, others)?.footing.pos ?? pos;
  }

  return {
    list: () => [...viewers.values()].map(({ viewer }) => viewer),
    see({ viewerId, name, pos, facing }) {
      const before = viewers.get(viewerId);
      const looks = facing ?? before?.viewer.facing ?? SOUTH;
      const isSame =
        before !== undefined &&
        isAt(before.reported, pos) &&
        isAt(before.viewer.facing, looks) &&
        before.viewer.name === name;
      if (isSame) return false;
      const place =
        before !== undefined && isAt(before.reported, pos)
          ? before.viewer.pos
          : placeFor(viewerId, pos);
      viewers.delete(viewerId);
      const viewer = { viewerId, name, pos: place, facing: looks };
      viewers.set(viewerId, { reported: pos, viewer });
      mirror?.tell({ type: "see", viewer });
      return true;
    },
    leave(viewerId) {
      if (!viewers.delete(viewerId)) return false;
      mirror?.tell({ type: "leave", viewerId });
      return true;
    },
    onChangeElsewhere: (listener) => void listeners.push(listener),
    nearestTo(place) {
      const places = [...viewers.values()].map(({ viewer }) => viewer.pos);
      return places.toSorted((a, b) => distance(a, place) - distance(b, place))[0];
    },
  };
}

function distance([x, , z]: Point, [otherX, , otherZ]: Point): number {
  return Math.hypot(x - otherX, z - otherZ);
}

function isAt([x, y, z]: Point, [otherX, otherY, otherZ]: Point): boolean {
  return x === otherX && y === otherY && z === otherZ;
}
