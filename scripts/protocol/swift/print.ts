/** Swift declarations as Swift text. Knows the language's layout and nothing about schemas. */
import type {
  Declaration,
  EnumDeclaration,
  Field,
  StructDeclaration,
  TaggedDeclaration,
} from "./declaration.ts";
import { isRenamed, memberName } from "./names.ts";

type Lines = readonly string[];

/** What fits on a line of 100 three levels deep, with the brace. */
const MAX_WIDTH = 86;
const CONFORMS = "Codable, Equatable, Sendable";

export function print(declaration: Declaration): Lines {
  return [...comment(declaration.doc), ...body(declaration)];
}

function body(declaration: Declaration): Lines {
  switch (declaration.kind) {
    case "struct":
      return printStruct(declaration);
    case "enum":
      return printEnum(declaration);
    case "tagged":
      return printTagged(declaration);
    case "alias":
      return [`public typealias ${declaration.name} = ${declaration.type}`];
  }
}

function printStruct({ name, fields, nested }: StructDeclaration): Lines {
  const writesNull = fields.some((field) => field.isNullable && !field.isOptional);
  const needsKeys = writesNull || fields.some((field) => isRenamed(field.key, field.name));
  return block(`public struct ${name}: ${CONFORMS}`, [
    ...nested.map(print),
    fields.flatMap((field) => [
      ...comment(field.doc),
      `public let ${field.name}: ${written(field)}`,
    ]),
    printInitializer(fields),
    needsKeys ? printCodingKeys(fields) : [],
    writesNull ? printEncode(fields) : [],
  ]);
}

function printInitializer(fields: readonly Field[]): Lines {
  const parameters = fields.map((field) => {
    const initial = field.isOptional ? "nil" : field.initial;
    return `${field.name}: ${written(field)}${initial === undefined ? "" : ` = ${initial}`}`;
  });
  const assignments = fields.map(({ name }) => `self.${name} = ${name}`);
  const oneLine = `public init(${parameters.join(", ")})`;
  if (fields.length === 0) return [`${oneLine} {}`];
  if (oneLine.length <= MAX_WIDTH) return block(oneLine, [assignments]);
  return [
    "public init(",
    ...indent(parameters.map((each, index) => (index < fields.length - 1 ? `${each},` : each))),
    ") {",
    ...indent(assignments),
    "}",
  ];
}

function printCodingKeys(fields: readonly Field[]): Lines {
  return block("private enum CodingKeys: String, CodingKey", [fields.map(printCase)]);
}

/** Swift leaves nil out by itself; a member that must be there has to be written as null. */
function printEncode(fields: readonly Field[]): Lines {
  return block("public func encode(to encoder: any Encoder) throws", [
    [
      "var container = encoder.container(keyedBy: CodingKeys.self)",
      ...fields.map(({ name, isOptional }) => {
        const encode = isOptional ? "encodeIfPresent" : "encode";
        // A member may itself be called container.
        return `try container.${encode}(self.${name}, forKey: .${name})`;
      }),
    ],
  ]);
}

function printEnum({ name, cases }: EnumDeclaration): Lines {
  return block(`public enum ${name}: String, ${CONFORMS}`, [
    cases.map((each) => printCase({ key: each.value, name: each.name })),
  ]);
}

function printCase({ key, name }: Pick<Field, "key" | "name">): string {
  return isRenamed(key, name) ? `case ${name} = ${quoted(key)}` : `case ${name}`;
}

function printTagged({ name, tag, cases, nested }: TaggedDeclaration): Lines {
  const member = memberName(tag);
  return block(`public enum ${name}: ${CONFORMS}`, [
    ...nested.map(print),
    [
      ...cases.map((each) => `case ${each.name}(${each.type})`),
      "/// A kind this version does not know, kept as it came.",
      `case unknown(${member}: String, raw: [String: AnyCodable])`,
    ],
    block("private enum CodingKeys: String, CodingKey", [[printCase({ key: tag, name: member })]]),
    block("public init(from decoder: any Decoder) throws", [
      [
        "let container = try decoder.container(keyedBy: CodingKeys.self)",
        `let ${member} = try container.decode(String.self, forKey: .${member})`,
        `switch ${member} {`,
        ...cases.flatMap((each) => [
          `case ${quoted(each.value)}:`,
          ...indent([`self = .${each.name}(try ${each.type}(from: decoder))`]),
        ]),
        "default:",
        ...indent([
          `self = .unknown(${member}: ${member}, raw: try [String: AnyCodable](from: decoder))`,
        ]),
        "}",
      ],
    ]),
    block("public func encode(to encoder: any Encoder) throws", [
      [
        "switch self {",
        ...cases.flatMap((each) => [
          `case .${each.name}(let value):`,
          ...indent(["try value.encode(to: encoder)"]),
        ]),
        "case .unknown(_, let raw):",
        ...indent(["try raw.encode(to: encoder)"]),
        "}",
      ],
    ]),
  ]);
}

/** A header and its body in braces; parts are set apart by a blank line, empty ones left out. */
export function block(header: string, parts: readonly Lines[]): Lines {
  const present = parts.filter((part) => part.length > 0);
  return [
    `${header} {`,
    ...present.flatMap((part, index) => (index === 0 ? indent(part) : ["", ...indent(part)])),
    "}",
  ];
}

export function quoted(text: string): string {
  return JSON.stringify(text);
}

const isMaybeNil = (field: Field): boolean => field.isOptional || field.isNullable;

const written = (field: Field): string => (isMaybeNil(field) ? `${field.type}?` : field.type);

function comment(doc: string | undefined): Lines {
  return doc === undefined ? [] : doc.split("\n").map((line) => `/// ${line}`.trimEnd());
}

function indent(lines: Lines): Lines {
  return lines.map((line) => (line === "" ? "" : `    ${line}`));
}
