/**
 * From parsed JSON to a signal, or where it breaks its schema and why. The type is looked up, then that
 * type's own check runs; one check for all of them would try each.
 */
import { checkLater, type LaterCheck, type TSchema } from "@atrium/schema";
import { strictObject } from "../scalars.ts";
import {
  Envelope,
  SIGNAL_FIELDS,
  type SignalEnvelope,
  type SignalEvent,
  type WellKnownSignalType,
} from "./envelope.ts";
import { SIGNAL_PAYLOADS } from "./payloads.ts";

export interface SignalProblem {
  /** A JSON pointer to what is wrong; empty for the signal itself. */
  readonly path: string;
  readonly reason: string;
}

export type SignalReader = (value: unknown) => SignalEnvelope | SignalProblem;

/** The checks are compiled for the first signal that needs each. */
export function createSignalReader(): SignalReader {
  const checks = new Map<unknown, LaterCheck<TSchema>>(
    Object.entries(SIGNAL_PAYLOADS).map(([type, payload]) => [
      type,
      checkLater(strictObject({ ...SIGNAL_FIELDS, payload })),
    ]),
  );
  const open = checkLater(Envelope);
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return { path: "", reason: "a signal is an object" };
    }
    const check = checks.get("type" in value ? value.type : undefined) ?? open;
    if (check.Check(value)) return value;
    return problemOf(check, value);
  };
}

export function isWellKnown(signal: SignalEnvelope): signal is SignalEvent {
  return Object.hasOwn(SIGNAL_PAYLOADS, signal.type);
}

export const WELL_KNOWN_TYPES: readonly WellKnownSignalType[] =
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of that object
  Object.keys(SIGNAL_PAYLOADS) as WellKnownSignalType[];

function problemOf(check: LaterCheck<TSchema>, value: object): SignalProblem {
  const issues = check.Errors(value);
  // What is missing or too much says more than that a schema of constants or `false` did not fit.
  const issue =
    issues.find(({ keyword }) => keyword === "required" || keyword === "additionalProperties") ??
    issues[0];
  if (issue === undefined) return { path: "", reason: "it is not a signal" };
  const { instancePath: path } = issue;
  if (issue.keyword === "required") {
    const [name] = issue.params.requiredProperties;
    return { path: `${path}/${pointer(name)}`, reason: "is required" };
  }
  if (issue.keyword === "additionalProperties") {
    const [name] = issue.params.additionalProperties;
    return { path: `${path}/${pointer(name)}`, reason: "is not a key that belongs here" };
  }
  return { path, reason: choicesAt(path, issues) ?? issue.message };
}

/** A choice of constants is reported one by one; what a person wants to see is the choice. */
function choicesAt(
  path: string,
  issues: ReturnType<LaterCheck<TSchema>["Errors"]>,
): string | undefined {
  const choices = issues.flatMap((issue) =>
    issue.keyword === "const" && issue.instancePath === path
      ? [JSON.stringify(issue.params.allowedValue)]
      : [],
  );
  return choices.length > 1 ? `must be one of ${choices.join(", ")}` : undefined;
}

/** RFC 6901. */
function pointer(name = ""): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
