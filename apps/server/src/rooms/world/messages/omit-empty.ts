/** The members that have a value: the wire leaves out what is not known, where the log says null. */
export type Known<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

export function known<T extends object>(members: T): Known<T> {
  const entries = Object.entries(members).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same members without the empty ones
  return Object.fromEntries(entries) as Known<T>;
}
