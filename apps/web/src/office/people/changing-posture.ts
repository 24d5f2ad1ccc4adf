/** From one posture to the next without a jerk: what was shown last fades into what is to be shown. */
import type { Joints, Limb } from "./joints.ts";
import type { Posture } from "./pose.ts";

export interface PostureMemory {
  /** The joints to show; `isChanging` while the last posture is still seen in them. */
  joints(agentId: string, posture: Posture, wanted: Joints, time: number): Joints;
  isChanging(time: number): boolean;
  forget(): void;
  /** Those who left are not remembered. */
  keepOnly(agentIds: ReadonlySet<string>): void;
}

const CHANGES_MS = 320;

interface ShownPosture {
  readonly posture: Posture;
  /** When it was taken, and what was seen before. */
  readonly at: number;
  readonly from: Joints;
  readonly now: Joints;
}

export function createPostureMemory(): PostureMemory {
  const shown = new Map<string, ShownPosture>();
  const isChangingAt = ({ at }: ShownPosture, time: number): boolean =>
    time >= at && time < at + CHANGES_MS;
  return {
    joints(agentId, posture, wanted, time) {
      const last = shown.get(agentId);
      const isKept = last?.posture === posture;
      const at = isKept ? last.at : time;
      const from = isKept ? last.from : (last?.now ?? wanted);
      const share = Math.max(0, Math.min(1, (time - at) / CHANGES_MS));
      const now = share === 1 || from === wanted ? wanted : mixJoints(from, wanted, share);
      shown.set(agentId, { posture, at: last === undefined ? -Infinity : at, from, now });
      return now;
    },
    isChanging: (time) => shown.values().some((one) => isChangingAt(one, time)),
    forget: () => shown.clear(),
    keepOnly(agentIds) {
      for (const id of shown.keys()) if (!agentIds.has(id)) shown.delete(id);
    },
  };
}

export function mixJoints(from: Joints, to: Joints, share: number): Joints {
  const eased = share * share * (3 - 2 * share);
  const mix = (one: number, other: number): number => one + (other - one) * eased;
  const limb = (one: Limb, other: Limb): Limb => ({
    pitch: mix(one.pitch, other.pitch),
    spread: mix(one.spread, other.spread),
    bend: mix(one.bend, other.bend),
  });
  return {
    seated: mix(from.seated, to.seated),
    bob: mix(from.bob, to.bob),
    lean: mix(from.lean, to.lean),
    headPitch: mix(from.headPitch, to.headPitch),
    headTurn: mix(from.headTurn, to.headTurn),
    leftArm: limb(from.leftArm, to.leftArm),
    rightArm: limb(from.rightArm, to.rightArm),
    leftLeg: limb(from.leftLeg, to.leftLeg),
    rightLeg: limb(from.rightLeg, to.rightLeg),
  };
}
