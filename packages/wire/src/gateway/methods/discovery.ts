/** Gateway wire: the agent programs and model servers on the machine that the crew works on. */
import { Type } from "@atrium/schema";
import { method } from "../../method.ts";
import { AnyObject, NonEmptyString, Timestamp, literals, strictObject } from "../../scalars.ts";

/**
 * `login-unknown`: only a first turn can tell. `broken`: it is there and does not work. `missing`: not installed, or not
 * running.
 */
const state = literals("ready", "login-needed", "login-unknown", "too-old", "broken", "missing");

/** Settings that connect it, for `runtimes` of atrium.config.json. Left out: it cannot be connected yet. */
const runtime = Type.Optional(AnyObject);

export const DetectedProgram = strictObject({
  /** The name of its program, and of a runtime that uses it: `claude`. */
  id: NonEmptyString,
  name: NonEmptyString,
  state,
  /** One sentence that says how it is and what to do. */
  message: NonEmptyString,
  path: Type.Optional(NonEmptyString),
  version: Type.Optional(NonEmptyString),
  /** Variables of the server's environment, and keys kept with it, that it can use, by name. */
  variables: Type.Array(NonEmptyString),
  /** Variables in which a key can take the place of its login. */
  keys: Type.Array(NonEmptyString),
  /** The command that installs or updates it. */
  install: NonEmptyString,
  runtime,
});

export const DetectedModelServer = strictObject({
  id: NonEmptyString,
  name: NonEmptyString,
  state,
  message: NonEmptyString,
  baseUrl: NonEmptyString,
  /** Those it lists, at most 100. */
  models: Type.Array(NonEmptyString),
  runtime,
});

/** Starts no session and sends no prompt. */
export const agentsDiscover = method({
  name: "agents.discover",
  scope: "operator.read",
  params: strictObject({
    /** Asks every program again; left out: what is known and still holds is used. */
    refresh: Type.Optional(Type.Boolean()),
  }),
  result: strictObject({
    agentPrograms: Type.Array(DetectedProgram),
    modelServers: Type.Array(DetectedModelServer),
    checkedAtMs: Timestamp,
  }),
});
