/**
 * Everyone, in as many draw calls as a body has parts: one instanced mesh per part, whoever it belongs to.
 *
 * A crowd is redrawn whole: `begin`, `add` for everyone, `end`. Its numbers say what to keep, so nothing is looked up.
 */
import {
  Color,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  type BufferGeometry,
} from "three";
import { appearanceOf, type FigureAppearance } from "./appearance.ts";
import { bodyGeometries, type BodyPart, type Detail, type LimbName } from "./body.ts";
import type { Joints } from "./joints.ts";
import { createSkeleton } from "./skeleton.ts";

export interface CrowdMember {
  readonly agentId: string;
  readonly look: number | undefined;
  readonly joints: Joints;
  readonly root: Matrix4;
  /** 1 is solid; less shows through, as a ghost does. */
  readonly presence: number;
}

export interface Crowd {
  readonly group: Group;
  show(people: readonly CrowdMember[]): void;
  dispose(): void;
}

/** More people than this are drawn plainly: no one sees eyebrows in a crowd. */
const FINE_PEOPLE = 20;
/** In a crowd, these are shadow enough. */
const PLAIN_SHADOWS: ReadonlySet<string> = new Set(["torso", "head", "shin"]);
const NO_SHADOW: ReadonlySet<string> = new Set(["face", "hand"]);
const PER_PERSON: Readonly<Record<LimbName, number>> = {
  torso: 1,
  thigh: 2,
  shin: 2,
  upperArm: 2,
  forearm: 2,
  hand: 2,
  head: 1,
  face: 1,
};
const WHITE = new Color("#ffffff");

export function createCrowd(): Crowd {
  const group = new Group();
  const skeleton = createSkeleton();
  const material = createMaterial();
  const looks = new Map<string, Look>();
  let meshes: Meshes | undefined;

  const lookOf = ({ agentId, look: given }: Pick<CrowdMember, "agentId" | "look">): Look => {
    const name = `${agentId} ${given ?? ""}`;
    const known = looks.get(name);
    if (known !== undefined) return known;
    const look = colorsOf(appearanceOf(agentId, given));
    looks.set(name, look);
    return look;
  };
  const meshesFor = (count: number): Meshes => {
    const detail = count > FINE_PEOPLE ? "plain" : "fine";
    if (meshes !== undefined && meshes.detail === detail && meshes.room >= count) return meshes;
    meshes?.dispose();
    meshes = createMeshes(detail, Math.max(16, 2 ** Math.ceil(Math.log2(count + 1))), material);
    group.clear().add(...meshes.byPart.values());
    return meshes;
  };

  return {
    group,
    show(people) {
      const drawn = meshesFor(people.length);
      const { byPart } = drawn;
      for (const mesh of byPart.values()) mesh.count = 0;
      for (const member of people) {
        const { joints, root, presence } = member;
        const look = lookOf(member);
        skeleton.place(joints, root, (part, matrix) => {
          const mesh = byPart.get(part === "hair" ? look.hairStyle : part);
          if (mesh === undefined) return;
          mesh.setMatrixAt(mesh.count, matrix);
          mesh.setColorAt(mesh.count, look.colors[part]);
          mesh.geometry.getAttribute("presence").setX(mesh.count, presence);
          mesh.count += 1;
        });
      }
      drawn.end();
    },
    dispose() {
      meshes?.dispose();
      material.dispose();
    },
  };
}

interface Look {
  readonly hairStyle: FigureAppearance["hairStyle"];
  readonly colors: Readonly<Record<LimbName | "hair", Color>>;
}

function colorsOf({ skin, hair, hairStyle, top, trousers }: FigureAppearance): Look {
  const [skinColor, topColor, trousersColor] = [
    new Color(skin),
    new Color(top),
    new Color(trousers),
  ];
  return {
    hairStyle,
    colors: {
      torso: topColor,
      thigh: trousersColor,
      shin: trousersColor,
      upperArm: topColor,
      forearm: topColor,
      hand: skinColor,
      head: skinColor,
      face: WHITE,
      hair: new Color(hair),
    },
  };
}

interface Meshes {
  readonly detail: Detail;
  readonly room: number;
  readonly byPart: ReadonlyMap<BodyPart, InstancedMesh<BufferGeometry, MeshStandardMaterial>>;
  end(): void;
  dispose(): void;
}

function createMeshes(detail: Detail, room: number, material: MeshStandardMaterial): Meshes {
  const counts: ReadonlyMap<string, number> = new Map(Object.entries(PER_PERSON));
  const byPart = new Map(
    [...bodyGeometries(detail)].map(([name, geometry]) => {
      const size = room * (counts.get(name) ?? 1);
      const presence = new InstancedBufferAttribute(new Float32Array(size), 1).setUsage(
        DynamicDrawUsage,
      );
      geometry.setAttribute("presence", presence);
      const mesh = new InstancedMesh(geometry, material, size);
      mesh.setColorAt(0, WHITE);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.castShadow = detail === "fine" ? !NO_SHADOW.has(name) : PLAIN_SHADOWS.has(name);
      mesh.receiveShadow = true;
      return [name, mesh] as const;
    }),
  );
  return {
    detail,
    room,
    byPart,
    end() {
      for (const mesh of byPart.values()) {
        mesh.visible = mesh.count > 0;
        mesh.instanceMatrix.needsUpdate = true;
        if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
        mesh.geometry.getAttribute("presence").needsUpdate = true;
      }
    },
    dispose() {
      for (const mesh of byPart.values()) {
        mesh.geometry.dispose();
        mesh.dispose();
      }
    },
  };
}

/** Ghosts are dithered, not blended: nothing has to be sorted, and depth stays right for what comes after. */
function createMaterial(): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.72 });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        "#include <common>\nattribute float presence;\nvarying float vPresence;",
      )
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvPresence = presence;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying float vPresence;")
      .replace(
        "#include <clipping_planes_fragment>",
        `#include <clipping_planes_fragment>
        float grain = fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy), vec2(0.06711056, 0.00583715))));
        if (vPresence < 0.999 && grain > vPresence) discard;`,
      )
      .replace(
        "#include <color_fragment>",
        "#include <color_fragment>\ndiffuseColor.rgb = mix(vec3(0.86, 0.9, 0.98), diffuseColor.rgb, vPresence);",
      );
  };
  return material;
}
