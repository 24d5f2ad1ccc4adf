/**
 * The office from above, as a description of SVG elements: for small screens, and where there is no WebGL.
 *
 * The same figures as in the 3D office, so both tell the same story at the same moment. Pure; drawing it is svg.ts.
 */
import { toneOf, type Tone } from "../office/labels/tone.ts";
import { NO_MARKS, type Bounds, type FloorMarks, type Ping } from "../office/marks/floor-marks.ts";
import type { OfficeState } from "../office/office-state.ts";
import { appearanceOf } from "../office/people/appearance.ts";
import { figuresAt, type Figure } from "../office/people/figures.ts";
import { RUG_SIZES, rugNameOf } from "../office/room/rug-plan.ts";
import type { SceneManifest, SceneObject } from "../office/scene-manifest.ts";

/** An SVG element: its name, attributes, text and children. */
export interface Drawn {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly children?: readonly Drawn[];
}

/** What is said about a figure to those who cannot see it; the page's words, in its language. */
export type Say = (figure: Figure) => string;

const EDGE = 0.4;

export function drawFloorPlan(
  scene: SceneManifest,
  state: OfficeState,
  time: number,
  say: Say,
  marks: FloorMarks = NO_MARKS,
): Drawn {
  const { width, depth } = scene.size;
  const box = [-width / 2 - EDGE, -depth / 2 - EDGE, width + EDGE * 2, depth + EDGE * 2];
  return {
    name: "svg",
    attributes: { viewBox: box.map(trim).join(" "), class: "floor-plan", role: "group" },
    children: [
      rectangle("floor-plan-floor", [-width / 2, -depth / 2, width, depth]),
      ...flatFirst(scene).map((object) => drawObject(object, scene)),
      ...(marks.zone === undefined ? [] : [drawZone(marks.zone)]),
      ...figuresAt(scene, state, time).map((figure) => drawFigure(figure, say(figure))),
      ...marks.pings.map(drawPing),
    ],
  };
}

function rectangle(
  className: string,
  [x, y, width, height]: readonly [number, number, number, number],
): Drawn {
  return {
    name: "rect",
    attributes: {
      class: className,
      x: trim(x),
      y: trim(y),
      width: trim(width),
      height: trim(height),
      rx: "0.06",
    },
  };
}

/** What others stand on is under them. */
function flatFirst({ objects }: SceneManifest): readonly SceneObject[] {
  const [rugs = [], others = []] = [true, false].map((isRug) =>
    objects.filter(({ kind }) => (kind === "rug") === isRug),
  );
  return [...rugs, ...others];
}

function drawObject(object: SceneObject, scene: SceneManifest): Drawn {
  const {
    kind,
    pos: [x, , z],
    rotation,
    footprint,
  } = object;
  const name = kind === "rug" ? `rug-${rugNameOf(object, scene)}` : kind.replaceAll("_", "-");
  const className = `floor-plan-object is-${name}`;
  if (footprint?.shape === "disc") {
    return {
      name: "circle",
      attributes: { class: className, cx: trim(x), cy: trim(z), r: trim(footprint.radius) },
    };
  }
  const [width, depth] =
    footprint === null ? flatSize(object, scene) : [footprint.width, footprint.depth];
  const shape = rectangle(className, [x - width / 2, z - depth / 2, width, depth]);
  if (rotation === 0) return shape;
  const transform = `rotate(${rotation} ${trim(x)} ${trim(z)})`;
  return { ...shape, attributes: { ...shape.attributes, transform } };
}

const IN_WALLS: Readonly<Record<string, number>> = { window: 1.5, door: 0.95 };

function flatSize(
  object: SceneObject,
  scene: SceneManifest,
): readonly [width: number, depth: number] {
  if (object.kind === "rug") return RUG_SIZES[rugNameOf(object, scene)];
  return [IN_WALLS[object.kind] ?? 0.6, 0.16];
}

function drawFigure(figure: Figure, says: string): Drawn {
  const { agent, whereabouts } = figure;
  const [x, , z] = whereabouts.pos;
  const { top, skin } = appearanceOf(agent.agent_id);
  const tone: Tone = toneOf(figure);
  // SVG turns clockwise from the right, headings counterclockwise from below.
  const turn = 90 - (whereabouts.heading * 180) / Math.PI;
  const ring: readonly Drawn[] = figure.isAsking
    ? [{ name: "circle", attributes: { class: "floor-plan-ring", r: "0.38" } }]
    : [];
  return {
    name: "g",
    attributes: {
      class: "floor-plan-agent",
      transform: `translate(${trim(x)} ${trim(z)})`,
      role: "button",
      tabindex: "0",
      "aria-label": `${agent.name}: ${says}`,
      "data-agent": agent.agent_id,
      "data-tone": tone,
      opacity: figure.isGhost ? "0.45" : "1",
    },
    children: [
      ...ring,
      {
        name: "path",
        attributes: {
          class: "floor-plan-nose",
          d: "M0.12 -0.12 L0.3 0 L0.12 0.12 Z",
          fill: top,
          transform: `rotate(${trim(turn)})`,
        },
      },
      { name: "circle", attributes: { r: "0.22", fill: top } },
      { name: "circle", attributes: { r: "0.12", fill: skin } },
      { name: "text", attributes: { class: "floor-plan-name", y: "-0.32" }, text: agent.name },
    ],
  };
}

function drawZone({ x, z, width, depth }: Bounds): Drawn {
  return rectangle("floor-plan-zone", [x, z, width, depth]);
}

/** For the eye alone; it is announced in words. */
function drawPing({ spot, name }: Ping): Drawn {
  return {
    name: "g",
    attributes: {
      class: "floor-plan-ping",
      transform: `translate(${trim(spot.x)} ${trim(spot.z)})`,
      "aria-hidden": "true",
    },
    children: [
      { name: "circle", attributes: { class: "floor-plan-wave", r: "0.42" } },
      { name: "circle", attributes: { r: "0.14" } },
      { name: "text", attributes: { class: "floor-plan-name", y: "-0.5" }, text: name },
    ],
  };
}

function trim(value: number): string {
  return String(Math.round(value * 1000) / 1000 + 0);
}
