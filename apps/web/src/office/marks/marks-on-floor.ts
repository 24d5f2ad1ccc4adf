/** Pings, the chosen zone and who would get what is dragged, lying on the floor of the 3D office. Pings breathe, unless motion is reduced. */
import {
  BoxGeometry,
  DoubleSide,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  RingGeometry,
} from "three";
import { ACCENTS } from "../room/palette.ts";
import { MAX_PINGS, type FloorMarks } from "./floor-marks.ts";

export interface MarksOnFloor {
  readonly group: Group;
  show(marks: FloorMarks): void;
  /** Moves on by some seconds; says whether anything moves. */
  update(seconds: number, isMotionReduced: boolean): boolean;
}

/** Above rugs and planks, below feet. */
const LIFT = 0.035;
const BREATHS_PER_SECOND = 0.9;
/** Lighter than rugs and planks, by day and by night. */
const RECEIVER = "#3ff0d2";
const FLAT = -Math.PI / 2;

export function createMarksOnFloor(): MarksOnFloor {
  const group = new Group();
  const waves = Array.from({ length: MAX_PINGS }, () => flat(new RingGeometry(0.3, 0.36, 40), 0.8));
  const dots = Array.from({ length: MAX_PINGS }, () => flat(new RingGeometry(0, 0.16, 24), 0.95));
  const zone = createZone();
  const receiver = flat(new RingGeometry(0.38, 0.58, 40), 0.95, RECEIVER);
  group.add(...waves, ...dots, zone, receiver);
  let shown = 0;
  let seconds = 0;
  return {
    group,
    show({ pings, zone: bounds, receiver: spotOfReceiver }) {
      receiver.visible = spotOfReceiver !== undefined;
      receiver.position.set(spotOfReceiver?.x ?? 0, LIFT, spotOfReceiver?.z ?? 0);
      shown = Math.min(pings.length, MAX_PINGS);
      for (const [at, mesh] of [...waves.entries(), ...dots.entries()]) {
        const spot = pings[at]?.spot;
        mesh.visible = spot !== undefined;
        if (spot !== undefined) mesh.position.set(spot.x, LIFT, spot.z);
      }
      zone.visible = bounds !== undefined;
      if (bounds === undefined) return;
      const { x, z, width, depth } = bounds;
      zone.position.set(x + width / 2, LIFT, z + depth / 2);
      zone.scale.set(Math.max(width, 0.01), 1, Math.max(depth, 0.01));
    },
    update(passed, isMotionReduced) {
      seconds = shown === 0 ? 0 : seconds + passed;
      const breath = isMotionReduced ? 0.35 : (seconds * BREATHS_PER_SECOND) % 1;
      for (const wave of waves) {
        wave.scale.setScalar(0.6 + breath * 1.6);
        wave.material.opacity = 0.85 * (1 - breath);
      }
      return shown > 0 && !isMotionReduced;
    },
  };
}

function flat(
  geometry: RingGeometry,
  opacity: number,
  color: string = ACCENTS.coral,
): Mesh<RingGeometry, MeshBasicMaterial> {
  geometry.rotateX(FLAT);
  const material = new MeshBasicMaterial({
    color,
    transparent: true,
    opacity,
    depthWrite: false,
    // Whoever points under a table means it to be seen.
    depthTest: false,
    side: DoubleSide,
  });
  const mesh = new Mesh(geometry, material);
  mesh.renderOrder = 1;
  mesh.visible = false;
  return mesh;
}

/** One by one meter; scaled to what is chosen. */
function createZone(): Group {
  const zone = new Group();
  const color = ACCENTS.teal;
  const veil = new MeshBasicMaterial({
    color,
    transparent: true,
    opacity: 0.28,
    depthWrite: false,
  });
  const edge = new LineBasicMaterial({ color: "#ffffff" });
  zone.add(
    new Mesh(new PlaneGeometry(1, 1).rotateX(FLAT), veil),
    new LineSegments(new EdgesGeometry(new BoxGeometry(1, 0.004, 1)), edge),
  );
  zone.visible = false;
  return zone;
}
