/** Gateway wire: the repositories that agents may work on. */
import { Type } from "@atrium/schema";
import { IdempotencyKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { REPOSITORY_DETAILS } from "../../repository.ts";
import { NonEmptyString, Timestamp, literals, strictObject } from "../../scalars.ts";

export const AttachedRepository = strictObject({
  id: NonEmptyString,
  path: NonEmptyString,
  ...REPOSITORY_DETAILS,
  /** Those of the settings are changed there and nowhere else. */
  origin: literals("settings", "added"),
  addedBy: Type.Optional(NonEmptyString),
  addedAtMs: Type.Optional(Timestamp),
  /** `folder`: it has no history of its own. Left out where it cannot be used. */
  kind: Type.Optional(literals("git", "folder", "own")),
  /** What work starts from. */
  commit: Type.Optional(NonEmptyString),
  /** Why it cannot be used. */
  problem: Type.Optional(NonEmptyString),
});

export const repositoriesList = method({
  name: "repositories.list",
  scope: "operator.read",
  params: strictObject({}),
  result: strictObject({ repositories: Type.Array(AttachedRepository) }),
});

/** Lets agents read what is committed there, so it is for those who may change settings. */
export const repositoriesAdd = method({
  name: "repositories.add",
  scope: "operator.admin",
  idempotency: "optional",
  params: strictObject({
    /** Left out: made of the folder's name. */
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** Absolute, on the server's machine. */
    path: Type.String({ minLength: 1, maxLength: 4_096 }),
    ...REPOSITORY_DETAILS,
    idempotencyKey: Type.Optional(IdempotencyKey),
  }),
  result: strictObject({ repository: AttachedRepository }),
});

export const repositoriesRemove = method({
  name: "repositories.remove",
  scope: "operator.admin",
  idempotency: "optional",
  params: strictObject({
    id: Type.String({ minLength: 1, maxLength: 128 }),
    idempotencyKey: Type.Optional(IdempotencyKey),
  }),
  result: strictObject({ id: NonEmptyString }),
});
