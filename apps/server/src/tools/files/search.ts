/** Finds lines in the files of the workspace. */
import { relative } from "node:path";
import { Type } from "@atrium/schema";
import { locate } from "../../platform/folder-files.ts";
import type { Tool } from "../toolbox.ts";
import type { FindWithRipgrep } from "./ripgrep.ts";
import { defineWorkspaceTool, plainResult } from "./workspace-tool.ts";

export interface SearchDeps {
  readonly find: FindWithRipgrep;
}

const MAX_HITS = 200;
const MAX_LINE_CHARS = 300;

const SHAPE = [
  "--line-number",
  "--no-heading",
  "--with-filename",
  "--null",
  `--max-columns=${MAX_LINE_CHARS}`,
  "--max-columns-preview",
  `--max-count=${MAX_HITS}`,
];

export function searchTool({ find }: SearchDeps): Tool {
  return defineWorkspaceTool({
    name: "search",
    description: `Finds lines that match a regular expression, as path:line:text; at most ${MAX_HITS}. Files that .gitignore names and binary files are left out.`,
    input: {
      pattern: Type.String({ minLength: 1, maxLength: 1_000 }),
      path: Type.Optional(Type.String({ minLength: 1, description: "A folder or a file." })),
      glob: Type.Optional(Type.String({ minLength: 1, description: "Such as **/*.ts" })),
      literal: Type.Optional(Type.Boolean({ description: "The pattern is plain text." })),
    },
    async call({ pattern, path = ".", glob, literal = false }, call) {
      const { folder } = call.workspace;
      const place = relative(folder, await locate(folder, path));
      const found = await find(call, [
        ...SHAPE,
        ...(literal ? ["--fixed-strings"] : []),
        ...(glob === undefined ? [] : [`--glob=${glob}`]),
        `--regexp=${pattern}`,
        "--",
        `./${place}`,
      ]);
      const hits = hitsIn(found.toString("utf8"));
      if (hits.length === 0) return plainResult("Nothing was found.");
      const rest = hits.length > MAX_HITS ? `\n… ${hits.length - MAX_HITS} more lines` : "";
      return plainResult(`${hits.slice(0, MAX_HITS).join("\n")}${rest}`);
    },
  });
}

/** That a file is binary after all is said in a line without a zero byte. */
const BINARY_NOTE = /^[^\0\n]*: WARNING: stopped searching binary file after match \(.*\)\n/gm;

/** A path may have line breaks; the zero byte after it tells where it ends. */
function hitsIn(text: string): readonly string[] {
  const hits = text
    .replaceAll(BINARY_NOTE, "")
    .matchAll(/(?<path>[^\0]+)\0(?<line>\d+):(?<text>[^\n]*)\n/g);
  return Array.from(hits, ({ groups = {} }) => {
    const path = JSON.stringify((groups["path"] ?? "").replace(/^\.\/+/, "")).slice(1, -1);
    return `${path}:${groups["line"]}:${groups["text"]}`;
  });
}
