/** The lights themselves: one sun with shadows, the sky, the surroundings, and a few lamps that a mood turns on. */
import {
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  PMREMGenerator,
  PointLight,
  Scene,
  Vector3,
  type WebGLRenderer,
} from "three";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import { DESK_LAMP_BULB } from "../room/desk.ts";
import type { Finishes } from "../room/finishes.ts";
import { turnOf } from "../room/furniture.ts";
import { FLOOR_LAMP_GLOW } from "../room/lamps.ts";
import { placement, type Triple } from "../room/shape.ts";
import type { SceneManifest, SceneObject } from "../state/scene-manifest.ts";
import type { Mood } from "./mood.ts";

export interface Lights {
  readonly group: Group;
  set(mood: Mood, scene: Scene): void;
  /** 0 turns shadows off. */
  setShadows(resolution: number): void;
}

const LAMP_COLOR = "#ffc27a";
/** From the left and the front, so that shadows fall to the right, where viewers see them. */
const SUN_FROM = new Vector3(-2.6, 9.5, 7.5);
const FILL_FROM = new Vector3(9, 5, 2);

export function createLights(
  manifest: SceneManifest,
  finishes: Finishes,
  renderer: WebGLRenderer,
): Lights {
  const group = new Group();
  const sun = createSun(manifest);
  const fill = new DirectionalLight();
  fill.position.copy(FILL_FROM);
  const sky = new HemisphereLight();
  const lamps = createLamps(manifest);
  group.add(sun, sun.target, fill, sky, ...lamps.map(({ light }) => light));
  const generator = new PMREMGenerator(renderer);
  const surroundings = generator.fromScene(new RoomEnvironment(), 0.04).texture;
  generator.dispose();
  return {
    group,
    set(mood, scene) {
      sun.color.set(mood.sun.color);
      sun.intensity = mood.sun.intensity;
      fill.color.set(mood.fill.color);
      fill.intensity = mood.fill.intensity;
      sky.color.set(mood.sky.above);
      sky.groundColor.set(mood.sky.below);
      sky.intensity = mood.sky.intensity;
      scene.environment = surroundings;
      scene.environmentIntensity = mood.surroundings;
      finishes.lampshade.emissiveIntensity = mood.shades;
      for (const { light, strength } of lamps) {
        light.intensity = strength * mood.lamps;
        light.visible = mood.lamps > 0;
      }
    },
    setShadows(resolution) {
      sun.castShadow = resolution > 0;
      if (resolution === 0 || sun.shadow.mapSize.x === resolution) return;
      sun.shadow.mapSize.set(resolution, resolution);
      sun.shadow.map?.dispose();
      sun.shadow.map = null;
    },
  };
}

function createSun({ size }: SceneManifest): DirectionalLight {
  const sun = new DirectionalLight();
  sun.position.copy(SUN_FROM);
  const reach = Math.hypot(size.width, size.depth) / 2 + 0.8;
  const { camera } = sun.shadow;
  camera.left = camera.bottom = -reach;
  camera.right = camera.top = reach;
  camera.near = 2;
  camera.far = 30;
  sun.shadow.bias = -0.0004;
  sun.shadow.normalBias = 0.025;
  sun.shadow.radius = 5;
  return sun;
}

interface Lamp {
  readonly light: PointLight;
  readonly strength: number;
}

/** Few, because every point light costs every pixel: floor lamps, every third desk, the table, the front desk. */
function createLamps({ objects }: SceneManifest): Lamp[] {
  const all = (wanted: string): readonly SceneObject[] =>
    objects.filter(({ kind }) => kind === wanted);
  const desks = all("desk").filter((_, at) => at % 3 === 0);
  return [
    ...all("floor_lamp").map((one) => lamp(one, FLOOR_LAMP_GLOW, 6, 7)),
    ...desks.map((one) => lamp(one, [DESK_LAMP_BULB[0], 1.35, 0], 4, 4.5)),
    ...all("round_table").map((one) => lamp(one, [0, 2.3, 0], 7, 6)),
    ...all("counter").map((one) => lamp(one, [0.3, 1.8, -0.3], 4.5, 5)),
  ];
}

function lamp(object: SceneObject, bulb: Triple, strength: number, reach: number): Lamp {
  const light = new PointLight(new Color(LAMP_COLOR), 0, reach, 1.6);
  light.position.set(...bulb).applyMatrix4(placement(object.pos, turnOf(object)));
  return { light, strength };
}
