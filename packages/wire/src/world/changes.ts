/** A change in the world: which files an agent's work touches, how it was checked, and where it has gone. */
import { Type, type Static } from "@atrium/schema";
import { Count, Timestamp, strictObject } from "../scalars.ts";
import { TaskId } from "./ids.ts";
import { WORLD_LIMITS } from "./limits.ts";
import { oneOf } from "./one-of.ts";

const Text = Type.String();
const Version = Type.Integer({ minimum: 1 });

const TASK_KINDS = ["change", "document"] as const;
export const TaskKind = oneOf(TASK_KINDS);

/** How a task fits into its plan. */
export const PlannedPart = {
  /** Tasks that are to be done before it starts. */
  after: Type.Optional(Type.Array(TaskId)),
  /** What a good result is, a sentence each. */
  accept: Type.Optional(Type.Array(Text)),
  /** Commands that tell whether it is good. */
  verify: Type.Optional(Type.Array(Text)),
  kind: Type.Optional(TaskKind),
};

export const ConflictPath = strictObject({ path: Text, kind: Text });

export const ChangeSummary = strictObject({
  commit: Text,
  base: Text,
  files: Count,
  added: Count,
  removed: Count,
  /** Files that are there and not in it. */
  omitted: Type.Array(strictObject({ path: Text, why: Text })),
  /** There are more files, or more of the patch, than were kept. */
  is_cut: Type.Optional(Type.Literal(true)),
  /** The agent came to a limit before it was finished. */
  is_unfinished: Type.Optional(Type.Literal(true)),
  /** What the agent says of it. */
  summary: Type.Optional(Text),
  /** Edited files that deserve a second look: checks, continuous integration, lock files. */
  flagged: Type.Array(Text),
});

export const CheckOutcome = strictObject({
  check_id: Text,
  name: Text,
  required: Type.Boolean(),
  verdict: oneOf(["passed", "failed", "error", "skipped"]),
  exit_code: Type.Optional(Type.Integer()),
  ms: Count,
});

export const ArtifactCheckState = strictObject({
  version: Version,
  state: oneOf(["running", "passed", "failed"]),
  names: Type.Array(Text),
  results: Type.Array(CheckOutcome),
});
export type ArtifactCheckState = Static<typeof ArtifactCheckState>;

/** Of an approved change: on its way into the project's line, in it, held up, on its way out, or taken back. */
export const LandingState = oneOf(["pending", "landed", "conflicted", "reverting", "reverted"]);

/** Branch, fast-forward and pull request go into the repository, a folder into the home; the others are files. */
export const DELIVERY_WAYS = [
  "branch",
  "fast-forward",
  "pull-request",
  "folder",
  "patch",
  "bundle",
  "zip",
] as const;

export const ProjectDelivery = strictObject({
  how: Text,
  /** The branch, file or address it is found at. */
  ref: Text,
  commit: Text,
  by: Text,
  at: Timestamp,
});

/** A comment on lines of the version that is looked at. */
export const LineComment = strictObject({
  path: Type.String({ minLength: 1, maxLength: WORLD_LIMITS.path }),
  line: Version,
  /** The last line it is about; left out: the same. */
  end_line: Type.Optional(Version),
  /** `new`: as the change has it; `old`: as it was before. */
  side: oneOf(["old", "new"]),
  text: Type.String({ minLength: 1, maxLength: WORLD_LIMITS.comment }),
});
export type LineComment = Static<typeof LineComment>;
