/** The gateway's methods and events as a page for people, from the same declarations as everything else. */
import type { TSchema } from "@atrium/schema";
import { GATEWAY_EVENTS, GATEWAY_METHODS } from "@atrium/wire/gateway";
import { unservedMethods } from "./unserved.ts";

export function renderReference(): string {
  const methods = GATEWAY_METHODS.map(({ name, scope, idempotency, advertised, params }) => [
    `\`${name}\``,
    scope ?? "none",
    IDEMPOTENCY[idempotency],
    membersOf(params),
    advertised ? "" : "not listed",
  ]);
  const events = GATEWAY_EVENTS.map(({ name, scope }) => [`\`${name}\``, scope ?? "everyone"]);
  return [
    "# The gateway's methods and events",
    "",
    "`npm run protocol:gen` writes this page from the contracts in `packages/wire/src/gateway`. The",
    "whole schema of each method is in `dist/protocol.schema.json`. A member with `?` is optional. An",
    "optional or required key makes a call happen once, also across restarts; the same key for another",
    "call is refused.",
    "",
    table(["method", "scope", "idempotency key", "params", ""], methods),
    "",
    table(["event", "sent to"], events),
    "",
    "## Not served",
    "",
    "OpenClaw's published protocol has these methods, and this gateway does not. It answers them with",
    "`unknown method`. `*` stands for a whole family.",
    "",
    wrapped(unservedMethods().map((name) => `\`${name}\``)),
    "",
  ].join("\n");
}

const IDEMPOTENCY = {
  none: "",
  optional: "optional",
  required: "required",
  frame: "the frame's id",
} as const;

function membersOf(schema: TSchema): string {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
  };
  return Object.keys(properties)
    .filter((name) => name !== "idempotencyKey")
    .map((name) => (required.includes(name) ? `\`${name}\`` : `\`${name}?\``))
    .join(" ");
}

const MAX_COLUMNS = 100;

function wrapped(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length > 0 && longer.length <= MAX_COLUMNS) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
