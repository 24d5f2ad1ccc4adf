/**
 * The office from above, as a description of SVG elements: for small screens, and where there is no WebGL.
 *
 * The same figures as in the 3D office, so both tell the same story at the same moment. Pure; drawing it is svg.ts.
 */
import { own } from "@atrium/wire";
import { signatureOf } from "../office/labels/signature.ts";
import { toneOf, type Tone } from "../office/labels/tone.ts";
import {
  NO_MARKS,
  type Bounds,
  type FloorMarks,
  type FloorPing,
  type Spot,
} from "../office/marks/floor-marks.ts";
import { appearanceOf } from "../office/people/appearance.ts";
import { figuresAt, type Figure } from "../office/people/figures.ts";
import { RUG_SIZES, rugNameOf } from "../office/room/rug-plan.ts";
import type { OfficeState, ScreenText } from "../office/state/office-state.ts";
import { openPlan, type OpenPlan } from "../office/state/open-plan.ts";
import { deskOf, type SceneManifest, type SceneObject } from "../office/state/scene-manifest.ts";
import type { Rectangle } from "../office/view/rectangle.ts";
import { drawLabel, type DrawnLabel } from "./draw-label.ts";
import { drawPlanCard } from "./draw-plan-card.ts";
import { planScreen, type PlanScreen } from "./draw-screen.ts";
import { rectangle, trim, type SvgElement } from "./drawn.ts";
import {
  createPlanLabels,
  headBox,
  PLAIN_SCALE,
  shortened,
  type PlanScale,
} from "./plan-labels.ts";

/** What is said about a figure to those who cannot see it; the page's words, in its language. */
export type Say = (figure: Figure) => string;

const EDGE = 0.4;
/** Among more than this, only those who are waited for are named. */
const MAX_NAMED = 40;
const NAMED_IN_CROWD: ReadonlySet<Tone> = new Set(["asks", "failed"]);

export interface PlanView {
  readonly marks: FloorMarks;
  readonly scale: PlanScale;
  /** What agents have on their monitors. */
  readonly screens?: ReadonlyMap<string, ScreenText>;
  /** What hangs above the meeting table. */
  readonly plan?: OpenPlan | undefined;
}

const PLAIN_VIEW: PlanView = { marks: NO_MARKS, scale: PLAIN_SCALE };

export interface FloorPlan {
  /** How wide and deep it is with its edge, in meters. */
  readonly size: readonly [width: number, depth: number];
  draw(figures: readonly Figure[], say: Say, view?: PlanView): SvgElement;
}

/** What looks as it did is the same object as it was, so that whoever puts it into a page need not look at it. */
export function createFloorPlan(scene: SceneManifest): FloorPlan {
  const { width, depth } = scene.size;
  const size = [width + EDGE * 2, depth + EDGE * 2] as const;
  const box = [-size[0] / 2, -size[1] / 2, ...size];
  const attributes = { viewBox: box.map(trim).join(" "), class: "floor-plan", role: "group" };
  const room = [
    rectangle("floor-plan-floor", [-width / 2, -depth / 2, width, depth]),
    ...flatFirst(scene).map((object) => drawObject(object, scene)),
  ];
  const placeLabels = createPlanLabels();
  let before = new Map<string, DrawnFigure>();
  return {
    size,
    draw(figures, say, { marks, scale, screens, plan } = PLAIN_VIEW) {
      const now = new Map<string, DrawnFigure>();
      const isCrowd = figures.length > MAX_NAMED;
      const monitors = new Map<string, PlanScreen>();
      for (const { agent, poi } of isCrowd ? [] : figures) {
        const place = { name: agent.name, desk: deskOf(poi, scene) };
        const screen = planScreen(place, screens?.get(agent.agent_id), scale);
        if (screen !== undefined) monitors.set(agent.agent_id, screen);
      }
      const texts = figures.map((figure) => ({ figure, says: say(figure) }));
      // A monitor has the name of whoever sits there.
      const named = texts.filter(
        ({ figure }) =>
          !monitors.has(figure.agent.agent_id) && (!isCrowd || NAMED_IN_CROWD.has(toneOf(figure))),
      );
      const heads = figures.map((figure) => headBox(figure, scale));
      const taken = [...heads, ...monitors.values().map((screen) => screen.box)];
      const labels = placeLabels(named, taken, inPixels(size, scale), scale);
      for (const { figure, says } of texts) {
        const { agent_id: id } = figure.agent;
        const [x, , z] = figure.whereabouts.pos;
        const label = drawLabel(labels.get(id), { x, z }, scale);
        const key = lookOf(figure, says, label);
        const last = before.get(id);
        const isSame = last?.key === key;
        now.set(id, isSame ? last : { key, drawn: drawFigure(figure, says, label.drawn) });
      }
      before = now;
      const marked = [
        ...(marks.receiver === undefined ? [] : [drawReceiver(marks.receiver)]),
        ...(marks.zone === undefined ? [] : [drawZone(marks.zone)]),
        ...marks.pings.map(drawPing),
      ];
      const people = now.values().map(({ drawn }) => drawn);
      const prints = monitors.entries().map(([id, screen]) => drawMonitor(id, screen));
      const card = plan === undefined ? [] : [drawPlanCard(plan, size, scale)];
      const children = [...room, ...card, ...people, ...prints, ...marked];
      return { name: "svg", attributes, children };
    },
  };
}

