/** The plank floor: one plane with a painted texture, its boards and their grain drawn once. */
import {
  CanvasTexture,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  RepeatWrapping,
  SRGBColorSpace,
} from "three";
import { PLANKS, WOOD } from "./palette.ts";
import { pick, seeded } from "./seeded.ts";

const PIXELS_PER_METER = 150;
const PLANK_WIDTH = 0.18;

export interface FloorSize {
  readonly width: number;
  readonly depth: number;
}

export function createFloor(size: FloorSize): Mesh<PlaneGeometry, MeshStandardMaterial> {
  const map = new CanvasTexture(paintPlanks(size));
  map.colorSpace = SRGBColorSpace;
  map.anisotropy = 8;
  map.wrapS = RepeatWrapping;
  const material = new MeshStandardMaterial({ map, roughness: 0.62, envMapIntensity: 0.6 });
  const floor = new Mesh(new PlaneGeometry(size.width, size.depth), material);
  floor.rotation.x = -Math.PI / 2;
  floor.receiveShadow = true;
  return floor;
}

function paintPlanks({ width, depth }: FloorSize): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * PIXELS_PER_METER);
  canvas.height = Math.round(depth * PIXELS_PER_METER);
  const brush = canvas.getContext("2d");
  if (brush === null) return canvas;
  const roll = seeded("floor");
  const tall = PLANK_WIDTH * PIXELS_PER_METER;
  for (let y = 0; y < canvas.height; y += tall) {
    let x = -roll() * 1.4 * PIXELS_PER_METER;
    while (x < canvas.width) {
      const long = (0.9 + roll() * 0.9) * PIXELS_PER_METER;
      paintPlank(brush, [x, y, long, tall], roll);
      x += long;
    }
  }
  return canvas;
}

type Area = readonly [x: number, y: number, width: number, height: number];

function paintPlank(brush: CanvasRenderingContext2D, area: Area, roll: () => number): void {
  const [x, y, long, tall] = area;
  brush.save();
  brush.beginPath();
  brush.rect(x, y, long, tall);
  brush.clip();
  brush.fillStyle = pick(PLANKS, roll());
  brush.fillRect(x, y, long, tall);
  for (let line = 0; line < 9; line += 1) {
    const at = y + roll() * tall;
    const bend = (roll() - 0.5) * 7;
    brush.strokeStyle = WOOD.dark;
    brush.globalAlpha = 0.05 + roll() * 0.11;
    brush.lineWidth = 0.6 + roll() * 1.2;
    brush.beginPath();
    brush.moveTo(x, at);
    brush.bezierCurveTo(
      x + long * 0.3,
      at + bend,
      x + long * 0.6,
      at - bend,
      x + long,
      at + bend * 0.4,
    );
    brush.stroke();
  }
  brush.globalAlpha = 0.55;
  brush.strokeStyle = WOOD.deep;
  brush.lineWidth = 1.6;
  brush.strokeRect(x, y, long, tall);
  brush.globalAlpha = 0.22;
  brush.fillStyle = "#fff1d6";
  brush.fillRect(x, y + 1.5, long, 1.4);
  brush.restore();
}
