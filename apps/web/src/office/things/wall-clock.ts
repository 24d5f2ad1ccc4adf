/** The hands of the clock on the wall: the time that is shown, which in the past is the past's. */
import { BoxGeometry, Group, Mesh, MeshBasicMaterial } from "three";
import { INK, STEEL } from "../room/palette.ts";
import { CLOCK_AT, wallPoint } from "../room/walls-and-windows.ts";
import type { SceneManifest } from "../state/scene-manifest.ts";

export interface WallClock {
  readonly group: Group;
  show(time: number): void;
}

const LONG = 0.14;
const SHORT = 0.095;
const TURN = -2 * Math.PI;

export function createWallClock(manifest: SceneManifest): WallClock {
  const hours = hand(SHORT, 0.018, STEEL);
  const minutes = hand(LONG, 0.013, INK);
  const group = new Group();
  group.add(hours, minutes);
  group.position.set(...wallPoint(manifest, CLOCK_AT));
  return {
    group,
    show(time) {
      const { hour, minute } = handsAt(new Date(time));
      hours.rotation.z = hour * TURN;
      minutes.rotation.z = minute * TURN;
    },
  };
}

/** As parts of a whole turn, by the clock of whoever looks. Pure. */
export function handsAt(time: Date): { readonly hour: number; readonly minute: number } {
  const minute = time.getMinutes() / 60;
  return { hour: ((time.getHours() % 12) + minute) / 12, minute };
}

/** Turns around its lower end, a little beyond the middle of the face. */
function hand(length: number, width: number, color: string): Mesh<BoxGeometry, MeshBasicMaterial> {
  const geometry = new BoxGeometry(width, length, 0.008).translate(0, length / 2 - 0.015, 0.03);
  return new Mesh(geometry, new MeshBasicMaterial({ color }));
}
