/** Wire names as Swift identifiers. */
import { camelCase, pascalCase } from "../casing.ts";

/** Words that are no name without backticks. Contextual ones (`final`, `open`, `set`) need none. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    "as associatedtype await break case catch class continue default defer deinit do else enum " +
    "extension fallthrough false fileprivate for func guard if import in init inout internal is " +
    "let nil operator precedencegroup private protocol public repeat rethrows return static " +
    "struct subscript super switch throw throws true try typealias var where while"
  ).split(" "),
);

/** Types our declarations use or might shadow; a nested type must not take one of these names. */
const TAKEN_TYPES: ReadonlySet<string> = new Set(
  (
    "Any AnyCodable AnyObject Array Bool Codable CodingKey CodingKeys Data Date Decodable Decoder " +
    "Dictionary Double Encodable Encoder Equatable Error Int Never Optional Protocol Result Self " +
    "Sendable Set String Type URL Void"
  ).split(" "),
);

/** A member or enum case. Without its backticks it equals the wire name wherever that is possible. */
export function memberName(wireName: string): string {
  const plain = /^[a-z][A-Za-z0-9]*$/.test(wireName) ? wireName : camelCase(wireName);
  if (!startsWithLetter(plain)) return `value${pascalCase(wireName)}`;
  // Backticks do not help here: `x.self` is x.
  if (plain === "self") return "selfValue";
  return RESERVED.has(plain) ? `\`${plain}\`` : plain;
}

/** True when Swift would not find `wireName` by itself under this member. */
export function isRenamed(wireName: string, member: string): boolean {
  return member.replaceAll("`", "") !== wireName;
}

/** A type nested in another; `outer` are the names it would hide. */
export function nestedTypeName(wireName: string, outer: ReadonlySet<string>): string {
  const pascal = pascalCase(wireName);
  const name = startsWithLetter(pascal) ? pascal : `Value${pascal}`;
  return TAKEN_TYPES.has(name) || outer.has(name) ? `${name}Value` : name;
}

function startsWithLetter(name: string): boolean {
  return /^[A-Za-z]/.test(name);
}
