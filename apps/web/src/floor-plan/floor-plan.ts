import { toneOf, type Tone } from "../office/labels/tone.ts";
import type { OfficeState } from "../office/office-state.ts";
/**
 * The office from above, as a description of SVG elements: for small screens, and where there is no WebGL.
 *
 * The same figures as in the 3D office, so both tell the same story at the same moment. Pure; drawing it is svg.ts.
 */
import { appearanceOf } from "../office/people/appearance.ts";
import { figuresAt, type Figure } from "../office/people/figures.ts";
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
): Drawn {
  const { width, depth } = scene.size;
  const box = [-width / 2 - EDGE, -depth / 2 - EDGE, width + EDGE * 2, depth + EDGE * 2];
  return {
    name: "svg",
    attributes: { viewBox: box.map(trim).join(" "), class: "floor-plan", role: "group" },
    children: [
      rectangle("floor-plan-floor", [-width / 2, -depth / 2, width, depth]),
      ...scene.objects.map(drawObject),
      ...figuresAt(scene, state, time).map((figure) => drawFigure(figure, say(figure))),
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

const FLAT: Readonly<Record<string, readonly [width: number, depth: number]>> = {
  window: [1.5, 0.16],
  door: [0.95, 0.16],
  rug: [2.6, 2.4],
};

function drawObject({ kind, pos: [x, , z], rotation, footprint }: SceneObject): Drawn {
  const className = `floor-plan-object is-${kind.replaceAll("_", "-")}`;
  if (footprint?.shape === "disc") {
    return {
      name: "circle",
      attributes: { class: className, cx: trim(x), cy: trim(z), r: trim(footprint.radius) },
    };
  }
  const [width, depth] =
    footprint === null ? (FLAT[kind] ?? [0.6, 0.6]) : [footprint.width, footprint.depth];
  const shape = rectangle(className, [x - width / 2, z - depth / 2, width, depth]);
  return rotation === 0
    ? shape
    : {
        ...shape,
        attributes: { ...shape.attributes, transform: `rotate(${rotation} ${trim(x)} ${trim(z)})` },
      };
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

function trim(value: number): string {
  return String(Math.round(value * 1000) / 1000 + 0);
}
