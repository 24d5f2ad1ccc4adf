/** A use of a tool as a request for permission, for programs whose tools are Claude Code's. Pure. */
import type { PermissionRequest } from "../turn/agent-runtime.ts";
import { fieldsOf } from "../turn/json-fields.ts";

interface ToolUse {
  readonly tool: string;
  readonly input: unknown;
  readonly description: string | undefined;
  readonly cwd?: string | undefined;
}

/** The one tool that says of itself what it is for. */
const SHELL = "Bash";
const DESCRIPTION = "description";

/**
 * All of the input is asked for, and what is always allowed is all of it. Only what a model says about a command, worded
 * anew each time, is no part of what is done.
 */
export function permissionFor({ tool, input, description, cwd }: ToolUse): PermissionRequest {
  const { [DESCRIPTION]: comment, ...done } = fieldsOf(input);
  const hasComment = tool === SHELL && typeof comment === "string";
  const details = description ?? (hasComment ? comment : undefined);
  return {
    tool,
    input: hasComment ? done : input,
    ...(details !== undefined && details !== "" && { details }),
    ...(cwd !== undefined && { cwd }),
  };
}
