/**
 * From what a socket delivered to a frame that can be trusted, or to what is wrong with it. The tag
 * picks the check; there is no union to try in turn.
 */
import { EventFrame, ResponseFrame } from "@atrium/wire/gateway";
import type { SchemaChecks } from "./schema-checks.ts";

export type Inbound =
  | { readonly kind: "response"; readonly frame: ResponseFrame }
  | { readonly kind: "event"; readonly frame: EventFrame }
  | { readonly kind: "malformed"; readonly issue: string };

export function readFrame(checks: SchemaChecks, data: unknown): Inbound {
  if (typeof data !== "string") return malformed("not a text frame");
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return malformed("not JSON");
  }
  switch (tagOf(value)) {
    case "res":
      if (checks.is(ResponseFrame, value)) return { kind: "response", frame: value };
      return malformed(checks.issue(ResponseFrame, value));
    case "event":
      if (checks.is(EventFrame, value)) return { kind: "event", frame: value };
      return malformed(checks.issue(EventFrame, value));
    case undefined:
      return malformed("neither a response nor an event");
  }
}

function tagOf(value: unknown): "res" | "event" | undefined {
  if (typeof value !== "object" || value === null || !("type" in value)) return undefined;
  return value.type === "res" || value.type === "event" ? value.type : undefined;
}

function malformed(issue: string): Inbound {
  return { kind: "malformed", issue };
}
