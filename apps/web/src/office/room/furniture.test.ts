import assert from "node:assert/strict";
import { test } from "node:test";
import { cozyOffice } from "@atrium/core";
import { Box3, type BufferGeometry } from "three";
import { bodyGeometries } from "../people/body.ts";
import { furniture } from "./furniture.ts";
import { byFinish } from "./merge.ts";
import { STEEL } from "./palette.ts";
import { walls } from "./walls-and-windows.ts";

const trianglesOf = (geometry: BufferGeometry): number =>
  (geometry.index?.count ?? geometry.getAttribute("position").count) / 3;
const only = (kind: string) => ({
  ...cozyOffice,
  objects: cozyOffice.objects.filter((object) => object.kind === kind).slice(0, 1),
});

test("every kind of furniture in the office is built, none as a bare block", () => {
  const built = new Set(cozyOffice.objects.map(({ kind }) => kind));
  for (const kind of built) {
    if (kind === "window" || kind === "door") continue;
    assert.ok(furniture(only(kind)).length > 1, kind);
  }
});

test("furniture stands on the floor within a hand of its footprint, so that nobody walks through it", () => {
  for (const object of cozyOffice.objects) {
    if (object.footprint === null || object.kind === "plant") continue;
    const box = new Box3();
    for (const { geometry } of furniture({ ...cozyOffice, objects: [object] })) {
      geometry.computeBoundingBox();
      box.union(geometry.boundingBox!);
    }
    const isTurned = object.rotation % 180 !== 0;
    const { footprint } = object;
    const [width, depth] =
      footprint.shape === "box"
        ? [footprint.width, footprint.depth]
        : [footprint.radius * 2, footprint.radius * 2];
    const [wide, deep] = isTurned ? [depth, width] : [width, depth];
    const slack = 0.13;
    assert.ok(
      box.max.x - object.pos[0] <= wide / 2 + slack &&
        object.pos[0] - box.min.x <= wide / 2 + slack,
      `${object.object_id} is too wide`,
    );
    assert.ok(
      box.max.z - object.pos[2] <= deep / 2 + slack &&
        object.pos[2] - box.min.z <= deep / 2 + slack,
      `${object.object_id} is too deep`,
    );
    assert.ok(box.min.y >= -0.02, `${object.object_id} sinks in`);
  }
});

test("a kind that nobody knows stands there as a block of its size", () => {
  const object = {
    object_id: "piano_1",
    kind: "piano",
    pos: [0, 0, 0],
    rotation: 0,
    footprint: { shape: "box", width: 1.5, depth: 1 },
  } as const;
  const [block, ...others] = furniture({ ...cozyOffice, objects: [object] });
  assert.equal(others.length, 0);
  assert.equal(`#${block!.color.getHexString()}`, STEEL);
});

test("[WEB-15] all that never moves is a handful of meshes and at most 60,000 triangles", () => {
  const meshes = [...byFinish([...walls(cozyOffice), ...furniture(cozyOffice)]).values()];
  assert.ok(meshes.length <= 6);
  const triangles = meshes.reduce((sum, geometry) => sum + trianglesOf(geometry), 0);
  assert.ok(triangles <= 60_000, `${triangles}`);
});

test("[WEB-15] a person in a crowd is at most 1,300 triangles, one among few at most 8,000", () => {
  const PAIRED = new Set(["thigh", "shin", "upperArm", "forearm", "hand"]);
  const HAIR = ["crop", "bob", "bun", "curls", "quiff", "long"];
  for (const [detail, most] of [
    ["plain", 1_300],
    ["fine", 8_000],
  ] as const) {
    const parts = bodyGeometries(detail);
    const hair = Math.max(...HAIR.map((style) => trianglesOf(parts.get(style as "crop")!)));
    let sum = hair;
    for (const [name, geometry] of parts) {
      if (!HAIR.includes(name)) sum += trianglesOf(geometry) * (PAIRED.has(name) ? 2 : 1);
    }
    assert.ok(sum <= most, `${detail}: ${sum}`);
  }
});
