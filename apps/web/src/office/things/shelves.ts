/** Where trophies and delivered work stand, from the scene. */
import type { WorldArtifact, WorldDecor } from "@atrium/wire/world";
import { Matrix4 } from "three";
import { turnOf } from "../room/furniture.ts";
import { seeded } from "../room/seeded.ts";
import { placement } from "../room/shape.ts";
import { LOW_SHELF_TOP } from "../room/shelf.ts";
import type { SceneManifest } from "../state/scene-manifest.ts";
import { ARTIFACT_COLORS, TROPHY_COLORS, type Keepsake } from "./keepsakes.ts";

export interface ShelfItem extends Keepsake {
  readonly id: string;
}

/** A trophy whose place this scene does not have is not shown. */
export function trophiesOf(
  { decor_anchors, objects }: SceneManifest,
  decor: readonly WorldDecor[],
): ShelfItem[] {
  const shelf = objects.find(({ kind }) => kind === "bookshelf");
  const turn = shelf === undefined ? 0 : -shelf.rotation;
  const places = new Map(decor_anchors.map(({ anchor_id, pos }) => [anchor_id, pos]));
  return decor.flatMap(({ decor_id, anchor_id }) => {
    const pos = places.get(anchor_id);
    if (pos === undefined) return [];
    const color = TROPHY_COLORS[Math.floor(seeded(decor_id)() * 4)] ?? TROPHY_COLORS[0];
    return [{ id: decor_id, color, matrix: placement(pos, [0, turn, 0]) }];
  });
}

const PILES = 6;
const FOLDER = 0.056;
const HIGHEST = 5;

/** Work that lies there: delivered and not yet carried off. The newest are on top, and the oldest give way. */
export function deliveriesOf(
  { objects }: SceneManifest,
  artifacts: readonly WorldArtifact[],
): ShelfItem[] {
  const shelf = objects.find(({ kind }) => kind === "low_shelf");
  if (shelf?.footprint?.shape !== "box") return [];
  const { width } = shelf.footprint;
  const there = artifacts.filter(({ status }) => LYING.has(status)).slice(-PILES * HIGHEST);
  const onto = placement(shelf.pos, turnOf(shelf));
  return there.map((artifact, at) => {
    const [pile, level] = [at % PILES, Math.floor(at / PILES)];
    const x = ((pile + 0.5) / PILES - 0.5) * (width - 0.1);
    const askew = (seeded(artifact.artifact_id)() - 0.5) * 24;
    const place = placement([x, LOW_SHELF_TOP + level * FOLDER, 0], [0, askew, 0]);
    return {
      id: artifact.artifact_id,
      color: ARTIFACT_COLORS[artifact.status],
      matrix: new Matrix4().multiplyMatrices(onto, place),
    };
  });
}

const LYING: ReadonlySet<WorldArtifact["status"]> = new Set([
  "delivered",
  "approved",
  "changes_requested",
  "split",
]);
