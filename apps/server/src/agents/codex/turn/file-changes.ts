/** The changes of files that Codex tells of, as people and the log are told of them. */
import type { ApprovalWrite } from "@atrium/core";
import { fieldsOf, listOf, textIn, textOr, type Fields } from "../../turn/json-fields.ts";

export interface PatchedFile {
  readonly path: string;
  readonly kind: string;
  /** Of a file that is new or deleted its content, else a unified diff. */
  readonly diff: string;
  readonly movedTo?: string;
}

export function changesIn(item: Fields): readonly PatchedFile[] {
  return listOf(item["changes"]).map((change) => {
    const kind = fieldsOf(change["kind"]);
    const movedTo = textIn(kind, "move_path") ?? textIn(kind, "movePath");
    return {
      path: textOr(change["path"], ""),
      kind: textOr(kind["type"], "update"),
      diff: textOr(change["diff"], ""),
      ...(movedTo !== undefined && { movedTo }),
    };
  });
}

/** What the call of the tool is told with: the whole of each change. */
export function patchInput(changes: readonly PatchedFile[]): object {
  const [first] = changes;
  return changes.length === 1 && first !== undefined ? first : { changes };
}

/** What people are asked about; how the files would look is told beside it. */
export function patchSummary(changes: readonly PatchedFile[]): object {
  const files = changes.map(({ diff: _diff, ...file }) => file);
  const [first] = files;
  return files.length === 1 && first !== undefined ? first : { files };
}

export function writesOf(changes: readonly PatchedFile[]): readonly ApprovalWrite[] {
  return changes.map(({ path, kind, diff, movedTo }) => ({
    path: movedTo === undefined ? path : `${path} -> ${movedTo}`,
    text: kind === "add" ? marked("+", diff) : kind === "delete" ? marked("-", diff) : diff,
  }));
}

const DONE = new Map([
  ["add", "Wrote"],
  ["delete", "Deleted"],
]);

export function describeChanges(changes: readonly PatchedFile[]): string {
  return changes.map(({ path, kind }) => `${DONE.get(kind) ?? "Changed"} ${path}`).join("\n");
}

function marked(mark: string, text: string): string {
  const lines = text.endsWith("\n") ? text.slice(0, -1) : text;
  return lines === "" ? "" : lines.replaceAll(/^/gm, `${mark} `);
}
