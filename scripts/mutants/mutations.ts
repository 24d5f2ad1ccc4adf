/**
 * Small ways to break a source file, each a replacement of one range of its text.
 *
 * Types are not looked at: a file runs with its types stripped, so what would not compile still runs.
 */
import { parseAst } from "rolldown/parseAst";

export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: "negate" | "operator" | "drop call" | "return early" | "constant";
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const OPPOSITES = new Map<unknown, string>([
  ["===", "!=="],
  ["!==", "==="],
  ["<", ">="],
  [">=", "<"],
  [">", "<="],
  ["<=", ">"],
  ["&&", "||"],
  ["||", "&&"],
]);
/** Members of a node that are never run, or are names. */
const NOT_RUN = new Set(["typeAnnotation", "typeArguments", "typeParameters", "returnType", "key"]);
const NOT_VISITED =
  /^(?:Import|ExportAll|TS(?!AsExpression|SatisfiesExpression|NonNullExpression))/;

export function mutationsIn(source: string): readonly Mutation[] {
  const found: Mutation[] = [];
  const program: unknown = parseAst(source, { lang: "ts" });
  visit(program, (node) => {
    const mutation = mutationOf(node, source);
    if (mutation !== undefined) found.push(mutation);
  });
  return found;
}

function mutationOf(node: SyntaxNode, source: string): Mutation | undefined {
  const { start, end, test, left, body, expression, operator, value } = node;
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
      if (!isNode(test)) return undefined;
      return {
        start: test.start,
        end: test.end,
        text: `!(${source.slice(test.start, test.end)})`,
        kind: "negate",
      };
    case "BinaryExpression":
    case "LogicalExpression": {
      const text = OPPOSITES.get(operator);
      if (text === undefined || !isNode(left)) return undefined;
      const at = source.indexOf(String(operator), left.end);
      return { start: at, end: at + String(operator).length, text, kind: "operator" };
    }
    case "ExpressionStatement":
      return isCall(expression) ? { start, end, text: ";", kind: "drop call" } : undefined;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      if (!isNode(body) || body.type !== "BlockStatement") return undefined;
      return { start: body.start + 1, end: body.start + 1, text: " return;", kind: "return early" };
    case "Literal": {
      const text = otherConstant(value);
      return text === undefined ? undefined : { start, end, text, kind: "constant" };
    }
    default:
      return undefined;
  }
}

function otherConstant(value: unknown): string | undefined {
  if (typeof value === "number") return `(${value} + 1)`;
  if (typeof value === "boolean") return String(!value);
  return typeof value === "string" ? JSON.stringify(`${value} (changed)`) : undefined;
}

function isCall(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === "AwaitExpression") return isCall(node["argument"]);
  const { callee } = node;
  return node.type === "CallExpression" && isNode(callee) && callee.type !== "Super";
}

function visit(node: unknown, see: (node: SyntaxNode) => void): void {
  if (!isNode(node) || NOT_VISITED.test(node.type)) return;
  see(node);
  for (const [member, value] of Object.entries(node)) {
    if (NOT_RUN.has(member) || (member === "source" && isNode(value))) continue;
    for (const each of Array.isArray(value) ? value : [value]) visit(each, see);
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
