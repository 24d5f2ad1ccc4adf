/** Reads a file of the workspace, as numbered lines. */
import { Type } from "@atrium/schema";
import { readInside } from "../../platform/folder-files.ts";
import type { Tool } from "../toolbox.ts";
import { isText, MAX_FILE_BYTES } from "./file-text.ts";
import type { FileViews } from "./file-views.ts";
import { defineWorkspaceTool, plainResult } from "./workspace-tool.ts";

export interface ReadDeps {
  readonly views: FileViews;
}

const MAX_LINES = 2_000;
const MAX_CHARS = 50_000;
const MAX_LINE_CHARS = 2_000;

export function readTool({ views }: ReadDeps): Tool {
  return defineWorkspaceTool({
    name: "read",
    description: `Reads a text file. Lines are numbered; at most ${MAX_LINES} lines or ${MAX_CHARS} characters at once.`,
    input: {
      path: Type.String({ minLength: 1, description: "From the folder you work in." }),
      from: Type.Optional(Type.Integer({ minimum: 1, description: "The first line." })),
      lines: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LINES })),
    },
    async call({ path, from = 1, lines = MAX_LINES }, { workspace, runId }) {
      const file = await readInside(workspace.folder, path, MAX_FILE_BYTES);
      views.note(runId, file.path, file.bytes);
      const { bytes } = file;
      if (!isText(bytes)) return plainResult(`${path} is a binary file of ${bytes.length} bytes.`);
      const all = bytes.toString("utf8").split("\n");
      if (all.at(-1) === "") all.pop();
      if (all.length === 0) return plainResult(`${path} is empty.`);
      if (from > all.length) return plainResult(`${path} has ${all.length} lines.`);
      return plainResult(numbered(all, from, lines));
    },
  });
}

function numbered(all: readonly string[], from: number, lines: number): string {
  const shown: string[] = [];
  let chars = 0;
  for (const [index, line] of all.slice(from - 1, from - 1 + lines).entries()) {
    const cut = line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line;
    const text = `${from + index}\t${cut}`;
    chars += text.length + 1;
    if (chars > MAX_CHARS && shown.length > 0) break;
    shown.push(text);
  }
  const next = from + shown.length;
  const rest =
    next > all.length ? "" : `\n… ${all.length - next + 1} more lines; go on with from: ${next}`;
  return `${shown.join("\n")}${rest}`;
}
