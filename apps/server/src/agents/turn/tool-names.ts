/**
 * Providers allow letters, digits, `_` and `-` in a tool's name, and 64 of them; ours may have dots.
 * The model is given names it can use, and what it calls is given back its own.
 */
import type { ToolDeclaration } from "./agent-runtime.ts";

const MAX_CHARS = 64;

export interface NamedTools {
  readonly declarations: readonly ToolDeclaration[];
  nameOf(seen: string): string;
}

export function nameTools(tools: readonly ToolDeclaration[]): NamedTools {
  const names = new Map<string, string>();
  const declarations = tools.map((tool) => {
    const plain = tool.name.replaceAll(/[^\w-]/g, "_").slice(0, MAX_CHARS);
    let seen = plain;
    for (let n = 2; names.has(seen); n++) seen = `${plain.slice(0, MAX_CHARS - 4)}_${n}`;
    names.set(seen, tool.name);
    return { ...tool, name: seen };
  });
  return { declarations, nameOf: (seen) => names.get(seen) ?? seen };
}
