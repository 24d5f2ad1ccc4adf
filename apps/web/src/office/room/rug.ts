/** Rugs: flat, soft, with a border. */
import { ACCENTS } from "./palette.ts";
import { RUG_SIZES, type RugName } from "./rug-plan.ts";
import { box, matte, type Part } from "./shape.ts";

const COLORS: Readonly<Record<RugName, readonly [edge: string, field: string, inner: string]>> = {
  meeting: ["#2b7268", "#3f9388", "#35857a"],
  lounge: ["#d9a11f", ACCENTS.mustard, "#f0c04a"],
  doormat: ["#5c4632", "#77593c", "#6b5036"],
};

export function rug(name: RugName): Part[] {
  const [width, depth] = RUG_SIZES[name];
  const [edge, field, inner] = COLORS[name];
  const hem = Math.min(width, depth) * 0.09;
  /** Each a little higher than the one around it, or they would flicker. */
  const layer = (color: string, inset: number, height: number): Part =>
    box([width - inset, 0.02, depth - inset], matte(color, [0, height, 0]), 0.01);
  return [
    layer(edge, 0, 0.008),
    layer(field, hem * 2, 0.012),
    layer(edge, hem * 3.2, 0.0135),
    layer(inner, hem * 3.5, 0.015),
  ];
}
