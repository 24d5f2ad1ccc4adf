/** The files of a task or build, put back as they were or taken as the start of another try. */
import { Type } from "@atrium/schema";
import { IdempotencyKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { Count, strictObject } from "../../scalars.ts";

const moment = {
  /** The id of the task or build. */
  workspace: Type.String({ minLength: 1, maxLength: 128 }),
  /** Its files as they were at this position of the log. */
  seq: Count,
  idempotencyKey: Type.Optional(IdempotencyKey),
};

const Done = strictObject({ workspace: moment.workspace, seq: Count });

/** Refused while a run works there. How the files were before is recorded, so that this can be undone. */
export const workspaceRestore = method({
  name: "workspace.restore",
  scope: "operator.write",
  decides: true,
  idempotency: "optional",
  params: strictObject(moment),
  result: Done,
});

/** A new task or build, with those files and what was said until then; the result names it. */
export const workspaceFork = method({
  name: "workspace.fork",
  scope: "operator.write",
  decides: true,
  idempotency: "optional",
  params: strictObject({
    ...moment,
    /** What is to be done otherwise. */
    instructions: Type.Optional(Type.String({ maxLength: 20_000 })),
  }),
  result: Done,
});
