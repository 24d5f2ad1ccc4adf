/** Code in colors: which language a file is in, and its lines as pieces with a kind each. Pure. */
import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
type Language = keyof typeof LANGUAGES;
for (const [name, language] of Object.entries(LANGUAGES)) {
  highlighter.registerLanguage(name, language);
}

/** By how a name ends, or by the whole of it. */
const ENDS: ReadonlyMap<string, Language> = new Map<string, Language>([
  ...["ts", "mts", "cts", "tsx"].map((end) => [end, "typescript"] as const),
  ...["js", "mjs", "cjs", "jsx"].map((end) => [end, "javascript"] as const),
  ...["json", "jsonc", "json5", "webmanifest"].map((end) => [end, "json"] as const),
  ...["css", "scss", "less"].map((end) => [end, "css"] as const),
  ...["html", "htm", "xml", "svg", "vue", "svelte", "plist"].map((end) => [end, "xml"] as const),
  ...["md", "markdown", "mdx"].map((end) => [end, "markdown"] as const),
  ...["py", "pyi"].map((end) => [end, "python"] as const),
  ...["sh", "bash", "zsh", "bashrc"].map((end) => [end, "bash"] as const),
  ...["yaml", "yml"].map((end) => [end, "yaml"] as const),
  ...["toml", "ini", "cfg", "editorconfig", "npmrc"].map((end) => [end, "ini"] as const),
  ...["c", "h"].map((end) => [end, "c"] as const),
  ...["cc", "cpp", "cxx", "hpp", "hh"].map((end) => [end, "cpp"] as const),
  ...["patch", "diff"].map((end) => [end, "diff"] as const),
  ...["kt", "kts"].map((end) => [end, "kotlin"] as const),
  ["cs", "csharp"],
  ["go", "go"],
  ["rs", "rust"],
  ["java", "java"],
  ["php", "php"],
  ["rb", "ruby"],
  ["swift", "swift"],
  ["sql", "sql"],
  ["mk", "makefile"],
  ["makefile", "makefile"],
  ["dockerfile", "dockerfile"],
]);

export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return ENDS.get(name.slice(name.lastIndexOf(".") + 1));
}

type Kind = "keyword" | "string" | "number" | "comment" | "title" | "type" | "attribute";

export interface CodePiece {
  readonly text: string;
  readonly kind?: Kind;
}

const KIND_OF: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...["keyword", "literal", "selector-tag", "name", "tag", "section", "doctag"].map(
    (scope) => [scope, "keyword"] as const,
  ),
  ...["string", "regexp", "char", "addition", "link", "code", "quote"].map(
    (scope) => [scope, "string"] as const,
  ),
  ...["number", "symbol", "bullet"].map((scope) => [scope, "number"] as const),
  ...["comment", "meta", "deletion"].map((scope) => [scope, "comment"] as const),
  ...["title", "selector-class", "selector-id"].map((scope) => [scope, "title"] as const),
  ...["type", "built_in", "class"].map((scope) => [scope, "type"] as const),
  ...["attr", "attribute", "property", "variable", "selector-attr", "template-variable"].map(
    (scope) => [scope, "attribute"] as const,
  ),
]);

const PART =
  /<span class="hljs-([\w-]+)[^"]*">|<\/span>|<span class="[^"]*">|&(?:amp|lt|gt|quot|#x27);|\n|[^<&\n]+/g;
const SIGNS: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#x27;", "'"],
]);

/** As many lines as were given. */
export function colorLines(
  lines: readonly string[],
  language: Language,
): readonly (readonly CodePiece[])[] {
  const { value } = highlighter.highlight(lines.join("\n"), { language, ignoreIllegals: true });
  const colored: CodePiece[][] = [[]];
  const scopes: (Kind | undefined)[] = [];
  for (const [part, scope] of value.matchAll(PART)) {
    if (part === "\n") colored.push([]);
    else if (part === "</span>") scopes.pop();
    else if (part.startsWith("<span ")) scopes.push(KIND_OF.get(scope ?? "") ?? scopes.at(-1));
    else append(colored.at(-1), SIGNS.get(part) ?? part, scopes.at(-1));
  }
  return colored;
}

function append(line: CodePiece[] | undefined, text: string, kind: Kind | undefined): void {
  const last = line?.at(-1);
  if (last !== undefined && last.kind === kind) {
    line?.splice(-1, 1, { ...last, text: last.text + text });
  } else line?.push(kind === undefined ? { text } : { text, kind });
}
