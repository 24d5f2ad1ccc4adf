/**
 * Changes one value of a JSON text and leaves every other character as it is: order, spaces, line ends, comments.
 * What is new is written the way its surroundings are.
 */
import { locateJson, type JsonMember, type JsonNode } from "./json-text.ts";

export interface JsonEdit {
  readonly path: readonly (string | number)[];
  /** Left out: what is there is removed. */
  readonly value?: unknown;
}

export function editJson(text: string, { path, value }: JsonEdit): string {
  const root = locateJson(text);
  return value === undefined ? remove(text, root, path) : set(text, root, path, value);
}

function set(text: string, root: JsonNode, path: JsonEdit["path"], value: unknown): string {
  let node = root;
  for (const [depth, step] of path.entries()) {
    const next = childOf(node, step);
    if (next === undefined) {
      const rest = path.slice(depth + 1).toReversed();
      const nested = rest.reduce<unknown>((inner, key) => ({ [key]: inner }), value);
      return insert(text, root, node, { step, value: nested });
    }
    node = next;
  }
  const written = write(value, styleOf(text, root), indentAt(text, node.start));
  return text.slice(0, node.start) + written + text.slice(node.end);
}

interface Insertion {
  readonly step: string | number;
  readonly value: unknown;
}

function insert(
  text: string,
  root: JsonNode,
  parent: JsonNode,
  { step, value }: Insertion,
): string {
  const style = styleOf(text, root);
  const places = placesIn(parent);
  const last = places.at(-1);
  const outer = indentAt(text, parent.start);
  const isLong =
    last === undefined ? style.isLong : text.slice(parent.start, last.start).includes("\n");
  const inner = last !== undefined && isLong ? indentAt(text, last.start) : outer + style.unit;
  const key = typeof step === "string" ? `${JSON.stringify(step)}: ` : "";
  const long = { ...style, isLong };
  if (last === undefined) {
    const line = `${key}${write(value, long, inner)}`;
    const body = isLong ? `${style.eol}${inner}${line}${style.eol}${outer}` : ` ${line} `;
    return `${text.slice(0, parent.start + 1)}${body}${text.slice(parent.end - 1)}`;
  }
  const gap = isLong ? `,${style.eol}${inner}` : ", ";
  return `${text.slice(0, last.end)}${gap}${key}${write(value, long, inner)}${text.slice(last.end)}`;
}

function remove(text: string, root: JsonNode, path: JsonEdit["path"]): string {
  const step = path.at(-1);
  let parent: JsonNode | undefined = root;
  for (const each of path.slice(0, -1)) parent = parent && childOf(parent, each);
  if (parent === undefined || step === undefined) return text;
  const places = placesIn(parent);
  const at = typeof step === "number" ? step : memberIndex(parent, step);
  const [place, before, after] = [places[at], places[at - 1], places[at + 1]];
  if (place === undefined) return text;
  // With one comma: the one before it, else the one behind it.
  const { eol } = styleOf(text, root);
  if (before !== undefined) {
    const comments = commentsIn(text.slice(before.end, place.start), eol);
    const rest = text.slice(place.end);
    // Behind a comment the line must end.
    const end = comments === "" || /^[ \t]*\r?\n/.test(rest) ? "" : eol;
    return `${text.slice(0, before.end)}${comments && ` ${comments}`}${end}${rest}`;
  }
  if (after !== undefined) {
    const comments = commentsIn(text.slice(place.end, after.start), eol);
    const gap = comments && `${comments}${eol}${indentAt(text, place.start)}`;
    return `${text.slice(0, place.start)}${gap}${text.slice(after.start)}`;
  }
  return text.slice(0, parent.start + 1) + text.slice(parent.end - 1);
}

/** What a user has said there, each comment on a line of its own. */
function commentsIn(gap: string, eol: string): string {
  const comments = gap.match(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g) ?? [];
  return comments.map((comment) => comment.trim()).join(eol);
}

/** Where each member or item begins and ends, keys included. */
function placesIn({ members, items = [] }: JsonNode): readonly { start: number; end: number }[] {
  return members?.map(({ start, value }) => ({ start, end: value.end })) ?? [...items];
}

function childOf(node: JsonNode, step: string | number): JsonNode | undefined {
  if (typeof step === "number") return node.items?.[step];
  return node.members?.[memberIndex(node, step)]?.value;
}

/** Of several with one key the last counts, as it does to whoever parses it. */
function memberIndex({ members = [] }: JsonNode, key: string): number {
  return members.findLastIndex((member: JsonMember) => member.key === key);
}

interface Style {
  readonly unit: string;
  readonly eol: string;
  /** Each member on a line of its own. */
  readonly isLong: boolean;
}

function styleOf(text: string, root: JsonNode): Style {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const first = root.members?.[0];
  if (first === undefined) return { unit: "  ", eol, isLong: true };
  const isLong = text.slice(root.start, first.start).includes("\n");
  return { unit: (isLong && indentAt(text, first.start)) || "  ", eol, isLong };
}

function write(value: unknown, { unit, eol, isLong }: Style, indent: string): string {
  const text = isLong ? JSON.stringify(value, null, unit) : JSON.stringify(value);
  return text.replaceAll("\n", () => `${eol}${indent}`);
}

/** What the line of that place begins with. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}
