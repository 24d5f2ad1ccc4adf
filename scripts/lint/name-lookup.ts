/**
 * Finds where code looks something up in an object by a name it does not know.
 *
 * `table[name]` and `name in table` also find what every object inherits: a peer that sends `constructor` or
 * `__proto__` gets an answer nobody wrote. So a key is a number, or a string whose type lists which strings it may be;
 * for everything else there is a Map, and `own()` of @atrium/wire. A cast proves nothing and does not count.
 *
 * Only types tell the two apart, and oxlint hands none to a plugin, so TypeScript is asked, once for each project. It
 * reads the files as they are on disk.
 */
import { join } from "node:path";
import { SyntaxKind, type Node, type SourceFile } from "typescript/unstable/ast";
import {
  isAsExpression,
  isBinaryExpression,
  isBindingElement,
  isCallExpression,
  isComputedPropertyName,
  isElementAccessExpression,
  isForInStatement,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isSpreadAssignment,
} from "typescript/unstable/ast/is";
import { API, TypeFlags, type Checker, type Project, type Type } from "typescript/unstable/sync";

export interface Lookup {
  readonly range: [number, number];
  readonly message: string;
}

/** Undefined for a file that is in no project, and so has no types. */
export type FindLookups = (file: string) => readonly Lookup[] | undefined;

const UNKNOWN_NAME =
  "every object has members such as `constructor`: use a Map, or own() of @atrium/wire, unless the key's type lists its names";
const CAST = "a cast does not make a name known: check it, use a Map, or own() of @atrium/wire";
const COPIES =
  "Object.assign copies a member called `__proto__` into the prototype: use a spread, or name the members";
const FOR_IN = "also visits what is inherited: use Object.keys or Object.entries";

const READING_CALLS = new Set(["Reflect.get", "Reflect.set", "Reflect.has"]);

const KNOWN = TypeFlags.NumberLike | TypeFlags.StringLiteral | TypeFlags.ESSymbolLike;

/** `web` lists the folders that have a project of their own; all else is in the root's. */
export function createFindLookups(root: string, web: readonly string[]): FindLookups {
  const api = new API({ cwd: root });
  const projects = new Map<string, Project | undefined>();

  function projectOf(file: string): Project | undefined {
    const folder = web.find((each) => file.startsWith(join(root, each, "/"))) ?? "";
    const config = join(root, folder, "tsconfig.json");
    if (!projects.has(config)) {
      projects.set(config, api.updateSnapshot({ openProjects: [config] }).getProject(config));
    }
    return projects.get(config);
  }

  return (file) => {
    const project = projectOf(file);
    const source = project?.program.getSourceFile(file);
    if (project === undefined || source === undefined) {
      return undefined;
    }
    return lookupsIn(source, project.checker);
  };
}

function lookupsIn(source: SourceFile, checker: Checker): readonly Lookup[] {
  const found: Lookup[] = [];
  const keys: { readonly at: Node; readonly key: Node }[] = [];
  const report = (node: Node, message: string): void => {
    found.push({ range: [node.getStart(source), node.end], message });
  };

  const look = (at: Node, key: Node): void => {
    if (isCast(key)) report(at, CAST);
    else keys.push({ at, key });
  };

  const visit = (node: Node): void => {
    if (isElementAccessExpression(node)) look(node, node.argumentExpression);
    else if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
      look(node, node.left);
    } else if (isBindingElement(node) && node.propertyName !== undefined) {
      if (isComputedPropertyName(node.propertyName)) look(node, node.propertyName.expression);
    } else if (isForInStatement(node)) report(node, FOR_IN);
    else if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
      const callee = node.expression.getText(source);
      const [, ...rest] = node.arguments;
      if (callee === "Object.assign" && !rest.every(isWrittenOut)) report(node, COPIES);
      else if (READING_CALLS.has(callee) && rest[0] !== undefined) look(node, rest[0]);
    }
    node.forEachChild(visit);
  };
  visit(source);

  const types = checker.getTypeAtLocation(keys.map(({ key }) => key));
  for (const [index, { at }] of keys.entries()) {
    if (!isKnown(types[index], checker)) report(at, UNKNOWN_NAME);
  }
  return found;
}

function isCast(node: Node): boolean {
  return isParenthesizedExpression(node) ? isCast(node.expression) : isAsExpression(node);
}

/** An object whose members all stand there by name. */
function isWrittenOut(node: Node): boolean {
  return isObjectLiteralExpression(node) && !node.properties.some(isSpreadAssignment);
}

/** Whether the type says which names there can be. */
function isKnown(type: Type | undefined, checker: Checker): boolean {
  if (type === undefined) return false;
  if (type.isUnionType()) return type.getTypes().every((each) => isKnown(each, checker));
  if ((type.flags & KNOWN) !== 0) return true;
  const bound = checker.getBaseConstraintOfType(type);
  return bound !== undefined && bound.id !== type.id && isKnown(bound, checker);
}
