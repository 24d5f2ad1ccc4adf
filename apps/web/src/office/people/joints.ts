/**
 * A posture as angles of joints at a time. Degrees; a positive pitch moves a limb forward, a positive spread outward.
 *
 * `beat` is the time in seconds, shifted by who it is, so that no two type in step; `walked` moves the legs, so that
 * feet keep to the ground at any speed.
 */
import type { Posture } from "./pose.ts";

export interface Limb {
  readonly pitch: number;
  readonly spread: number;
  /** Of the elbow or the knee. */
  readonly bend: number;
}

export interface Joints {
  /** From 0, standing, to 1, on a seat. */
  readonly seated: number;
  /** How far hips rise and fall, in meters. */
  readonly bob: number;
  readonly lean: number;
  readonly headPitch: number;
  readonly headTurn: number;
  readonly leftArm: Limb;
  readonly rightArm: Limb;
  readonly leftLeg: Limb;
  readonly rightLeg: Limb;
}

const STRIDE_METERS = 0.95;
const REST: Limb = { pitch: 4, spread: 9, bend: 14 };
const STRAIGHT: Limb = { pitch: 0, spread: 2, bend: 0 };
const BENT: Limb = { pitch: 88, spread: 5, bend: 88 };

const STANDING: Joints = {
  seated: 0,
  bob: 0,
  lean: 0,
  headPitch: 0,
  headTurn: 0,
  leftArm: REST,
  rightArm: REST,
  leftLeg: STRAIGHT,
  rightLeg: STRAIGHT,
};
const SEATED: Joints = {
  ...STANDING,
  seated: 1,
  leftArm: { pitch: 30, spread: 6, bend: 40 },
  rightArm: { pitch: 30, spread: 6, bend: 40 },
  leftLeg: BENT,
  rightLeg: BENT,
};
const HOLDING: Limb = { pitch: 34, spread: -4, bend: 62 };

export function jointsOf(posture: Posture, beat: number, walked: number): Joints {
  switch (posture) {
    case "walk":
      return walking(walked);
    case "walk-carrying":
      return { ...walking(walked), leftArm: HOLDING, rightArm: HOLDING };
    case "stand":
      return STANDING;
    case "carry":
      return { ...STANDING, leftArm: HOLDING, rightArm: HOLDING, headPitch: 8 };
    case "explain":
      return {
        ...STANDING,
        rightArm: gesture(beat),
        leftArm: { ...REST, bend: 50 },
        headTurn: wave(beat, 0.3) * 10,
      };
    case "ask":
      return { ...STANDING, rightArm: raised(beat), headPitch: -8 };
    case "wait":
      return { ...STANDING, leftArm: CROSSED, rightArm: CROSSED, headPitch: 14, lean: 2 };
    case "sit":
      return SEATED;
    case "type":
      return typing(beat);
    case "discuss":
      return { ...SEATED, rightArm: gesture(beat), headTurn: wave(beat, 0.23) * 24, lean: 5 };
    case "ask-seated":
      return { ...SEATED, rightArm: raised(beat), headPitch: -10 };
    case "slump":
      return { ...SEATED, lean: 16, headPitch: 24, leftArm: CROSSED, rightArm: CROSSED };
    case "lean-back":
      return { ...SEATED, lean: -16, headPitch: -6, leftArm: BEHIND_HEAD, rightArm: BEHIND_HEAD };
  }
}

const CROSSED: Limb = { pitch: 38, spread: -14, bend: 92 };
const BEHIND_HEAD: Limb = { pitch: 140, spread: 62, bend: 118 };

function wave(beat: number, perSecond: number): number {
  return Math.sin(beat * perSecond * Math.PI * 2);
}

function walking(walked: number): Joints {
  const swing = Math.sin((walked / STRIDE_METERS) * Math.PI * 2);
  const lift = Math.abs(Math.cos((walked / STRIDE_METERS) * Math.PI * 2));
  return {
    ...STANDING,
    bob: -0.012 + lift * 0.018,
    lean: 4,
    leftLeg: stride(swing),
    rightLeg: stride(-swing),
    leftArm: swung(-swing),
    rightArm: swung(swing),
  };
}

function stride(way: number): Limb {
  return { pitch: way * 30, spread: 1, bend: 8 + Math.max(0, -way) * 34 };
}

function swung(way: number): Limb {
  return { pitch: way * 26, spread: 8, bend: 22 };
}

function typing(beat: number): Joints {
  const hand = (shift: number): Limb => ({
    pitch: 46 + wave(beat + shift, 3.1) * 2.5,
    spread: -3,
    bend: 48 + wave(beat + shift, 4.3) * 5,
  });
  return {
    ...SEATED,
    lean: 6,
    headPitch: 4 + wave(beat, 0.17) * 3,
    headTurn: wave(beat, 0.11) * 6,
    leftArm: hand(0),
    rightArm: hand(0.13),
  };
}

function gesture(beat: number): Limb {
  return { pitch: 44 + wave(beat, 0.5) * 12, spread: 14, bend: 62 + wave(beat, 0.7) * 16 };
}

function raised(beat: number): Limb {
  return { pitch: 165, spread: 42 + wave(beat, 0.8) * 9, bend: 14 };
}
