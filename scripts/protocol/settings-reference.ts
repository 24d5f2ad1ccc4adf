/** The settings as a page for people, from the table the server reads them by. */
import type { TSchema } from "@atrium/schema";
import { SETTINGS, type Flag, type Rows, type Setting } from "@atrium/server/settings";

const MAX_COLUMNS = 100;

const INTRODUCTION = [
  "`npm run protocol:gen` writes this page from `apps/server/src/settings/table.ts`.",
  "The server takes each setting from its flag, its environment variable, or its key in `atrium.config.json`, in this order; otherwise the default applies.",
  "The settings file is the one that `--config` names, or `atrium.config.json` in the folder in which you start the server, or in the home.",
  "An unknown flag, key or value is an error that names it.",
  "`dist/config.schema.json` is the schema of the file, for editors.",
].join(" ");

const AT_ONCE = [
  "In the page, with `atrium config` and with `config.patch` you change settings [while the server runs](agents.md#changing-settings).",
  "A change is in effect at once, unless the setting says below that it needs a restart.",
  "A wait that has begun keeps its end; an open connection keeps its largest frame and its ping of the bridge, an open event stream its comments.",
].join(" ");

export function renderSettings(): string {
  const rows: readonly Row[] = Object.entries<Flag | Setting>(SETTINGS);
  const groups = rows.flatMap(([key, row]) => {
    if (!("schema" in row) || row.members === undefined) return [];
    return ["", `## \`${key}\``, "", wrap(describe(row)), "", ...items(row.members, `${key}.`)];
  });
  return [
    "# Settings",
    "",
    wrap(INTRODUCTION),
    "",
    wrap(AT_ONCE),
    "",
    "## Keys of the file",
    "",
    ...rows.filter(([, row]) => "schema" in row && row.members === undefined).map(item),
    ...groups,
    "",
    "## On the command line only",
    "",
    ...rows.filter(([, row]) => !("schema" in row)).map(item),
    "- `--help`, `--version`",
    "",
  ].join("\n");
}

type Row = readonly [key: string, row: Flag | Setting];

function items(rows: Rows, prefix: string): readonly string[] {
  return Object.entries(rows).map(([key, row]) => item([`${prefix}${key}`, row]));
}

function item([key, row]: Row): string {
  const schema = "schema" in row ? row.schema : undefined;
  const { page, restart }: Partial<Setting> = "schema" in row ? row : {};
  const names = [schema && key, row.flag, row.env].filter((name) => name !== undefined);
  const sentences = [
    `- ${names.map(code).join(", ")}: ${describe(row)}`,
    ...(schema === undefined ? [] : [`${kindOf(schema)}.`]),
    ...defaultOf(key, row),
    ...(restart === undefined ? [] : [`Needs a restart: ${restart}.`]),
    ...(page === undefined ? [] : [`See [${page}](${page}).`]),
  ];
  return wrap(sentences.join(" "), "  ");
}

function describe({ help = "", ...row }: Flag | Setting): string {
  const schema: JsonSchema = "schema" in row ? row.schema : {};
  return (
    schema.description ?? `${help.charAt(0).toUpperCase()}${help.slice(1)}`.replace(/\.?$/, ".")
  );
}

function kindOf(schema: TSchema): string {
  const { type, anyOf, items: element, minimum, maximum } = schema as JsonSchema;
  if (anyOf !== undefined) return anyOf.map((each) => code(String(each.const))).join(" or ");
  if (element?.type === "string") return "List of texts";
  if (type === "string") return "Text";
  if (type === "boolean") return "true or false";
  if (type !== "integer" && type !== "number") return type === "array" ? "List" : "Object";
  const kind = type === "integer" ? "Integer" : "Number";
  return maximum === undefined ? `${kind} from ${minimum}` : `${kind}, ${minimum} to ${maximum}`;
}

interface JsonSchema {
  readonly description?: string;
  readonly type?: string;
  readonly anyOf?: readonly { readonly const?: unknown }[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
}

function defaultOf(key: string, { default: value, defaultText }: Flag): readonly string[] {
  if (defaultText !== undefined) return [`Default: ${defaultText}.`];
  if (value === undefined) return [];
  const text = code(typeof value === "string" ? value : JSON.stringify(value));
  const easier = typeof value === "number" ? easierToRead(key, value) : "";
  return [`Default: ${text}${easier}.`];
}

/** From large to small; the first that divides it is the easiest to read. */
const UNITS: Readonly<Record<string, readonly (readonly [size: number, name: string])[]>> = {
  Bytes: [
    [1024 ** 2, "MiB"],
    [1024, "KiB"],
  ],
  Ms: [
    [3_600_000, "h"],
    [60_000, "min"],
    [1_000, "s"],
  ],
};

function easierToRead(key: string, value: number): string {
  const units = UNITS[/(?:Bytes|Ms)$/.exec(key)?.[0] ?? ""] ?? [];
  const unit = units.find(([size]) => value % size === 0);
  return unit === undefined ? "" : ` (${value / unit[0]} ${unit[1]})`;
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Breaks lines at spaces, but not within code. */
function wrap(text: string, indent = ""): string {
  const lines: string[] = [];
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const line = lines.at(-1);
    const longer = `${line} ${word}`;
    if (line !== undefined && longer.length <= MAX_COLUMNS) lines[lines.length - 1] = longer;
    else lines.push(line === undefined ? word : `${indent}${word}`);
  }
  return lines.join("\n");
}
