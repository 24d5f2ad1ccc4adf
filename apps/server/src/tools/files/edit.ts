/** Replaces a piece of text in a file of the workspace. */
import { Type } from "@atrium/schema";
import { readInside, writeInside } from "../../platform/folder-files.ts";
import { objection } from "../define-tool.ts";
import type { Tool } from "../toolbox.ts";
import { countOf, isText, MAX_FILE_BYTES } from "./file-text.ts";
import type { FileViews } from "./file-views.ts";
import type { PermitEdit } from "./permit.ts";
import { defineWorkspaceTool, plainResult } from "./workspace-tool.ts";

export interface EditDeps {
  readonly views: FileViews;
  readonly permitEdit: PermitEdit;
}

const MAX_CHARS = 500_000;
const CONTEXT_LINES = 3;
const MAX_SHOWN_LINES = 60;

export function editTool({ views, permitEdit }: EditDeps): Tool {
  return defineWorkspaceTool({
    name: "edit",
    description:
      "Replaces `old` by `new` in a file that you have read. `old` must be exactly as in the file, with its white space, and occur once, unless `all` is true.",
    input: {
      path: Type.String({ minLength: 1, description: "From the folder you work in." }),
      old: Type.String({ minLength: 1, maxLength: MAX_CHARS }),
      new: Type.String({ maxLength: MAX_CHARS }),
      all: Type.Optional(Type.Boolean({ description: "Replace every occurrence." })),
    },
    waitsForPeople: true,
    async call({ path, old, new: replacement, all = false }, context) {
      const { workspace, runId } = context;
      const read = async (): Promise<{ text: string; path: string } | { problem: string }> => {
        const file = await readInside(workspace.folder, path, MAX_FILE_BYTES);
        if (!isText(file.bytes)) return { problem: `${path} is a binary file.` };
        const known = views.compare(runId, file.path, file.bytes);
        if (known === "never") return { problem: `Read ${path} before you change it.` };
        if (known === "changed") {
          return { problem: `${path} has changed since you read it. Read it again.` };
        }
        return { text: file.bytes.toString("utf8"), path: file.path };
      };
      const before = await read();
      if ("problem" in before) return objection(before.problem);
      const hits = countOf(old, before.text);
      if (hits === 0) return objection(`\`old\` does not occur in ${path}. Read it again.`);
      if (hits > 1 && !all) {
        return objection(`\`old\` occurs ${hits} times in ${path}. Give more of it, or set all.`);
      }
      if (old === replacement) return objection("`old` and `new` are the same.");
      const text = before.text.split(old).join(replacement);
      const refused = await permitEdit(context, "edit", { path, text: replacement, old });
      if (refused !== undefined) return objection(refused);
      // People may take their time, and so may whoever else works here.
      const late = await read();
      if ("problem" in late) return objection(late.problem);
      const bytes = Buffer.from(text);
      const written = await writeInside(workspace.folder, path, bytes);
      views.note(runId, written, bytes);
      const where = before.text.indexOf(old);
      const lines = around(text, where, replacement.length);
      return plainResult(`Replaced ${hits} in ${written}:\n${lines}`, [written]);
    },
  });
}

/** The lines of the first place, with some before and after. */
function around(text: string, start: number, length: number): string {
  const lines = text.split("\n");
  const first = text.slice(0, start).split("\n").length;
  const last = text.slice(0, start + length).split("\n").length;
  const from = Math.max(1, first - CONTEXT_LINES);
  const to = Math.min(lines.length, last + CONTEXT_LINES, from + MAX_SHOWN_LINES);
  return lines
    .slice(from - 1, to)
    .map((line, index) => `${from + index}\t${line}`)
    .join("\n");
}
