/** Repositories, as settings and doors describe them. */
import { Type } from "@atrium/schema";
import { literals } from "./scalars.ts";

/** Whether there is one with that id, the server knows. */
export const RepositoryId = Type.String({ minLength: 1, maxLength: 128 });

const Argument = Type.String({ maxLength: 4_096, pattern: "^[^\\u0000]*$" });
/** A program and its arguments, run without a shell. */
const Program = (description: string) =>
  Type.Array(Argument, { minItems: 1, maxItems: 100, description });

export const RepositoryCheck = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    command: Program("The program and its arguments."),
    required: Type.Optional(
      Type.Boolean({
        description: "A change that fails it goes back to its agent once; false if absent.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** What is known of a repository besides its id and path. */
export const REPOSITORY_DETAILS = {
  base: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The branch that work starts from; what is checked out if absent.",
    }),
  ),
  setup: Type.Optional(Program("A program and its arguments, to prepare a new worktree.")),
  checks: Type.Optional(
    Type.Array(RepositoryCheck, {
      maxItems: 50,
      description:
        "Programs that tell whether work is good, each under a name; run on every change.",
    }),
  ),
  deliver: Type.Optional(
    Type.Union(literals("branch", "patch", "fast-forward", "pull-request").anyOf, {
      description: "How a project is delivered; as a branch if absent.",
    }),
  ),
};
