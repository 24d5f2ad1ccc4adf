/** The task board: one note per task, in the column of where it stands, painted like a real board. */
import type { WorldTask } from "@atrium/wire/world";
import { CanvasTexture, Mesh, MeshStandardMaterial, PlaneGeometry, SRGBColorSpace } from "three";
import { BOARD, turnOf } from "../room/furniture.ts";
import { seeded } from "../room/seeded.ts";
import { placement } from "../room/shape.ts";
import type { SceneManifest } from "../state/scene-manifest.ts";

export interface TaskBoard {
  /** Undefined in a scene that has none. */
  readonly mesh: Mesh<PlaneGeometry, MeshStandardMaterial> | undefined;
  show(tasks: readonly WorldTask[]): void;
}

const COLUMNS = ["To do", "In progress", "In review", "Done"] as const;
const WIDE = 1024;
const TALL = 672;
const TOP = 68;
const GAP = 10;

/** How notes are laid out in a column: large while there are few, so that they can be read from the camera. */
interface Layout {
  readonly across: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
  readonly letters: number;
}
const LARGE: Layout = { across: 1, rows: 4, width: 224, height: 136, letters: 31 };
const SMALL: Layout = { across: 2, rows: 5, width: 112, height: 104, letters: 17 };

export function createTaskBoard({ objects }: SceneManifest): TaskBoard {
  const board = objects.find(({ kind }) => kind === "task_board");
  if (board === undefined) return { mesh: undefined, show: () => undefined };
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  canvas.height = TALL;
  const brush = canvas.getContext("2d");
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 8;
  const geometry = new PlaneGeometry(BOARD.width, BOARD.height);
  geometry.applyMatrix4(placement([0, BOARD.middle, -0.02]));
  geometry.applyMatrix4(placement(board.pos, turnOf(board)));
  const mesh = new Mesh(geometry, new MeshStandardMaterial({ map: texture, roughness: 0.6 }));
  mesh.receiveShadow = true;
  let shown = "nothing yet";
  return {
    mesh,
    show(tasks) {
      const key = JSON.stringify(
        tasks.map(({ task_id, title, status }) => [task_id, title, status]),
      );
      if (brush === null || key === shown) return;
      shown = key;
      paintBoard(brush, tasks);
      texture.needsUpdate = true;
    },
  };
}

/** In which column a task is, and the color of its note. */
export const NOTES: Readonly<
  Record<WorldTask["status"], { readonly column: number; readonly color: string }>
> = {
  planned: { column: 0, color: "#f6c945" },
  assigned: { column: 0, color: "#f39b5c" },
  in_progress: { column: 1, color: "#62aef0" },
  blocked: { column: 1, color: "#ee7566" },
  in_review: { column: 2, color: "#b48bea" },
  done: { column: 3, color: "#7fca78" },
  failed: { column: 3, color: "#ee7566" },
  cancelled: { column: 3, color: "#d5d2ca" },
};

function paintBoard(brush: CanvasRenderingContext2D, tasks: readonly WorldTask[]): void {
  brush.fillStyle = "#f7f5ef";
  brush.fillRect(0, 0, WIDE, TALL);
  const wide = WIDE / COLUMNS.length;
  for (const [at, title] of COLUMNS.entries()) {
    brush.fillStyle = "#5c6570";
    brush.font = "bold 34px system-ui, sans-serif";
    brush.fillText(title, at * wide + 24, 48);
    if (at > 0) {
      brush.fillStyle = "#d9d5ca";
      brush.fillRect(at * wide - 2, 20, 4, TALL - 40);
    }
  }
  const columns = Map.groupBy(tasks, ({ status }) => NOTES[status].column);
  const fullest = Math.max(0, ...columns.values().map((column) => column.length));
  const layout = fullest > LARGE.rows ? SMALL : LARGE;
  for (const [column, notes] of columns) {
    // The newest matter most when a column is full.
    const shown = notes.toReversed().slice(0, layout.rows * layout.across);
    for (const [at, task] of shown.entries()) {
      const x = column * wide + 13 + (at % layout.across) * (layout.width + GAP);
      const y = TOP + Math.floor(at / layout.across) * (layout.height + GAP);
      paintNote(brush, task, [x, y], layout);
    }
  }
}

function paintNote(
  brush: CanvasRenderingContext2D,
  { task_id, title, status }: WorldTask,
  [x, y]: readonly [number, number],
  { width, height, letters }: Layout,
): void {
  brush.save();
  brush.translate(x + width / 2, y + height / 2);
  brush.rotate((seeded(task_id)() - 0.5) * 0.07);
  brush.shadowColor = "rgb(60 40 20 / 35%)";
  brush.shadowBlur = 8;
  brush.shadowOffsetY = 4;
  brush.fillStyle = NOTES[status].color;
  brush.fillRect(-width / 2, -height / 2, width, height);
  brush.shadowColor = "transparent";
  brush.fillStyle = "#2f2d29";
  brush.font = `bold ${letters}px system-ui, sans-serif`;
  const room = width - 20;
  const lines = wrapWords(title, (line) => brush.measureText(line).width <= room);
  const fitting = Math.floor((height - 12) / (letters * 1.15));
  for (const [row, line] of lines.slice(0, fitting).entries()) {
    brush.fillText(line, 10 - width / 2, 6 - height / 2 + (row + 1) * letters * 1.15, room);
  }
  brush.restore();
}

/** A word that fits nowhere has a line of its own. */
export function wrapWords(text: string, fits: (line: string) => boolean): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/u)) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
