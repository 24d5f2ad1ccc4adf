/** What is seen through the windows: a sky with clouds by day, stars and lit houses by night. */
import {
  CanvasTexture,
  Group,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  SRGBColorSpace,
} from "three";
import { seeded } from "../room/seeded.ts";
import { WINDOW } from "../room/walls-and-windows.ts";
import type { SceneManifest } from "../state/scene-manifest.ts";

export interface Sky {
  readonly panes: Group;
  turn(isNight: boolean): void;
}

const WIDE = 256;
const TALL = 212;

export function createSky({ objects, size }: SceneManifest): Sky {
  const day = textureOf(paintDay);
  const night = textureOf(paintNight);
  const material = new MeshBasicMaterial({ map: day, toneMapped: false });
  const panes = new Group();
  for (const { pos } of objects.filter(({ kind }) => kind === "window")) {
    const pane = new Mesh(new PlaneGeometry(WINDOW.width, WINDOW.height), material);
    pane.position.set(pos[0], WINDOW.sill + WINDOW.height / 2, -size.depth / 2 - 0.13);
    panes.add(pane);
  }
  return {
    panes,
    turn(isNight) {
      material.map = isNight ? night : day;
      material.needsUpdate = true;
    },
  };
}

function textureOf(paint: (brush: CanvasRenderingContext2D) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  canvas.height = TALL;
  const brush = canvas.getContext("2d");
  if (brush !== null) paint(brush);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

function fade(brush: CanvasRenderingContext2D, colors: readonly string[]): void {
  const gradient = brush.createLinearGradient(0, 0, 0, TALL);
  for (const [at, color] of colors.entries()) {
    gradient.addColorStop(at / (colors.length - 1), color);
  }
  brush.fillStyle = gradient;
  brush.fillRect(0, 0, WIDE, TALL);
}

function paintDay(brush: CanvasRenderingContext2D): void {
  fade(brush, ["#8fc6f0", "#b9def6", "#e6f3fb"]);
  brush.fillStyle = "#ffffff";
  for (const [x, y, size] of [
    [60, 70, 26],
    [180, 110, 20],
    [225, 50, 14],
  ] as const) {
    for (const [aside, up, share] of [
      [0, 0, 1],
      [-0.9, 0.25, 0.7],
      [0.9, 0.2, 0.75],
      [1.7, 0.4, 0.45],
    ] as const) {
      brush.globalAlpha = 0.75;
      brush.beginPath();
      brush.ellipse(
        x + aside * size,
        y + up * size,
        share * size,
        share * size * 0.62,
        0,
        0,
        Math.PI * 2,
      );
      brush.fill();
    }
  }
  brush.globalAlpha = 1;
  brush.fillStyle = "#a9c99a";
  brush.beginPath();
  brush.ellipse(70, TALL + 20, 130, 46, 0, 0, Math.PI * 2);
  brush.ellipse(220, TALL + 26, 120, 44, 0, 0, Math.PI * 2);
  brush.fill();
}

function paintNight(brush: CanvasRenderingContext2D): void {
  fade(brush, ["#0a1a4a", "#12307a", "#2b4f9c"]);
  const roll = seeded("stars");
  brush.fillStyle = "#dfe8ff";
  for (let star = 0; star < 46; star += 1) {
    brush.globalAlpha = 0.35 + roll() * 0.6;
    brush.fillRect(roll() * WIDE, roll() * TALL * 0.62, 1.5, 1.5);
  }
  brush.globalAlpha = 1;
  for (let x = -6; x < WIDE; x += 30) {
    const tall = 34 + roll() * 52;
    brush.fillStyle = "#0a1433";
    brush.fillRect(x, TALL - tall, 27, tall);
    brush.fillStyle = "#ffcf7a";
    for (let y = TALL - tall + 6; y < TALL - 4; y += 10) {
      for (let at = x + 4; at < x + 24; at += 8) if (roll() > 0.55) brush.fillRect(at, y, 4, 5);
    }
  }
}
