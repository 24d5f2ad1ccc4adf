import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { PerspectiveCamera, Ray, Vector3 } from "three";
import { framePoints } from "./framing.ts";
import { boxAround, pickNearest } from "./picking.ts";
import { QUALITY } from "./quality.ts";
import { startRenderLoop, type Motion } from "./render-loop.ts";
import { LOWEST_PIXEL_RATIO, createResolution } from "./resolution.ts";

test("the room fills the picture and nothing of it is cut off, whatever the shape of the screen", () => {
  const points = [-6, 6].flatMap((x) =>
    [-4.5, 4.5].flatMap((z) => [0, 3].map((y) => new Vector3(x, y, z))),
  );
  fc.assert(
    fc.property(fc.double({ min: 0.4, max: 3, noNaN: true }), (aspect) => {
      const { position, target } = framePoints(
        points,
        new Vector3(0.7, 0.6, 0.8),
        { fov: 24, aspect },
        0.02,
      );
      const camera = new PerspectiveCamera(24, aspect, 0.1, 1000);
      camera.position.copy(position);
      camera.lookAt(target);
      camera.updateMatrixWorld();
      const seen = points.map((point) => point.clone().project(camera));
      const reach = Math.max(...seen.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]));
      assert.ok(reach <= 1 && reach > 0.9, `${reach}`);
    }),
  );
});

test("[WEB-15] resolution falls when frames are slow, never under the least", () => {
  const resolution = createResolution(1.5);
  for (let frame = 0; frame < 400; frame += 1) resolution.frameTook(60);
  assert.equal(resolution.pixelRatio, LOWEST_PIXEL_RATIO);
});

test("[WEB-15] it rises again when frames have been quick for long, no further than the tier allows", () => {
  const resolution = createResolution(1.5);
  for (let frame = 0; frame < 400; frame += 1) resolution.frameTook(60);
  for (let frame = 0; frame < 100; frame += 1) resolution.frameTook(8);
  assert.equal(resolution.pixelRatio, LOWEST_PIXEL_RATIO);
  for (let frame = 0; frame < 2_000; frame += 1) resolution.frameTook(8);
  assert.equal(resolution.pixelRatio, 1.5);
});

test("[WEB-15] one slow frame changes nothing, nor do frames that are neither slow nor quick", () => {
  const resolution = createResolution(1.25);
  for (let frame = 0; frame < 500; frame += 1) resolution.frameTook(frame === 250 ? 120 : 20);
  assert.equal(resolution.pixelRatio, 1.25);
});

test("[WEB-15] the low tier has neither shadows nor effects", () => {
  assert.deepEqual([QUALITY.low.shadowResolution, QUALITY.low.hasEffects], [0, false]);
});

/** Frames that come when the test says so. */
function handDriven() {
  const waiting = new Map<number, (nowMs: number) => void>();
  let next = 1;
  let now = 0;
  let pulse = (): void => undefined;
  return {
    frames: {
      request(callback: (nowMs: number) => void) {
        waiting.set(next, callback);
        return next++;
      },
      cancel: (handle: number) => void waiting.delete(handle),
      pulse(callback: () => void) {
        pulse = callback;
        return () => (pulse = () => undefined);
      },
    },
    tick(ms = 16) {
      now += ms;
      const due = [...waiting.values()];
      waiting.clear();
      for (const callback of due) callback(now);
    },
    pulse: () => pulse(),
    isWaiting: () => waiting.size > 0,
  };
}

test("[WEB-16] while something moves a frame follows a frame; when nothing does, none is asked for", () => {
  const browser = handDriven();
  const motions: Motion[] = ["lively", "lively", "still"];
  let drawn = 0;
  const loop = startRenderLoop(browser.frames, {
    draw: () => motions[drawn++] ?? "still",
    hasChanged: () => false,
  });
  for (let tick = 0; tick < 10; tick += 1) browser.tick();
  assert.deepEqual([drawn, browser.isWaiting()], [3, false]);
  browser.pulse();
  assert.equal(browser.isWaiting(), false);
  loop.wake();
  browser.tick();
  assert.deepEqual([drawn, browser.isWaiting()], [4, false]);
});

test("[WEB-16] where only hands move, fewer frames are drawn", () => {
  const browser = handDriven();
  let drawn = 0;
  startRenderLoop(browser.frames, { draw: () => ((drawn += 1), "calm"), hasChanged: () => false });
  for (let tick = 0; tick < 60; tick += 1) browser.tick();
  assert.ok(drawn >= 18 && drawn <= 22, `${drawn}`);
});

test("[WEB-16] what time alone changes is drawn too, and a stopped loop draws nothing", () => {
  const browser = handDriven();
  let drawn = 0;
  let isChanged = false;
  const loop = startRenderLoop(browser.frames, {
    draw: () => ((drawn += 1), "still"),
    hasChanged: () => isChanged,
  });
  browser.tick();
  isChanged = true;
  browser.pulse();
  browser.tick();
  assert.equal(drawn, 2);
  loop.wake();
  loop.stop();
  browser.tick();
  browser.pulse();
  loop.wake();
  assert.deepEqual([drawn, browser.isWaiting()], [2, false]);
});

test("[WEB-17] the nearest thing is picked, and what stands on furniture before the furniture", () => {
  const ray = new Ray(new Vector3(0, 6, 6), new Vector3(0, -5.2, -6).normalize());
  const shelf = {
    picked: { kind: "poi", id: "poi_shelf" },
    box: boxAround([0, 0, 0], [2, 0.8, 0.5]),
  } as const;
  const folder = {
    picked: { kind: "artifact", id: "art_1" },
    box: boxAround([0, 0.78, 0], [0.3, 0.06, 0.3]),
  } as const;
  const agent = {
    picked: { kind: "agent", id: "agent_a" },
    box: boxAround([0, 0, 2], [0.5, 3.1, 0.5]),
  } as const;
  assert.deepEqual(pickNearest(ray, [shelf]), shelf.picked);
  assert.deepEqual(pickNearest(ray, [shelf, folder]), folder.picked);
  assert.deepEqual(pickNearest(ray, [shelf, folder, agent]), agent.picked);
  assert.equal(
    pickNearest(new Ray(new Vector3(9, 5, 9), new Vector3(0, -1, 0)), [shelf, folder, agent]),
    undefined,
  );
});