interface DrawnFigure {
  /** The same for what looks the same. */
  readonly key: string;
  readonly drawn: SvgElement;
}

function lookOf(figure: Figure, says: string, label: DrawnLabel): string {
  const { agent, whereabouts, isAsking, isGhost } = figure;
  const { state, status } = agent;
  const { pos, heading } = whereabouts;
  const whole = wholeOf(agent, says);
  return JSON.stringify([whole, pos, heading, isAsking, isGhost, state, status, label.key]);
}

/** The whole plan at a time. */
export function drawFloorPlan(
  scene: SceneManifest,
  state: OfficeState,
  time: number,
  say: Say,
): SvgElement {
  const plan = openPlan(scene, state.tasks);
  const view = { ...PLAIN_VIEW, screens: state.streams, plan };
  return createFloorPlan(scene).draw(figuresAt(scene, state, time), say, view);
}

/** What others stand on is under them. */
function flatFirst({ objects }: SceneManifest): readonly SceneObject[] {
  const [rugs = [], others = []] = [true, false].map((isRug) =>
    objects.filter(({ kind }) => (kind === "rug") === isRug),
  );
  return [...rugs, ...others];
}

function drawObject(object: SceneObject, scene: SceneManifest): SvgElement {
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
  if (rotation % 90 === 0) {
    const [wide, deep] = rotation % 180 !== 0 ? [depth, width] : [width, depth];
    return rectangle(className, [x - wide / 2, z - deep / 2, wide, deep]);
  }
  const shape = rectangle(className, [x - width / 2, z - depth / 2, width, depth]);
  const transform = `rotate(${rotation} ${trim(x)} ${trim(z)})`;
  return { ...shape, attributes: { ...shape.attributes, transform } };
}

const IN_WALLS: Readonly<Record<string, number>> = { window: 1.5, door: 0.95 };

function flatSize(
  object: SceneObject,
  scene: SceneManifest,
): readonly [width: number, depth: number] {
  if (object.kind === "rug") return RUG_SIZES[rugNameOf(object, scene)];
  return [own(IN_WALLS, object.kind) ?? 0.6, 0.16];
}

