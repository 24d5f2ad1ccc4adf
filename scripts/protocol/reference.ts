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
    "Written by `npm run protocol:gen` from the declarations in `packages/wire/src/gateway`; the whole of each schema is in",
    "`dist/protocol.schema.json`. A member with `?` may be left out. A key that is optional or required makes a call happen once, also over",
    "restarts; the same key for another call is refused.",
    "",
    table(["method", "scope", "idempotency key", "params", ""], methods),
    "",
    table(["event", "told to"], events),
    "",
    "## Not served",
    "",
    "Methods that OpenClaw's published protocol has and this gateway has not: calling one is answered `unknown method`. `*` stands for",
    "a whole family.",
    "",
    unservedMethods()
      .map((name) => `\`${name}\``)
      .join(" "),
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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
