/** The monitor at a desk as the plan shows it: the command that runs there, and the end of what it prints. Pure. */
import type { ScreenText } from "../office/state/office-state.ts";
import type { SceneObject } from "../office/state/scene-manifest.ts";
import { commandLines } from "../office/things/screen-text.ts";
import type { Rectangle } from "../office/view/rectangle.ts";
import { rectangle, trim, type SvgElement } from "./drawn.ts";
import type { PlanScale } from "./plan-labels.ts";

export interface PlanScreen {
  /** In pixels: nothing else is put over it. */
  readonly box: Rectangle;
  readonly drawn: readonly SvgElement[];
}

/** In meters: over the desk, and no wider than from one desk to the next. */
const SIZE = { width: 1.96, height: 0.74 } as const;
const PRINT = 8.5;
const LINE = 10.5;
const PADDING = 5;
const CHARACTER = 0.602;
/** With fewer, what is left of a line says nothing. */
const MIN_COLUMNS = 14;

/** Only at the desk of someone who runs something. */
export function planScreen(
  desk: SceneObject | undefined,
  screen: ScreenText | undefined,
  scale: PlanScale,
): PlanScreen | undefined {
  if (screen?.kind !== "command" || desk === undefined) return undefined;
  const { pixelsPerMeter } = scale;
  const [x, , z] = desk.pos;
  const [left, top] = [x - SIZE.width / 2, z - SIZE.height / 2];
  const across = SIZE.width * pixelsPerMeter - PADDING * 2;
  const down = SIZE.height * pixelsPerMeter - PADDING * 2;
  const size = {
    columns: Math.floor(across / (PRINT * CHARACTER)),
    rows: Math.max(1, Math.floor(down / LINE) - 1),
  };
  const isLegible = size.columns >= MIN_COLUMNS;
  const meters = (pixels: number): number => pixels / pixelsPerMeter;
  const line = (text: string, row: number, ink: string): SvgElement => ({
    name: "text",
    attributes: {
      class: `floor-plan-print is-${ink}`,
      x: trim(left + meters(PADDING)),
      y: trim(top + meters(PADDING + PRINT + row * LINE)),
      "font-size": trim(meters(PRINT)),
    },
    text,
  });
  const printed = commandLines(screen.text, size).map(([run], row) =>
    line(run?.text ?? "", row + 1, run?.ink ?? "plain"),
  );
  const title = `$ ${screen.title.split("\n", 1)[0] ?? ""}`.slice(0, size.columns);
  const sides = [left, top, SIZE.width, SIZE.height] as const;
  return {
    box: {
      left: left * pixelsPerMeter,
      top: top * pixelsPerMeter,
      right: (left + SIZE.width) * pixelsPerMeter,
      bottom: (top + SIZE.height) * pixelsPerMeter,
    },
    drawn: [
      rectangle("floor-plan-screen", sides, meters(4)),
      ...(isLegible ? [line(title, 0, "good"), ...printed] : []),
    ],
  };
}
