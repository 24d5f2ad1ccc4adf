/** The monitor at a desk as the plan shows it: the command that runs there, and the end of what it prints. Pure. */
import type { ScreenText } from "../office/state/office-state.ts";
import type { SceneObject } from "../office/state/scene-manifest.ts";
import { commandLines } from "../office/things/screen-text.ts";
import type { Rectangle } from "../office/view/rectangle.ts";
import { rectangle, trim, type SvgElement } from "./drawn.ts";
import { shortened, type PlanScale } from "./plan-labels.ts";

export interface PlanScreen {
  /** In pixels: nothing else is put over it. */
  readonly box: Rectangle;
  readonly drawn: readonly SvgElement[];
}

/** In meters, from the middle of the desk: over it, no wider than to the next one, and off the chair. */
const SIDES = { left: -0.98, top: -0.64, right: 0.98, bottom: 0.36 } as const;
const PRINT = { name: 11, text: 8.5 } as const;
const NAME = "is-name";
const FIRST_LINE = 13;
const LINE = 10.5;
const PADDING = 5;
const CHARACTER = 0.602;
/** With fewer, what is left of a line says nothing. */
const MIN_COLUMNS = 14;

/** Only at the desk of someone who runs something, and only where it can be read. */
export function planScreen(
  { name, desk }: { readonly name: string; readonly desk: SceneObject | undefined },
  screen: ScreenText | undefined,
  { pixelsPerMeter }: PlanScale,
): PlanScreen | undefined {
  if (screen?.kind !== "command" || desk === undefined) return undefined;
  const [x, , z] = desk.pos;
  const width = SIDES.right - SIDES.left;
  const height = SIDES.bottom - SIDES.top;
  const columns = Math.floor((width * pixelsPerMeter - PADDING * 2) / (PRINT.text * CHARACTER));
  if (columns < MIN_COLUMNS) return undefined;
  const rows = Math.floor((height * pixelsPerMeter - PADDING * 2 - FIRST_LINE) / LINE);
  const meters = (pixels: number): number => pixels / pixelsPerMeter;
  const [left, top] = [x + SIDES.left, z + SIDES.top];
  const line = (text: string, at: number, look: string, size: number): SvgElement => ({
    name: "text",
    attributes: {
      class: `floor-plan-print ${look}`,
      x: trim(left + meters(PADDING)),
      y: trim(top + meters(PADDING + at)),
      "font-size": trim(meters(size)),
    },
    // A space that is not drawn, so that two lines are not one word to those who look for words.
    text: ` ${text}`,
  });
  const called = screen.title.split("\n", 1)[0] ?? "";
  const shown = [
    ...(called === "" ? [] : [{ ink: "good", text: `$ ${called}`.slice(0, columns) }]),
    ...commandLines(screen.text, {
      columns,
      rows: Math.max(1, rows - (called === "" ? 0 : 1)),
    }).map(([run]) => run ?? { ink: "plain", text: "" }),
  ];
  const box = {
    left: left * pixelsPerMeter,
    top: top * pixelsPerMeter,
    right: (x + SIDES.right) * pixelsPerMeter,
    bottom: (z + SIDES.bottom) * pixelsPerMeter,
  };
  return {
    box,
    drawn: [
      rectangle("floor-plan-screen", [left, top, width, height], meters(4)),
      line(shortened(name), PRINT.name, NAME, PRINT.name),
      ...shown.map(({ text, ink }, row) =>
        line(text, FIRST_LINE + PRINT.text + row * LINE, `is-${ink}`, PRINT.text),
      ),
    ],
  };
}
