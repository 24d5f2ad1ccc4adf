/** The members that have a value: the wire leaves out what is not known, where the log says null. */
export type WithoutEmpty<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

export function omitEmpty<T extends object>(members: T): WithoutEmpty<T> {
  const entries = Object.entries(members).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same members without the empty ones
  return Object.fromEntries(entries) as WithoutEmpty<T>;
}
