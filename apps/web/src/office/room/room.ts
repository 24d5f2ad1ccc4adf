/** Everything that never moves, as a handful of meshes. */
import { Group, Mesh } from "three";
import type { SceneManifest } from "../state/scene-manifest.ts";
import type { Finishes } from "./finishes.ts";
import { createFloor } from "./floor.ts";
import { furniture } from "./furniture.ts";
import { byFinish } from "./merge.ts";
import type { Part } from "./shape.ts";
import { walls } from "./walls-and-windows.ts";

export function createRoom(scene: SceneManifest, finishes: Finishes): Group {
  const room = new Group();
  const parts: Part[] = [...walls(scene), ...furniture(scene)];
  for (const [finish, geometry] of byFinish(parts)) {
    const mesh = new Mesh(geometry, finishes[finish]);
    mesh.castShadow = finish !== "lampshade";
    mesh.receiveShadow = finish !== "lampshade";
    room.add(mesh);
  }
  room.add(createFloor(scene.size));
  return room;
}
