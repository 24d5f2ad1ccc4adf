/** The tools of a run that has a workspace: they read, change and run what is in its folder. */
import type { Tool } from "../toolbox.ts";
import { editTool } from "./edit.ts";
import { createFileViews } from "./file-views.ts";
import { listTool } from "./list.ts";
import { createPermitEdit } from "./permit.ts";
import { readTool } from "./read.ts";
import { createRipgrep } from "./ripgrep.ts";
import { runTool, type RunDeps } from "./run.ts";
import { searchTool } from "./search.ts";
import { todoTool, type TodoDeps } from "./todo.ts";
import { writeTool } from "./write.ts";

export interface FileToolsDeps extends RunDeps, TodoDeps {}

export function fileTools(deps: FileToolsDeps): readonly Tool[] {
  const views = createFileViews();
  const permitEdit = createPermitEdit(deps);
  const find = createRipgrep(deps.confinement);
  return [
    readTool({ views }),
    listTool({ find }),
    searchTool({ find }),
    editTool({ views, permitEdit }),
    writeTool({ views, permitEdit }),
    runTool(deps),
    todoTool(deps),
  ];
}
