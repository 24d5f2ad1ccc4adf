/**
 * Reads Swift with a grammar instead of a compiler, so that tests need no Swift toolchain.
 *
 * A grammar knows what is well formed, not what is well typed; `unresolved` adds the one check of
 * the latter that generated models need: every type that is used is declared somewhere in reach.
 */
import { fileURLToPath } from "node:url";
import { Language, Parser, type Node } from "web-tree-sitter";

const GRAMMAR = "@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm";

export interface SwiftSource {
  /** Where the text is not Swift. */
  readonly problems: readonly string[];
  /** Types declared at the top, in order. */
  readonly declared: readonly string[];
  /** Types used but declared nowhere in reach, given what else is known. */
  readonly unresolved: (known: Iterable<string>) => readonly string[];
}

export async function openSwiftParser(): Promise<(text: string) => SwiftSource> {
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(fileURLToPath(import.meta.resolve(GRAMMAR))));
  return (text) => {
    const root = parser.parse(text)?.rootNode;
    if (root === undefined) throw new Error("the parser gave up");
    return {
      problems: problemsIn(root),
      declared: declaredIn(root),
      unresolved: (known) => unresolvedIn(root, new Set(known)),
    };
  };
}

/** The innermost nodes that are in error; a token that is missing may itself be hidden. */
function problemsIn(node: Node): readonly string[] {
  if (!node.hasError && !node.isMissing) return [];
  const inner = childrenOf(node).flatMap(problemsIn);
  return inner.length > 0 ? inner : [`line ${node.startPosition.row + 1}: bad ${node.type}`];
}

function declaredIn(node: Node): readonly string[] {
  return childrenOf(node).flatMap((child) => nameOf(child) ?? []);
}

function unresolvedIn(node: Node, known: ReadonlySet<string>): readonly string[] {
  if (node.type === "user_type") return known.has(node.text) ? [] : [node.text];
  const inReach = new Set([...known, ...declaredIn(node)]);
  return childrenOf(node).flatMap((child) => unresolvedIn(child, inReach));
}

/** The type a node declares; an extension declares none. */
function nameOf(node: Node): string | undefined {
  const isDeclaration = node.type === "class_declaration" || node.type === "typealias_declaration";
  const name = isDeclaration ? node.childForFieldName("name") : null;
  return name?.type === "type_identifier" ? name.text : undefined;
}

function childrenOf(node: Node): readonly Node[] {
  return node.children.filter((child) => child !== null);
}
