/** Sessions of agents that a person goes on with in a terminal on the server's machine. */
import { Type } from "@atrium/schema";
import { method } from "../method.ts";
import { NonEmptyString, strictObject } from "../scalars.ts";

/**
 * Answers once the agent has let go of the session. From then on the process `pid` has it, which becomes the program or
 * waits for it, and gives it back by ending.
 */
export const terminalTake = method({
  name: "terminal.take",
  scope: "operator.write",
  decides: true,
  params: strictObject({
    /** A run that is under way, a task that is worked on, or a conversation. */
    target: Type.String({ minLength: 1, maxLength: 512 }),
    /** Of the caller. */
    pid: Type.Integer({ minimum: 1 }),
    /** Who it is, as others are shown. */
    owner: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  }),
  result: strictObject({
    runId: NonEmptyString,
    /** The program and its arguments. */
    command: Type.Array(Type.String(), { minItems: 1 }),
    cwd: NonEmptyString,
    /** Where the program has its sessions. */
    env: Type.Array(strictObject({ name: NonEmptyString, value: Type.String() })),
    /** Names of other variables that the program has from Atrium. */
    variables: Type.Array(NonEmptyString),
  }),
});
