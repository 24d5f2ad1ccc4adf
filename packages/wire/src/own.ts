/**
 * The member of that name, if the object itself has one.
 *
 * Every object inherits members such as `constructor`, and JSON may have one called `__proto__`, so `record[name]` with
 * a name that someone else chose answers for names that are not there. In memory such names are keys of a Map; this is
 * for what has to be an object: JSON as it came, and tables of constants. To make an object for the wire from such
 * names, use `Object.fromEntries` or a computed key, `{ ...others, [name]: value }`: both make members of its own, whatever
 * the name. The lint rule `atrium/no-name-lookup` refuses the rest.
 */
export function own<Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  // oxlint-disable-next-line atrium/no-name-lookup -- it was asked for first
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
