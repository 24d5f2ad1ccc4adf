/** The camera: a long lens that frames the room, goes where it is asked to, and never looks behind the walls. */
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
import type { Point, SceneManifest } from "../scene-manifest.ts";
import { framePoints } from "./framing.ts";

export interface OfficeCamera {
  readonly camera: PerspectiveCamera;
  frameRoom(): void;
  flyTo(place: Point): void;
  /** Keeps a moving place in the middle; called with every frame while someone is followed. */
  keepAt(place: Point): void;
  resize(aspect: number): void;
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

/** `onInput` is called when someone moves it by hand. */
export function createCamera(
  { size }: SceneManifest,
  element: HTMLElement,
  onInput: () => void,
): OfficeCamera {
  CameraControls.install({
    THREE: { Box3, Matrix4, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3, Vector4 },
  });
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 1, 120);
  const controls = new CameraControls(camera, element);
  const outline = roomOutline(size);
  let isSmooth = true;
  let isFramed = true;
  limit(controls);
  controls.addEventListener("control", () => {
    isFramed = false;
    onInput();
  });

  const frameRoom = (isMoving: boolean): void => {
    const whole = framePoints(
      outline,
      VIEW_FROM,
      { fov: camera.fov, aspect: camera.aspect },
      MARGIN,
    );
    isFramed = true;
    void controls.setLookAt(...whole.position.toArray(), ...whole.target.toArray(), isMoving);
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
    resize(aspect) {
      camera.aspect = aspect;
      camera.updateProjectionMatrix();
      if (isFramed) frameRoom(false);
    },
    setReducedMotion: (isReduced) => void (isSmooth = !isReduced),
    update: (seconds) => controls.update(seconds),
    dispose: () => controls.dispose(),
  };
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
