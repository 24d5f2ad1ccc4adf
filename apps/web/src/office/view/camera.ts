/**
 * The camera: a long lens that frames the room, goes where it is asked to, and never looks behind the walls.
 *
 * What it looks at is in the middle of the free part of the picture, not of the whole: the lens is shifted, as one shifts
 * the lens of a view camera, so that nothing is drawn twice and pointing still meets what is seen.
 */
import CameraControls from "camera-controls";
import {
  Box3,
  Matrix4,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Sphere,
  Spherical,
  Vector2,
  Vector3,
  Vector4,
} from "three";
import { WALL_HEIGHT } from "../room/walls-and-windows.ts";
import type { Point, SceneManifest } from "../state/scene-manifest.ts";
import { framePoints, type Lens } from "./framing.ts";
import type { PictureSize, Rectangle } from "./rectangle.ts";

export interface OfficeCamera {
  readonly camera: PerspectiveCamera;
  frameRoom(): void;
  flyTo(place: Point): void;
  /** Keeps a moving place in the middle; called with every frame while someone is followed. */
  keepAt(place: Point): void;
  /** The size of the picture, and the part of it that nothing lies over; goes there smoothly when `isMoving`. */
  fit(size: PictureSize, free: Rectangle, isMoving: boolean): void;
  setReducedMotion(isReduced: boolean): void;
  /** Moves on by some seconds; says whether the view changed. */
  update(seconds: number): boolean;
  dispose(): void;
}

const FIELD_OF_VIEW = 24;
/** From the open corner of the room, a little more along the windows' wall. */
const VIEW_FROM = new Vector3(0.72, 0.62, 0.8);
const MARGIN = 0.03;
const CLOSE_UP = 9;
/** In about this many seconds most of a change of the free part is made up for. */
const SHIFT_SECONDS = 0.13;

/** `onInput` is called when someone moves it by hand. */
export function createCamera(
  { size: room }: SceneManifest,
  element: HTMLElement,
  onInput: () => void,
): OfficeCamera {
  CameraControls.install({
    THREE: { Box3, Matrix4, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3, Vector4 },
  });
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 1, 120);
  const controls = new CameraControls(camera, element);
  const outline = roomOutline(room);
  let isSmooth = true;
  let isFramed = true;
  let size: PictureSize = { width: 1, height: 1 };
  let free: Rectangle = { left: 0, top: 0, right: 1, bottom: 1 };
  let shift = { x: 0, y: 0 };
  limit(controls);
  controls.addEventListener("control", () => {
    isFramed = false;
    onInput();
  });

  const frameRoom = (isMoving: boolean): void => {
    const whole = framePoints(outline, VIEW_FROM, lensOf(free, size), MARGIN);
    isFramed = true;
    void controls.setLookAt(...whole.position.toArray(), ...whole.target.toArray(), isMoving);
  };
  const shiftTo = ({ x, y }: Shift): void => {
    shift = { x, y };
    const { width, height } = size;
    camera.setViewOffset(width, height, -x, -y, width, height);
    // So that zooming goes to what is under the pointer.
    controls.setViewport(x, -y, width, height);
  };
  const ease = (seconds: number): boolean => {
    const wanted = wantedShift(free, size);
    const [x, y] = [wanted.x - shift.x, wanted.y - shift.y];
    if (x === 0 && y === 0) return false;
    const share = isSmooth ? 1 - Math.exp(-seconds / SHIFT_SECONDS) : 1;
    const isThere = Math.hypot(x, y) < 0.5;
    shiftTo(isThere ? wanted : { x: shift.x + x * share, y: shift.y + y * share });
    return true;
  };
  const lookAt = ([x, , z]: Point, isMoving: boolean): void => {
    isFramed = false;
    void controls.moveTo(x, 0.9, z, isMoving);
  };

  return {
    camera,
    frameRoom: () => frameRoom(isSmooth),
    flyTo(place) {
      lookAt(place, isSmooth);
      void controls.dollyTo(CLOSE_UP, isSmooth);
    },
    keepAt: (place) => lookAt(place, isSmooth),
    fit(newSize, newFree, isMoving) {
      const isEased = isMoving && isSmooth;
      [size, free] = [newSize, newFree];
      camera.aspect = size.width / size.height;
      shiftTo(isEased ? shift : wantedShift(free, size));
      if (isFramed) frameRoom(isEased);
    },
    setReducedMotion: (isReduced) => void (isSmooth = !isReduced),
    update(seconds) {
      const isShifting = ease(seconds);
      return controls.update(seconds) || isShifting;
    },
    dispose: () => controls.dispose(),
  };
}

interface Shift {
  readonly x: number;
  readonly y: number;
}

/** From the middle of the picture to the middle of its free part. */
function wantedShift(free: Rectangle, { width, height }: PictureSize): Shift {
  return { x: (free.left + free.right - width) / 2, y: (free.top + free.bottom - height) / 2 };
}

/** What the free part alone shows. */
function lensOf(free: Rectangle, { height }: PictureSize): Lens {
  const [wide, tall] = [free.right - free.left, free.bottom - free.top];
  const slope = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * (tall / height);
  return { fov: (Math.atan(slope) * 360) / Math.PI, aspect: wide / tall };
}

/** The slab's corners, and the walls' upper ones, which only the two far sides have. */
function roomOutline({ width, depth }: SceneManifest["size"]): readonly Vector3[] {
  const [x, z] = [width / 2 + 0.3, depth / 2 + 0.3];
  const slab = [-1, 1].flatMap((east) =>
    [-1, 1].map((south) => new Vector3(east * x, -0.3, south * z)),
  );
  const walls = [
    [-1, -1],
    [1, -1],
    [-1, 1],
  ].map(
    ([east = 1, south = 1]) =>
      new Vector3((east * width) / 2, WALL_HEIGHT + 0.1, (south * depth) / 2),
  );
  return [...slab, ...walls];
}

function limit(controls: CameraControls): void {
  controls.minDistance = 5;
  controls.maxDistance = 60;
  controls.minPolarAngle = 0.35;
  controls.maxPolarAngle = 1.35;
  // A quarter turn: beyond, a wall would stand between the viewer and the room.
  controls.minAzimuthAngle = -0.05;
  controls.maxAzimuthAngle = Math.PI / 2 + 0.05;
  controls.smoothTime = 0.35;
  controls.dollyToCursor = true;
}
