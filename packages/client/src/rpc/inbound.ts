/**
 * From what a socket delivered to a frame that can be trusted, or to what is wrong with it. The tag
 * picks the check; there is no union to try in turn.
 */
import { EventFrame, ResponseFrame } from "@atrium/wire/gateway";
import type { SchemaChecks } from "./schema-checks.ts";

export type Inbound =
  | { readonly kind: "response"; readonly frame: ResponseFrame }
  | { readonly kind: "event"; readonly frame: EventFrame }
  /** A kind that this version does not know, kept as it came. */
  | { readonly kind: "unknown"; readonly frame: UnknownFrame }
  | { readonly kind: "malformed"; readonly issue: string };

export interface UnknownFrame {
  readonly type: string;
  readonly [member: string]: unknown;
}

export function readFrame(checks: SchemaChecks, data: unknown): Inbound {
  if (typeof data !== "string") return malformed("not a text frame");
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return malformed("not JSON");
  }
  if (!isTagged(value)) return malformed("not a frame: an object with a type was expected");
  switch (value.type) {
    case "res":
      if (checks.is(ResponseFrame, value)) return { kind: "response", frame: value };
      return malformed(checks.issue(ResponseFrame, value));
    case "event":
      if (checks.is(EventFrame, value)) return { kind: "event", frame: value };
      return malformed(checks.issue(EventFrame, value));
    default:
      return { kind: "unknown", frame: value };
  }
}

function isTagged(value: unknown): value is UnknownFrame {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  return typeof value.type === "string";
}

function malformed(issue: string): Inbound {
  return { kind: "malformed", issue };
}
