import type { WorldTask } from "@atrium/wire/world";
/** The task board: one note per task, in the column of where it stands, painted like a real board. */
import { CanvasTexture, Mesh, MeshStandardMaterial, PlaneGeometry, SRGBColorSpace } from "three";
import { BOARD, turnOf } from "../room/furniture.ts";
import { seeded } from "../room/seeded.ts";
import { placement } from "../room/shape.ts";
import type { SceneManifest } from "../scene-manifest.ts";

export interface TaskBoard {
  /** Undefined in a scene that has none. */
  readonly mesh: Mesh<PlaneGeometry, MeshStandardMaterial> | undefined;
  show(tasks: readonly WorldTask[]): boolean;
}

const COLUMNS = ["To do", "Doing", "Review", "Done"] as const;
const WIDE = 1024;
const TALL = 672;
const NOTE = { width: 112, height: 104, gap: 8, top: 70 } as const;
const ROWS = 5;

export function createTaskBoard({ objects }: SceneManifest): TaskBoard {
  const board = objects.find(({ kind }) => kind === "task_board");
  if (board === undefined) return { mesh: undefined, show: () => false };
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
      if (brush === null || key === shown) return false;
      shown = key;
      paintBoard(brush, tasks);
      texture.needsUpdate = true;
      return true;
    },
  };
}

export function columnOf(status: WorldTask["status"]): number {
  switch (status) {
    case "planned":
    case "assigned":
      return 0;
    case "in_progress":
    case "blocked":
      return 1;
    case "in_review":
      return 2;
    case "done":
    case "failed":
    case "cancelled":
      return 3;
  }
}

export function noteColor(status: WorldTask["status"]): string {
  switch (status) {
    case "planned":
      return "#f6c945";
    case "assigned":
      return "#f39b5c";
    case "in_progress":
      return "#62aef0";
    case "blocked":
    case "failed":
      return "#ee7566";
    case "in_review":
      return "#b48bea";
    case "done":
      return "#7fca78";
    case "cancelled":
      return "#d5d2ca";
  }
}

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
  const filled = COLUMNS.map(() => 0);
  // The newest matter most when a column is full.
  for (const task of tasks.toReversed()) {
    const column = columnOf(task.status);
    const place = filled[column] ?? 0;
    if (place >= ROWS * 2) continue;
    filled[column] = place + 1;
    const x = column * wide + 12 + (place % 2) * (NOTE.width + NOTE.gap);
    const y = NOTE.top + Math.floor(place / 2) * (NOTE.height + NOTE.gap + 6);
    paintNote(brush, task, x, y);
  }
}

function paintNote(
  brush: CanvasRenderingContext2D,
  { task_id, title, status }: WorldTask,
  x: number,
  y: number,
): void {
  brush.save();
  brush.translate(x + NOTE.width / 2, y + NOTE.height / 2);
  brush.rotate((seeded(task_id)() - 0.5) * 0.1);
  brush.shadowColor = "rgb(60 40 20 / 35%)";
  brush.shadowBlur = 8;
  brush.shadowOffsetY = 4;
  brush.fillStyle = noteColor(status);
  brush.fillRect(-NOTE.width / 2, -NOTE.height / 2, NOTE.width, NOTE.height);
  brush.shadowColor = "transparent";
  brush.fillStyle = "#3b3a36";
  brush.font = "bold 17px system-ui, sans-serif";
  const words = title.split(/\s+/u);
  let line = "";
  let row = 0;
  for (const word of [...words, ""]) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (word !== "" && brush.measureText(longer).width < NOTE.width - 14) {
      line = longer;
      continue;
    }
    if (row < 4) {
      brush.fillText(line, -NOTE.width / 2 + 7, -NOTE.height / 2 + 22 + row * 19, NOTE.width - 12);
    }
    row += 1;
    line = word;
  }
  brush.restore();
}
