/**
 * Names on the plan, and under them a word of what each does and whose it is: none over another, over a head, or beyond the edge.
 *
 * Names are as large as the page's print however small the plan is. They are placed first, by the layout that the 3D office
 * has; then those around which there is room left get their second line. Pure; all lengths are in pixels until it is drawn.
 */
import { placeLabels, type LabelPlace, type LabelWish } from "../office/labels/label-layout.ts";
import { signatureOf } from "../office/labels/signature.ts";
import { RANKS, toneOf } from "../office/labels/tone.ts";
import type { Figure } from "../office/people/figures.ts";
import type { Rectangle } from "../office/view/rectangle.ts";

/** How large the plan is on the page. */
export interface PlanScale {
  readonly pixelsPerMeter: number;
  readonly widthOf: (text: string, line: keyof typeof PRINT) => number;
}

/** Of the letters of each line. */
export const PRINT = { name: 12, does: 10.5, signature: 9.5 } as const;

/** Where nothing can be measured. */
export const PLAIN_SCALE: PlanScale = {
  pixelsPerMeter: 40,
  widthOf: (text, line) => text.length * PRINT[line] * 0.6,
};

export interface PlanLabel {
  readonly name: string;
  /** Undefined where there is no room for it. */
  readonly does: string | undefined;
  /** Empty where there is nothing to say, or no room. */
  readonly signature: string;
  readonly box: Rectangle;
}

/** Someone, and what it does. */
export interface LabelText {
  readonly figure: Figure;
  readonly says: string;
}

const HEAD = 0.25;
const RINGED_HEAD = 0.4;
const MAX_CHARS = 22;
const PADDING = 7;
const LINE = { name: 18, does: 13, signature: 12 } as const;

export type PlacePlanLabels = (
  texts: readonly LabelText[],
  taken: readonly Rectangle[],
  free: Rectangle,
  scale: PlanScale,
) => ReadonlyMap<string, PlanLabel>;

/** It remembers where each label was, so that they do not come and go as people walk. */
export function createPlanLabels(): PlacePlanLabels {
  let named = new Map<string, number | undefined>();
  let explained = new Map<string, number | undefined>();
  return (texts, taken, free, scale) => {
    const wishes = texts.map((each) => wishOf(each, scale, named.get(idOf(each))));
    const sizes = new Map(wishes.map((wish) => [wish.id, wish]));
    const placed = placeLabels(wishes, { free, covers: taken });
    const boxes = new Map(
      placed.filter(({ isDot }) => !isDot).map((place) => [place.id, boxOf(place, sizes)]),
    );
    named = new Map(placed.map(({ id, place }) => [id, place]));
    const before = explained;
    explained = new Map();
    const labels = new Map<string, PlanLabel>();
    for (const each of texts) {
      const id = idOf(each);
      const box = boxes.get(id);
      if (box === undefined) continue;
      boxes.delete(id);
      const does = shortened(each.says);
      const wish = { ...wishOf(each, scale, before.get(id), does), rank: 1 };
      const covers = [...taken, ...boxes.values()];
      const [larger] = placeLabels([wish], { free, covers });
      const isExplained = larger !== undefined && !larger.isDot;
      const mine = isExplained ? boxOf(larger, new Map([[id, wish]])) : box;
      if (isExplained) explained.set(id, larger.place);
      boxes.set(id, mine);
      labels.set(id, {
        name: shortened(each.figure.agent.name),
        does: isExplained ? does : undefined,
        signature: isExplained ? signatureIn(each.figure) : "",
        box: mine,
      });
    }
    return labels;
  };
}

function idOf({ figure }: LabelText): string {
  return figure.agent.agent_id;
}

function wishOf(
  { figure }: LabelText,
  scale: PlanScale,
  last: number | undefined,
  does?: string,
): LabelWish {
  const { left, right, top, bottom } = headBox(figure, scale);
  const signature = does === undefined ? "" : signatureIn(figure);
  const widest = Math.max(
    scale.widthOf(shortened(figure.agent.name), "name"),
    does === undefined ? 0 : scale.widthOf(does, "does"),
    signature === "" ? 0 : scale.widthOf(signature, "signature"),
  );
  const lines = [
    LINE.name,
    does === undefined ? 0 : LINE.does,
    signature === "" ? 0 : LINE.signature,
  ] as const;
  return {
    id: figure.agent.agent_id,
    head: { x: (left + right) / 2, y: top, radius: (bottom - top) / 2 },
    width: widest + PADDING * 2,
    height: lines.reduce<number>((sum, line) => sum + line, 0),
    rank: RANKS[toneOf(figure)],
    last,
  };
}

function signatureIn({ agent }: Figure): string {
  return shortened(signatureOf(agent));
}

export function headBox(
  { whereabouts, isAsking }: Figure,
  { pixelsPerMeter }: PlanScale,
): Rectangle {
  const [x, , z] = whereabouts.pos;
  const [across, down] = [x * pixelsPerMeter, z * pixelsPerMeter];
  const radius = (isAsking ? RINGED_HEAD : HEAD) * pixelsPerMeter;
  return {
    left: across - radius,
    right: across + radius,
    top: down - radius,
    bottom: down + radius,
  };
}

function boxOf(
  { id, x, y }: LabelPlace,
  sizes: ReadonlyMap<string, Pick<LabelWish, "width" | "height">>,
): Rectangle {
  const { width = 0, height = 0 } = sizes.get(id) ?? {};
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

export function shortened(text: string): string {
  const signs = Array.from(text);
  return signs.length <= MAX_CHARS
    ? text
    : `${signs
        .slice(0, MAX_CHARS - 1)
        .join("")
        .trimEnd()}…`;
}
