/** One row of the settings table, and what is derived from rows: the file's schema and the defaults. */
import { Type, type Static, type TObject, type TOptional, type TSchema } from "@atrium/schema";

/** How a setting is given and described outside the settings file. */
export interface Flag {
  /** As it is typed, with a word for its value: `--port NUMBER`. */
  readonly flag?: string;
  /** The environment variable. */
  readonly env?: string;
  readonly default?: unknown;
  /** Describes a default that is not a constant. */
  readonly defaultText?: string;
  /** What `--help` says; the reference, too, where the schema has no description. */
  readonly help?: string;
}

export interface Setting<Schema extends TSchema = TSchema> extends Flag {
  /** The schema of its key in the settings file. */
  readonly schema: Schema;
  readonly default?: Static<Schema>;
  /** The rows of a setting that is an object of settings. */
  readonly members?: Rows;
  /** The page of the docs that says more. */
  readonly page?: string;
  /** Whether `config.get` shows it; hidden unless stated. */
  readonly isPublic?: true;
  /** Why a change needs a restart; left out: it is in effect at once. */
  readonly restart?: string;
}

/** By key; a row without a schema has no key in the file. */
export type Rows = Readonly<Record<string, Flag | Setting>>;

type WithDefault<Schema extends TSchema> = Setting<Schema> & { readonly default: Static<Schema> };

export function setting<Schema extends TSchema>(row: WithDefault<Schema>): WithDefault<Schema>;
export function setting<Schema extends TSchema>(row: Setting<Schema>): Setting<Schema>;
export function setting(row: Setting): Setting {
  return row;
}

type Properties<Table> = {
  [Key in keyof Table as Table[Key] extends Setting ? Key : never]: Table[Key] extends Setting
    ? TOptional<Table[Key]["schema"]>
    : never;
};

export type Defaults<Table> = {
  readonly [
    Key in keyof Table as Table[Key] extends WithDefault<TSchema> ? Key : never
  ]: Table[Key] extends Setting ? Static<Table[Key]["schema"]> : never;
};

/** The schema of an object that may have these settings and nothing else. */
export function schemaOf<Table extends Rows>(
  table: Table,
  description?: string,
): TObject<Properties<Table>> {
  const properties = settingsIn(table).map(([key, row]) => [key, Type.Optional(described(row))]);
  const options = {
    additionalProperties: false,
    ...(description !== undefined && { description }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the lines above made
  return Type.Object(Object.fromEntries(properties), options) as TObject<Properties<Table>>;
}

/** Whoever sees the schema only is told as much as the reference tells. */
function described({ schema, help }: Setting): TSchema {
  if (help === undefined || "description" in schema) return schema;
  return { ...schema, description: help };
}

export function defaultsOf<Table extends Rows>(table: Table): Defaults<Table> {
  const known = settingsIn(table).filter(([, row]) => row.default !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the line above made
  return Object.fromEntries(known.map(([key, row]) => [key, row.default])) as Defaults<Table>;
}

/** Those that have a key in the file. */
export function settingsIn(table: Rows): readonly (readonly [key: string, row: Setting])[] {
  return Object.entries(table).flatMap(([key, row]) => ("schema" in row ? [[key, row]] : []));
}
