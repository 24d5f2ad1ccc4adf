/**
 * What is on the screens: the end of what each agent writes, or of what its command prints, as it comes.
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
import type { ScreenText } from "../state/office-state.ts";
import type { SceneManifest, SceneObject } from "../state/scene-manifest.ts";
import { commandLines, screenLines, type Ink } from "./screen-text.ts";

export interface ScreenContent extends ScreenText {
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
const COLUMNS_OF_TEXT = 27;
const BAR = 14;
const TITLE_BAR = 24;
const GROUNDS = { words: "#14233d", command: "#0d1511" } as const;

const INKS: Readonly<Record<Ink, string>> = {
  plain: "#d7e0ea",
  word: "#7cc7ff",
  string: "#f2c65a",
  number: "#c79bff",
  note: "#6f8296",
  mark: "#ff8f6b",
  good: "#7fe0a3",
  bad: "#ff8f75",
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
        const wanted = content === undefined ? "" : JSON.stringify(content);
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
  brush.fillStyle = content === undefined ? "#0b0f14" : GROUNDS[content.kind];
  brush.fillRect(x, y, TILE.width, TILE.height);
  if (content !== undefined) {
    if (content.kind === "command") paintCommand(brush, [x, y], content);
    else paintWords(brush, [x, y], content);
    if (content.isDimmed) {
      brush.fillStyle = "rgb(8 11 16 / 72%)";
      brush.fillRect(x, y, TILE.width, TILE.height);
    }
  }
  brush.restore();
}

type Corner = readonly [x: number, y: number];

function paintWords(brush: CanvasRenderingContext2D, [x, y]: Corner, { text }: ScreenText): void {
  brush.fillStyle = "#1e2938";
  brush.fillRect(x, y, TILE.width, BAR);
  for (const [at, color] of ["#ff6b5e", "#f5bf4f", "#5fc454"].entries()) {
    brush.fillStyle = color;
    brush.fillRect(x + 8 + at * 11, y + 4, 6, 6);
  }
  write(brush, [x + 10, y + 33], screenLines(text, { columns: COLUMNS_OF_TEXT, rows: 8 }));
}

/** The command stays in sight above the end of what it prints. */
function paintCommand(brush: CanvasRenderingContext2D, [x, y]: Corner, screen: ScreenText): void {
  const { title, text } = screen;
  brush.fillStyle = "#1d3a2a";
  brush.fillRect(x, y, TILE.width, TITLE_BAR);
  const called = title === "" ? "" : `$ ${title.split("\n", 1)[0]}`;
  write(brush, [x + 10, y + 18], [[{ ink: "good", text: called.slice(0, COLUMNS_OF_TEXT) }]]);
  const lines = commandLines(text, { columns: COLUMNS_OF_TEXT, rows: 7 });
  write(brush, [x + 10, y + TITLE_BAR + LINE], lines);
}

function write(
  brush: CanvasRenderingContext2D,
  [x, y]: Corner,
  lines: ReturnType<typeof screenLines>,
): void {
  brush.font = `bold ${LINE - 1}px ui-monospace, "DejaVu Sans Mono", monospace`;
  for (const [row, line] of lines.entries()) {
    let at = x;
    for (const { ink, text: word } of line) {
      brush.fillStyle = INKS[ink];
      brush.fillText(word, at, y + row * LINE);
      at += brush.measureText(word).width;
    }
  }
}
