/** Many parts into one geometry, each part's color baked into its vertices. */
import { BufferAttribute, BufferGeometry } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { Finish, Part } from "./shape.ts";

export function merged(parts: readonly Part[]): BufferGeometry {
  return mergeGeometries(parts.map(colored));
}

export function byFinish(parts: readonly Part[]): ReadonlyMap<Finish, BufferGeometry> {
  const groups = Map.groupBy(parts, ({ finish }) => finish);
  return new Map([...groups].map(([finish, group]) => [finish, merged(group)]));
}

/** Merging asks that all have the same attributes: none indexed, none with texture coordinates. */
function colored({ geometry, color }: Part): BufferGeometry {
  const plain = geometry.index === null ? geometry.clone() : geometry.toNonIndexed();
  const count = plain.getAttribute("position").count;
  const colors = new Float32Array(count * 3);
  for (let at = 0; at < count; at += 1) color.toArray(colors, at * 3);
  plain.setAttribute("color", new BufferAttribute(colors, 3));
  for (const name of Object.keys(plain.attributes)) {
    if (!KEPT.has(name)) plain.deleteAttribute(name);
  }
  return plain;
}

const KEPT: ReadonlySet<string> = new Set(["position", "normal", "color"]);
