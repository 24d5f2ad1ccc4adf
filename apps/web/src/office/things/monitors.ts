/**
 * What is on the screens: the end of what each agent writes, as it writes it.
 *
 * All screens share one painted texture and one mesh; a screen is repainted only when what it shows has changed.
 */
import {
  BufferAttribute,
  CanvasTexture,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  SRGBColorSpace,
  type BufferGeometry,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { COUNTER_SCREEN, SCREEN } from "../room/desk.ts";
import { turnOf } from "../room/furniture.ts";
import { placement } from "../room/shape.ts";
import type { SceneManifest, SceneObject } from "../state/scene-manifest.ts";
import { screenLines, type Ink } from "./screen-text.ts";

export interface ScreenContent {
  readonly text: string;
  readonly isDimmed: boolean;
}

export interface Monitors {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  /** By the id of the desk; a desk that is not named has its screen off. */
  show(screens: ReadonlyMap<string, ScreenContent>): void;
  setBrightness(brightness: number): void;
}

const COLUMNS = 4;
const TILE = { width: 288, height: 168 } as const;
const LINE = 18;

const INKS: Readonly<Record<Ink, string>> = {
  plain: "#d7e0ea",
  word: "#7cc7ff",
  string: "#f2c65a",
  number: "#c79bff",
  note: "#6f8296",
  mark: "#ff8f6b",
};

export function createMonitors({ objects }: SceneManifest): Monitors {
  const desks = objects.filter(({ kind }) => kind === "desk" || kind === "counter");
  const rows = Math.max(1, Math.ceil(desks.length / COLUMNS));
  const canvas = document.createElement("canvas");
  canvas.width = COLUMNS * TILE.width;
  canvas.height = rows * TILE.height;
  const brush = canvas.getContext("2d");
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  const material = new MeshBasicMaterial({ map: texture });
  const mesh = new Mesh(mergeGeometries(desks.map((one, slot) => face(one, slot, rows))), material);
  const painted = new Map<string, string>();

  return {
    mesh,
    show(screens) {
      for (const [slot, { object_id }] of desks.entries()) {
        const content = screens.get(object_id);
        const wanted =
          content === undefined ? "" : `${content.isDimmed ? "dim" : "lit"} ${content.text}`;
        if (brush === null || painted.get(object_id) === wanted) continue;
        paint(brush, slot, content);
        painted.set(object_id, wanted);
        texture.needsUpdate = true;
      }
    },
    setBrightness: (brightness) => void material.color.setScalar(brightness),
  };
}

function face(object: SceneObject, slot: number, rows: number): BufferGeometry {
  const { at, size, tilt } = object.kind === "counter" ? COUNTER_SCREEN : SCREEN;
  const geometry = new PlaneGeometry(...size);
  geometry.applyMatrix4(placement([at[0], at[1], at[2] + 0.0015], [tilt, 0, 0]));
  geometry.applyMatrix4(placement(object.pos, turnOf(object)));
  const [column, row] = [slot % COLUMNS, Math.floor(slot / COLUMNS)];
  const [left, right] = [column / COLUMNS, (column + 1) / COLUMNS];
  const [top, bottom] = [1 - row / rows, 1 - (row + 1) / rows];
  const corners = new Float32Array([left, top, right, top, left, bottom, right, bottom]);
  geometry.setAttribute("uv", new BufferAttribute(corners, 2));
  return geometry;
}

function paint(
  brush: CanvasRenderingContext2D,
  slot: number,
  content: ScreenContent | undefined,
): void {
  const [x, y] = [(slot % COLUMNS) * TILE.width, Math.floor(slot / COLUMNS) * TILE.height];
  brush.save();
  brush.beginPath();
  brush.rect(x, y, TILE.width, TILE.height);
  brush.clip();
  brush.fillStyle = content === undefined ? "#0b0f14" : "#14233d";
  brush.fillRect(x, y, TILE.width, TILE.height);
  if (content !== undefined) {
    brush.fillStyle = "#1e2938";
    brush.fillRect(x, y, TILE.width, 14);
    for (const [at, color] of ["#ff6b5e", "#f5bf4f", "#5fc454"].entries()) {
      brush.fillStyle = color;
      brush.fillRect(x + 8 + at * 11, y + 4, 6, 6);
    }
    write(brush, x + 10, y + 33, content.text);
    if (content.isDimmed) {
      brush.fillStyle = "rgb(8 11 16 / 72%)";
      brush.fillRect(x, y, TILE.width, TILE.height);
    }
  }
  brush.restore();
}

function write(brush: CanvasRenderingContext2D, x: number, y: number, text: string): void {
  brush.font = `bold ${LINE - 1}px ui-monospace, "DejaVu Sans Mono", monospace`;
  const lines = screenLines(text, { columns: 27, rows: Math.floor((TILE.height - 20) / LINE) });
  for (const [row, line] of lines.entries()) {
    let at = x;
    for (const { ink, text: word } of line) {
      brush.fillStyle = INKS[ink];
      brush.fillText(word, at, y + row * LINE);
      at += brush.measureText(word).width;
    }
  }
}
