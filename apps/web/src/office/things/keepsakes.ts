/** Trophies, delivered work, what is carried, and the marks of those who need a person: many of each, one mesh each. */
import type { WorldArtifact } from "@atrium/wire/world";
import {
  Color,
  Group,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  type BufferGeometry,
} from "three";
import { merged } from "../room/merge.ts";
import { ACCENTS, AMBER, GOLD, PAPER, WOOD } from "../room/palette.ts";
import { ball, box, matte, ring, rod, turned, type Part } from "../room/shape.ts";

export interface Keepsake {
  readonly matrix: Matrix4;
  readonly color: string;
}

export interface Keepsakes {
  readonly group: Group;
  show(kind: KeepsakeKind, items: readonly Keepsake[]): void;
  setGlow(glow: number): void;
}

export type KeepsakeKind = "trophy" | "artifact" | "ring" | "mark";

const MAX_KEEPSAKES = 256;

export function createKeepsakes(): Keepsakes {
  const group = new Group();
  const metal = new MeshStandardMaterial({ vertexColors: true, roughness: 0.28, metalness: 0.6 });
  const paper = new MeshStandardMaterial({ vertexColors: true, roughness: 0.7 });
  const amber = new MeshStandardMaterial({
    vertexColors: true,
    roughness: 0.5,
    emissive: new Color(AMBER),
    emissiveIntensity: 0.55,
  });
  const meshes: Readonly<
    Record<KeepsakeKind, InstancedMesh<BufferGeometry, MeshStandardMaterial>>
  > = {
    trophy: many(trophy(), metal),
    artifact: many(folder(), paper),
    ring: many([ring(0.36, 0.036, matte("#ffffff", [0, 0.03, 0], [90, 0, 0]))], amber),
    mark: many(mark(), amber),
  };
  for (const mesh of Object.values(meshes)) group.add(mesh);
  meshes.ring.castShadow = false;
  meshes.mark.castShadow = false;
  const color = new Color();
  return {
    group,
    show(kind, items) {
      const mesh = meshes[kind];
      mesh.count = Math.min(items.length, MAX_KEEPSAKES);
      mesh.visible = mesh.count > 0;
      for (const [at, item] of items.slice(0, MAX_KEEPSAKES).entries()) {
        mesh.setMatrixAt(at, item.matrix);
        mesh.setColorAt(at, color.set(item.color));
      }
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
    },
    setGlow: (glow) => void (amber.emissiveIntensity = glow),
  };
}

function many(
  parts: readonly Part[],
  material: MeshStandardMaterial,
): InstancedMesh<BufferGeometry, MeshStandardMaterial> {
  const mesh = new InstancedMesh(merged(parts), material, MAX_KEEPSAKES);
  mesh.count = 0;
  mesh.visible = false;
  mesh.setColorAt(0, new Color("#ffffff"));
  mesh.frustumCulled = false;
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

export const TROPHY_COLORS = [GOLD, "#d8dce2", "#d08a4e"] as const;

function trophy(): Part[] {
  const cup = [
    0, 0.1, 0.02, 0.1, 0.025, 0.13, 0.075, 0.17, 0.09, 0.25, 0.085, 0.25, 0.07, 0.18, 0, 0.15,
  ];
  return [
    box([0.13, 0.05, 0.13], matte(WOOD.deep, [0, 0.025, 0]), 0.01),
    turned([0, 0.05, 0.05, 0.05, 0.045, 0.065, 0.016, 0.08, 0.016, 0.11], { color: "#ffffff" }, 16),
    turned(cup, { color: "#ffffff" }, 20),
    ...[-1, 1].map((side) => ring(0.035, 0.009, matte("#ffffff", [side * 0.095, 0.21, 0]))),
  ];
}

/** A folder with pages in it: lies on the shelf, or is carried. */
function folder(): Part[] {
  return [
    box([0.25, 0.012, 0.32], matte("#ffffff", [0, 0.006, 0]), 0.005),
    box([0.22, 0.03, 0.29], matte(PAPER, [0.008, 0.027, 0]), 0.004),
    box([0.25, 0.012, 0.32], matte("#ffffff", [0, 0.048, 0]), 0.005),
    box([0.012, 0.054, 0.32], matte("#ffffff", [-0.122, 0.027, 0]), 0.005),
    box([0.12, 0.004, 0.06], matte(PAPER, [0, 0.055, 0.05]), 0.001),
  ];
}

/** An exclamation mark, over the head. */
function mark(): Part[] {
  return [rod(0.032, 0.1, matte("#ffffff", [0, 0.13, 0])), ball(0.036, { color: "#ffffff" })];
}

export const ARTIFACT_COLORS: Readonly<Record<WorldArtifact["status"], string>> = {
  created: ACCENTS.blue,
  delivered: ACCENTS.blue,
  approved: "#3f9a4d",
  changes_requested: ACCENTS.coral,
  split: ACCENTS.plum,
  withdrawn: "#a9a49a",
};
