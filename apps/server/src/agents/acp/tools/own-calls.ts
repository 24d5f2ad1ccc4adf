/**
 * Which calls of an ACP agent are calls of our own tools: whether they may be made is decided where they are made, and
 * they are reported by the names that we have for them.
 */
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { own } from "@atrium/wire";
import { isFields, parseFields } from "../../turn/json-fields.ts";

/** What an agent calls our tools. */
export interface ToolConvention {
  /** Before the name of each. */
  readonly toolPrefix: string;
  /** For an agent that tells no names: what it writes over a call instead. */
  readonly toolTitle?: (tool: string) => string;
  /** The same, when it asks for permission. Left out: what `toolTitle` says. */
  readonly askedTitle?: (tool: string) => string;
  /** For an agent that asks in a form of its own: whether it asks about a call of our server. */
  readonly isServerAsked?: (input: unknown) => boolean;
}

/** What is known of a call: its tool's name, and what was first written over it. */
export interface SeenCall {
  readonly name: string | undefined;
  readonly title: string | undefined;
}

export interface OwnCalls {
  /** Our name of the tool that the agent calls so. */
  readonly nameOf: (seen: string | undefined) => string | undefined;
  readonly isAsked: (request: RequestPermissionRequest, seen: SeenCall) => boolean;
}

/** `tools`: the name that the agent was given for each, and ours. */
export function createOwnCalls(
  tools: readonly (readonly [given: string, ours: string])[],
  { toolPrefix, toolTitle, askedTitle = toolTitle, isServerAsked }: ToolConvention,
): OwnCalls {
  const names = new Map(tools.map(([given, ours]) => [`${toolPrefix}${given}`, ours]));
  const titles = new Map(
    toolTitle === undefined ? [] : tools.map(([given, ours]) => [toolTitle(given), ours]),
  );
  const nameOf = (seen: string | undefined): string | undefined =>
    seen === undefined ? undefined : (names.get(seen) ?? titles.get(seen));
  return {
    nameOf,
    isAsked({ toolCall }, { name, title }) {
      if (name !== undefined) return names.has(name);
      if (isServerAsked !== undefined) {
        return titles.has(title ?? "") && isServerAsked(toolCall.rawInput);
      }
      const isTitled = tools.some(
        ([given]) => title === toolTitle?.(given) && toolCall.title === askedTitle?.(given),
      );
      return isTitled && isOfServer(toolCall);
    },
  };
}

/**
 * What stands over a command is the command, or what the model says of it; what stands over the call of a server's tool
 * may be the `command` that it is given. So the title counts only where neither can be.
 */
function isOfServer({ content, kind, rawInput }: RequestPermissionRequest["toolCall"]): boolean {
  if (kind !== "other") return false;
  const [part, ...more] = content ?? [];
  if (more.length > 0) return false;
  const text = part?.type === "content" && part.content.type === "text" ? part.content.text : "";
  const input = part === undefined ? rawInput : parseFields(text);
  return isFields(input) && own(input, "command") === undefined;
}
