/** From angles of joints to where every part of a body is. */
import { Euler, Matrix4, Quaternion, Vector3 } from "three";
import { SEAT_HEIGHT } from "../room/chair.ts";
import { BODY, type LimbName } from "./body.ts";
import type { Joints, Limb } from "./joints.ts";

const DEGREES = Math.PI / 180;
const ONE = new Vector3(1, 1, 1);

/** Called once for every part, in the order of a body from the ground up. The matrix is only lent. */
export type OnPart = (part: LimbName | "hair", matrix: Matrix4) => void;

export interface Skeleton {
  /** `root` is where one stands and looks. */
  place(joints: Joints, root: Matrix4, onPart: OnPart): void;
}

export function createSkeleton(): Skeleton {
  const hips = new Matrix4();
  const upper = new Matrix4();
  const lower = new Matrix4();
  const torso = new Matrix4();
  const step = new Matrix4();
  const turn = new Quaternion();
  const angles = new Euler();
  const at = new Vector3();

  /** `into` = `from` * (move to x, y, z, then turn). */
  const joint = (
    into: Matrix4,
    from: Matrix4,
    offset: readonly [number, number, number],
    rotation: readonly [number, number, number],
  ): Matrix4 => {
    angles.set(rotation[0] * DEGREES, rotation[1] * DEGREES, rotation[2] * DEGREES, "YZX");
    step.compose(at.set(...offset), turn.setFromEuler(angles), ONE);
    return into.multiplyMatrices(from, step);
  };
  const leg = ({ pitch, spread, bend }: Limb, side: number, onPart: OnPart): void => {
    onPart("thigh", joint(upper, hips, [side * BODY.hipAside, 0, 0], [-pitch, 0, side * spread]));
    onPart("shin", joint(lower, upper, [0, -BODY.thigh, 0], [bend, 0, 0]));
  };
  const arm = ({ pitch, spread, bend }: Limb, side: number, onPart: OnPart): void => {
    const shoulder = [side * BODY.shoulderAside, BODY.shoulder - 0.02, 0] as const;
    // Above the shoulder, the same turn that spread the arm would close it.
    const outward = side * spread * (pitch > 90 ? -1 : 1);
    onPart("upperArm", joint(upper, torso, shoulder, [-pitch, 0, outward]));
    onPart("forearm", joint(lower, upper, [0, -BODY.upperArm, 0], [-bend, 0, 0]));
    onPart("hand", joint(upper, lower, [0, -BODY.forearm - 0.045, 0], [0, 0, 0]));
  };

  return {
    place(joints, root, onPart) {
      const height = BODY.hip + (SEAT_HEIGHT + 0.06 - BODY.hip) * joints.seated + joints.bob;
      joint(hips, root, [0, height, -0.06 * joints.seated], [0, 0, 0]);
      leg(joints.leftLeg, 1, onPart);
      leg(joints.rightLeg, -1, onPart);
      onPart("torso", joint(torso, hips, [0, 0, 0], [joints.lean, 0, 0]));
      arm(joints.leftArm, 1, onPart);
      arm(joints.rightArm, -1, onPart);
      joint(upper, torso, [0, BODY.neck, 0], [joints.headPitch - joints.lean, joints.headTurn, 0]);
      const head = joint(lower, upper, [0, BODY.headUp, 0.01], [0, 0, 0]);
      onPart("head", head);
      onPart("face", head);
      onPart("hair", head);
    },
  };
}
