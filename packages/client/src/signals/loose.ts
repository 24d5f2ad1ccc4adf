/** Looking into JSON of programs that are not ours: what is not there, or not what it should be, is undefined. */
export type Loose = Readonly<Record<string, unknown>>;

export function looseObject(value: unknown): Loose | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object has members of whatever kind
  return isObject ? (value as Loose) : undefined;
}

export function looseText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function looseCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** Of text that should be JSON. */
export function looseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where the schema wants an object and there may be anything. */
export function asObject(value: unknown): Loose | undefined {
  if (value === undefined || value === null) return undefined;
  return looseObject(value) ?? { value };
}

export function looseList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
