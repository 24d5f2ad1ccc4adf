/** Plants: a pot, stems, and leaves that reach out and up. */
import { BufferGeometry, Float32BufferAttribute } from "three";
import { POT, WOOD } from "./palette.ts";
import { seeded } from "./seeded.ts";
import {
  cylinder,
  leafy,
  matte,
  part,
  rod,
  satin,
  turned,
  type Part,
  type Triple,
} from "./shape.ts";

const GREENS = ["#2c7f3c", "#3f9a4a", "#23703a", "#5aab57"] as const;

export function plant(seed: string): Part[] {
  const roll = seeded(seed);
  const pot = [0, 0, 0.15, 0, 0.2, 0.3, 0.215, 0.34, 0.195, 0.34, 0.18, 0.3, 0, 0.3];
  const tall = 0.62 + roll() * 0.2;
  const leaves: Part[] = [];
  const count = 30;
  for (let at = 0; at < count; at += 1) {
    const share = at / (count - 1);
    // By the golden angle, as leaves do, so that none is above another.
    const around = at * 137.5 + roll() * 20;
    const rise = 12 + share * 55 + (roll() - 0.5) * 26;
    const length = 0.2 + Math.sin(Math.PI * (0.2 + share * 0.62)) * 0.15 + roll() * 0.04;
    leaves.push(
      leaf(
        length,
        [0, 0.5 + share * (tall - 0.14), 0],
        [around, rise],
        GREENS[at % GREENS.length] ?? GREENS[0],
      ),
    );
  }
  return [
    turned(pot, satin(POT), 32),
    cylinder([0.18, 0.18], 0.02, matte(WOOD.deep, [0, 0.305, 0])),
    rod(0.02, tall, matte("#6b4a2b", [0, 0.32 + tall / 2, 0])),
    ...leaves,
  ];
}

/** A leaf with a fold along its middle, thick enough to be seen from both sides. */
function leaf(
  length: number,
  at: Triple,
  [around, rise]: readonly [number, number],
  color: string,
): Part {
  const steps = 5;
  const points: Triple[] = [];
  const edge = (share: number, side: number): Triple => {
    const half = Math.sin(Math.PI * Math.min(1, share * 1.02) ** 0.8) * length * 0.34;
    const droop = -(share ** 2) * length * 0.28;
    return [side * half, droop + Math.abs(side) * half * 0.35, share * length];
  };
  for (let step = 0; step < steps; step += 1) {
    const near = step / steps;
    const far = (step + 1) / steps;
    for (const side of [-1, 1]) {
      const [a, b, c, d] = [edge(near, 0), edge(near, side), edge(far, side), edge(far, 0)];
      const quad = side > 0 ? [a, d, c, a, c, b] : [a, b, c, a, c, d];
      points.push(...quad);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points.flat(), 3));
  geometry.computeVertexNormals();
  const angle = (around * Math.PI) / 180;
  geometry.rotateX((-rise * Math.PI) / 180).rotateY(angle);
  return part(geometry, leafy(color, at));
}
