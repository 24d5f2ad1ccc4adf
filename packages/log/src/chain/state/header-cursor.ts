/** Looks into JSON that another node wrote: every value is of the kind that is asked for, or the message is foreign. */
import { LogFault } from "../../log.ts";

export class HeaderCursor {
  readonly #fields: ReadonlyMap<string, unknown>;

  constructor(text: string) {
    const value = parse(text);
    if (typeof value !== "object" || value === null) throw strange(value);
    this.#fields = new Map(Object.entries(value));
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  text(name: string): string {
    return toText(this.#fields.get(name));
  }

  number(name: string): number {
    return toNumber(this.#fields.get(name));
  }

  list(name: string): ListCursor {
    return new ListCursor(this.#fields.get(name));
  }
}

export class ListCursor {
  readonly #values: readonly unknown[];

  constructor(value: unknown) {
    if (!Array.isArray(value)) throw strange(value);
    this.#values = value;
  }

  get length(): number {
    return this.#values.length;
  }

  text(index: number): string {
    return toText(this.#values[index]);
  }

  number(index: number): number {
    return toNumber(this.#values[index]);
  }

  list(index: number): ListCursor {
    return new ListCursor(this.#values[index]);
  }

  /** Its members, each of which is a list. */
  lists(): ListCursor[] {
    return this.#values.map((value) => new ListCursor(value));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw strange(text);
  }
}

function toText(value: unknown): string {
  if (typeof value !== "string") throw strange(value);
  return value;
}

function toNumber(value: unknown): number {
  if (typeof value !== "number") throw strange(value);
  return value;
}

function strange(value: unknown): LogFault {
  const excerpt = (JSON.stringify(value) ?? "nothing").slice(0, 80);
  return new LogFault(
    "foreign",
    `a message holds ${excerpt} where it may not: update this program`,
  );
}
