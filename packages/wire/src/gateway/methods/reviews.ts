/** What people say to what agents have handed over, and what becomes of what was merged. */
import { Type } from "@atrium/schema";
import { IdempotencyKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { Count, strictObject } from "../../scalars.ts";
import { DELIVERY_WAYS, LineComment } from "../../world/changes.ts";
import { WORLD_LIMITS } from "../../world/limits.ts";
import { oneOf } from "../../world/one-of.ts";

const Id = Type.String({ minLength: 1, maxLength: 128 });
const once = { idempotencyKey: Type.Optional(IdempotencyKey) };
const ofArtifact = {
  artifact: Id,
  /** The version that was looked at: a verdict is never on one that nobody has seen. */
  version: Type.Optional(Type.Integer({ minimum: 1 })),
  ...once,
};
const ArtifactDone = strictObject({ artifact: Id, seq: Count });
const decided = { scope: "operator.write", decides: true, idempotency: "optional" } as const;

export const artifactsApprove = method({
  name: "artifacts.approve",
  ...decided,
  params: strictObject(ofArtifact),
  result: ArtifactDone,
});

export const artifactsRequestChanges = method({
  name: "artifacts.requestChanges",
  ...decided,
  params: strictObject({
    ...ofArtifact,
    /** May be left out where there are comments. */
    instructions: Type.Optional(Type.String({ maxLength: WORLD_LIMITS.text })),
    comments: Type.Optional(Type.Array(LineComment, { maxItems: WORLD_LIMITS.comments })),
  }),
  result: ArtifactDone,
});

/** Asks for it; how it ended is told in the world. */
export const artifactsRevert = method({
  name: "artifacts.revert",
  ...decided,
  params: strictObject({ artifact: Id, ...once }),
  result: ArtifactDone,
});

/** Asks for it; how it ended is told in the world. */
export const projectsUpdate = method({
  name: "projects.update",
  ...decided,
  params: strictObject({ project: Id, ...once }),
  result: strictObject({ project: Id, seq: Count }),
});

/** Left out, how: as the repository's settings say. */
export const projectsDeliver = method({
  name: "projects.deliver",
  ...decided,
  params: strictObject({ project: Id, how: Type.Optional(oneOf(DELIVERY_WAYS)), ...once }),
  result: strictObject({
    project: Id,
    how: Type.String(),
    /** The branch, file or address it is found at. */
    ref: Type.String(),
    commit: Type.String(),
    seq: Count,
  }),
});