/** Where coordinates say where someone is, and no transform does: a browser keeps a layer of its own for every transform. */
function drawFigure(figure: Figure, says: string, label: readonly SvgElement[]): SvgElement {
  const { agent, whereabouts } = figure;
  const [x, , z] = whereabouts.pos;
  const { top, skin } = appearanceOf(agent.agent_id, agent.look);
  const tone: Tone = toneOf(figure);
  const disc = (r: string, more: Readonly<Record<string, string>>): SvgElement => ({
    name: "circle",
    attributes: { cx: trim(x), cy: trim(z), r, ...more },
  });
  return {
    name: "g",
    attributes: {
      class: "floor-plan-agent",
      role: "button",
      tabindex: "0",
      "aria-label": calledOnPlan(agent, says),
      "data-agent": agent.agent_id,
      "data-tone": tone,
      opacity: figure.isGhost ? "0.45" : "1",
    },
    children: [
      disc("0.45", { class: "floor-plan-hit" }),
      // The whole name, where the label has room for its beginning.
      { name: "title", attributes: {}, text: wholeOf(agent, says) },
      ...markOf(tone, [x, z], disc),
      { name: "path", attributes: { class: "floor-plan-nose", d: noseOf(whereabouts), fill: top } },
      disc("0.22", { class: "floor-plan-body", fill: top }),
      disc("0.12", { fill: skin }),
      ...label,
    ],
  };
}

/** Beside whoever sits there and not in the button they are: what a command prints is no part of their name. */
function drawMonitor(agentId: string, { drawn }: PlanScreen): SvgElement {
  const attributes = { class: "floor-plan-monitor", "aria-hidden": "true", "data-agent": agentId };
  return { name: "g", attributes, children: drawn };
}

/** It begins with what is read on the plan; where that is cut, the whole follows. */
function calledOnPlan(agent: Figure["agent"], says: string): string {
  const signature = shortened(signatureOf(agent));
  const shown = `${shortened(agent.name)}: ${shortened(says)} ${signature}`.trimEnd();
  const whole = wholeOf(agent, says);
  return shown === whole ? whole : `${shown} (${whole})`;
}

function wholeOf(agent: Figure["agent"], says: string): string {
  return `${agent.name}: ${says} ${signatureOf(agent)}`.trimEnd();
}

/** Told apart by shape as well as by color: a full ring asks, a dashed one is in review, a square has failed. */
function markOf(
  tone: Tone,
  [x, z]: readonly [number, number],
  disc: (r: string, more: Readonly<Record<string, string>>) => SvgElement,
): readonly SvgElement[] {
  switch (tone) {
    case "asks":
      return [disc("0.38", { class: "floor-plan-ring" })];
    case "review":
      return [disc("0.31", { class: "floor-plan-ring is-review" })];
    case "failed":
      return [rectangle("floor-plan-ring is-failed", [x - 0.31, z - 0.31, 0.62, 0.62], 0.06)];
    case "busy":
    case "idle":
    case "ghost":
      return [];
  }
}

/** A small triangle that says which way one looks. Headings turn counterclockwise from the south, which is down here. */
function noseOf({ pos: [x, , z], heading }: Figure["whereabouts"]): string {
  const [ahead, aside] = [
    [Math.sin(heading), Math.cos(heading)],
    [Math.cos(heading), -Math.sin(heading)],
  ] as const;
  const corner = (far: number, off: number): string =>
    `${trim(x + ahead[0] * far + aside[0] * off)} ${trim(z + ahead[1] * far + aside[1] * off)}`;
  return `M${corner(0.12, -0.12)} L${corner(0.3, 0)} L${corner(0.12, 0.12)} Z`;
}

function inPixels([width, depth]: FloorPlan["size"], { pixelsPerMeter }: PlanScale): Rectangle {
  const [right, bottom] = [(width / 2) * pixelsPerMeter, (depth / 2) * pixelsPerMeter];
  return { left: -right, top: -bottom, right, bottom };
}

function drawReceiver({ x, z }: Spot): SvgElement {
  return {
    name: "circle",
    attributes: { class: "floor-plan-receiver", cx: trim(x), cy: trim(z), r: "0.46" },
  };
}

function drawZone({ x, z, width, depth }: Bounds): SvgElement {
  return rectangle("floor-plan-zone", [x, z, width, depth]);
}

/** For the eye alone; it is announced in words. */
function drawPing({ spot, name }: FloorPing): SvgElement {
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
      { name: "text", attributes: { class: "floor-plan-pinger", y: "-0.5" }, text: name },
    ],
  };
}
