/** Which rug lies where: told by what stands on it. The room and the floor plan lay the same ones. */
import type { SceneManifest, SceneObject } from "../state/scene-manifest.ts";

export type RugName = "meeting" | "lounge" | "doormat";

/** In meters, before it is turned: along x, along z. */
export const RUG_SIZES: Readonly<Record<RugName, readonly [width: number, depth: number]>> = {
  meeting: [3.7, 3.1],
  lounge: [2.5, 2.9],
  doormat: [0.95, 0.6],
};

export function rugNameOf({ pos }: SceneObject, { objects }: SceneManifest): RugName {
  const above = objects.find(
    (other) => other.footprint !== null && other.pos[0] === pos[0] && other.pos[2] === pos[2],
  );
  if (above === undefined) return "doormat";
  return above.kind === "round_table" ? "meeting" : "lounge";
}
