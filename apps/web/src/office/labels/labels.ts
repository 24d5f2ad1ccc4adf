/** Names over heads, as real buttons over the canvas: crisp, translatable, in the tab order. */
import { Vector3, type PerspectiveCamera } from "three";
import { BODY } from "../people/body.ts";
import type { Figure } from "../people/figures.ts";
import { isWithin, type PictureSize } from "../view/rectangle.ts";
import { placeLabels, type LabelPlace, type LabelSpace, type LabelWish } from "./label-layout.ts";
import { RANKS, toneOf, type Tone } from "./tone.ts";

/** One label, made by whoever owns the page. */
export interface Label {
  readonly element: HTMLElement;
  /** Puts on it what is to be read now; says whether it may have another size for it. */
  update(figure: Figure): boolean;
}

export type LabelFactory = (agentId: string) => Label;

export interface LabelPicture extends LabelSpace {
  readonly size: PictureSize;
}

export interface Labels {
  /** The picture has another size, or other things lie over it. */
  fit(picture: LabelPicture): void;
  /** What is known of people has changed, or the words for it. */
  refresh(): void;
  update(figures: readonly Figure[], camera: PerspectiveCamera): void;
  dispose(): void;
}

interface Mounted {
  readonly label: Label;
  /** Undefined: to be measured. All are measured at once, since it makes the browser lay out the page. */
  size: { readonly width: number; readonly height: number } | undefined;
  tone: Tone | undefined;
  place: number | undefined;
  isDot: boolean;
  isHidden: boolean;
  transform: string;
}

export function createLabels(layer: HTMLElement, create: LabelFactory): Labels {
  const mounted = new Map<string, Mounted>();
  let picture: LabelPicture = { size: { width: 1, height: 1 }, free: NOWHERE, covers: [] };
  let isStale = true;

  const mount = (agentId: string): Mounted => {
    const label = create(agentId);
    layer.append(label.element);
    const fresh = { label, size: undefined, tone: undefined, place: undefined, transform: "" };
    const entry: Mounted = { ...fresh, isDot: false, isHidden: false };
    mounted.set(agentId, entry);
    return entry;
  };
  const removeOthers = (present: ReadonlySet<string>): void => {
    for (const [id, { label }] of mounted) {
      if (present.has(id)) continue;
      label.element.remove();
      mounted.delete(id);
    }
  };
  const read = (figure: Figure): void => {
    const entry = mounted.get(figure.agent.agent_id) ?? mount(figure.agent.agent_id);
    const tone = toneOf(figure);
    if (!isStale && entry.tone === tone) return;
    entry.tone = tone;
    if (!entry.label.update(figure) && entry.size !== undefined) return;
    entry.size = undefined;
    setDot(entry, false);
  };
  const wishOf = (figure: Figure, camera: PerspectiveCamera): LabelWish | undefined => {
    const id = figure.agent.agent_id;
    const entry = mounted.get(id);
    if (entry === undefined) return undefined;
    const { element } = entry.label;
    entry.size ??= { width: element.offsetWidth, height: element.offsetHeight };
    const head = headOf(figure, camera, picture.size);
    // Who needs a person is named at the edge; others are not, when they are out of sight.
    const isShown = figure.isAsking || isInSight(head, picture);
    setHidden(entry, !isShown);
    if (!isShown) return undefined;
    return { id, head, ...entry.size, rank: RANKS[entry.tone ?? "idle"], last: entry.place };
  };

  return {
    fit: (next) => void (picture = next),
    refresh: () => void (isStale = true),
    update(figures, camera) {
      if (isStale) removeOthers(new Set(figures.map(({ agent }) => agent.agent_id)));
      for (const figure of figures) read(figure);
      isStale = false;
      const wishes = figures.flatMap((figure) => wishOf(figure, camera) ?? []);
      for (const place of placeLabels(wishes, picture)) {
        const entry = mounted.get(place.id);
        if (entry !== undefined) put(entry, place);
      }
    },
    dispose() {
      for (const { label } of mounted.values()) label.element.remove();
      mounted.clear();
    },
  };
}

const NOWHERE = { left: 0, top: 0, right: 1, bottom: 1 };

function put(entry: Mounted, { x, y, isDot, place }: LabelPlace): void {
  entry.place = place;
  setDot(entry, isDot);
  const transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -50%)`;
  if (entry.transform === transform) return;
  entry.transform = transform;
  entry.label.element.style.transform = transform;
}

function setDot(entry: Mounted, isDot: boolean): void {
  if (entry.isDot === isDot) return;
  entry.isDot = isDot;
  entry.label.element.classList.toggle("is-dot", isDot);
}

function setHidden(entry: Mounted, isHidden: boolean): void {
  if (entry.isHidden === isHidden) return;
  entry.isHidden = isHidden;
  entry.label.element.style.visibility = isHidden ? "hidden" : "";
}

function isInSight(head: LabelWish["head"], { free, covers }: LabelSpace): boolean {
  return isWithin(head, free) && !covers.some((cover) => isWithin(head, cover));
}

/** Chairs are as high as hips, so that heads are this high also of those who sit. */
const HEAD_TOP = BODY.hip + BODY.neck + BODY.headUp + BODY.headRadius * 1.1;

function headOf(
  { whereabouts }: Figure,
  camera: PerspectiveCamera,
  { width, height }: PictureSize,
): LabelWish["head"] {
  const [x, , z] = whereabouts.pos;
  const point = new Vector3(x, HEAD_TOP, z);
  const distance = point.distanceTo(camera.position);
  point.project(camera);
  const pixelsPerMeter = height / (2 * distance * Math.tan((camera.fov * Math.PI) / 360));
  return {
    x: ((point.x + 1) / 2) * width,
    y: ((1 - point.y) / 2) * height,
    radius: BODY.headRadius * pixelsPerMeter,
  };
}
