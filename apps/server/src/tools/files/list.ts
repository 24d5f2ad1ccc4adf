/** Lists the files of the workspace. */
import { relative } from "node:path";
import { Type } from "@atrium/schema";
import { locate } from "../../platform/folder-files.ts";
import type { Tool } from "../toolbox.ts";
import type { FindWithRipgrep } from "./ripgrep.ts";
import { defineWorkspaceTool, plainResult } from "./workspace-tool.ts";

export interface ListDeps {
  readonly find: FindWithRipgrep;
}

const MAX_ENTRIES = 500;

export function listTool({ find }: ListDeps): Tool {
  return defineWorkspaceTool({
    name: "list",
    description: `Lists files, without those that .gitignore names; at most ${MAX_ENTRIES}.`,
    input: {
      path: Type.Optional(
        Type.String({ minLength: 1, description: "A folder; left out: the one you work in." }),
      ),
      glob: Type.Optional(Type.String({ minLength: 1, description: "Such as **/*.test.ts" })),
    },
    async call({ path = ".", glob }, call) {
      const { folder } = call.workspace;
      const place = relative(folder, await locate(folder, path));
      const globs = glob === undefined ? [] : [`--glob=${glob}`];
      const found = await find(call, ["--files", "--null", ...globs, "--", `./${place}`]);
      const names = found
        .toString("utf8")
        .split("\0")
        .filter((name) => name !== "")
        .map((name) => JSON.stringify(name.replace(/^\.\/+/, "")).slice(1, -1));
      if (names.length === 0) return plainResult("There are no files.");
      const rest = names.length > MAX_ENTRIES ? `\n… ${names.length - MAX_ENTRIES} more files` : "";
      return plainResult(`${names.slice(0, MAX_ENTRIES).join("\n")}${rest}`);
    },
  });
}
