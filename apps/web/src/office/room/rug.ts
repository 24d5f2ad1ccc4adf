/** Rugs: flat, soft, with a border. Which one is told by what it lies under. */
import { ACCENTS } from "./palette.ts";
import { box, type Part } from "./shape.ts";

export function meetingRug(): Part[] {
  return bordered([3.7, 3.1], ["#2b7268", "#3f9388", "#35857a"]);
}

export function loungeRug(): Part[] {
  return bordered([2.5, 2.9], ["#d9a11f", ACCENTS.mustard, "#f0c04a"]);
}

export function doormat(): Part[] {
  return bordered([0.95, 0.6], ["#5c4632", "#77593c", "#6b5036"]);
}

function bordered(
  [width, depth]: readonly [number, number],
  [edge, field, inner]: readonly [string, string, string],
): Part[] {
  const hem = Math.min(width, depth) * 0.09;
  return [
    box([width, 0.02, depth], { color: edge, at: [0, 0.008, 0] }, 0.01),
    box([width - hem * 2, 0.02, depth - hem * 2], { color: field, at: [0, 0.012, 0] }, 0.01),
    box([width - hem * 3.2, 0.02, depth - hem * 3.2], { color: edge, at: [0, 0.0135, 0] }, 0.01),
    box([width - hem * 3.5, 0.02, depth - hem * 3.5], { color: inner, at: [0, 0.015, 0] }, 0.01),
  ];
}
