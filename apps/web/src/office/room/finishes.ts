/** One material per finish; colors come from the vertices. */
import { Color, DoubleSide, MeshStandardMaterial } from "three";
import type { Finish } from "./shape.ts";

export type Finishes = Readonly<Record<Finish, MeshStandardMaterial>>;

export function createFinishes(): Finishes {
  const leaf = surface(0.7);
  leaf.side = DoubleSide;
  const lampshade = surface(0.8);
  lampshade.side = DoubleSide;
  lampshade.emissive = new Color("#ffb850");
  lampshade.emissiveIntensity = 0;
  return {
    matte: surface(0.92),
    wood: surface(0.58),
    satin: surface(0.45),
    metal: surface(0.34, 0.55),
    leaf,
    lampshade,
  };
}

function surface(roughness: number, metalness = 0): MeshStandardMaterial {
  return new MeshStandardMaterial({ vertexColors: true, roughness, metalness });
}
