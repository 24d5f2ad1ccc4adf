/** A span of OpenTelemetry, as far as signals are made of it. */
export interface Span {
  /** Hexadecimal. */
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly hasFailed: boolean;
  /** What its status says. */
  readonly message: string;
  /** Who produced it: `service.name` of its resource. */
  readonly service: string | undefined;
}

export type Attributes = ReadonlyMap<string, unknown>;

/** What is sent is no trace export; the message says why. */
export class UnreadableTraces {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** Values in attributes may hold values; nobody needs more than this. */
export const MAX_VALUE_DEPTH = 16;

export function textOf(attributes: Attributes, ...names: readonly string[]): string | undefined {
  const values = names.map((name) => attributes.get(name));
  return values.filter((value) => typeof value === "string").find((text) => text !== "");
}
