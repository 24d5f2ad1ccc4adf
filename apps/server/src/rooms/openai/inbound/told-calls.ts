/**
 * Calls and results in a request's history. Each result must belong to a call of the message before it, and each call
 * must have its result, as OpenAI demands. An agent that was not there when they were made is told of them in words.
 */
import type { RequestMessage } from "@atrium/wire/openai";
import { fail, invalid, ok, unsupported, type Result } from "../outbound/problem.ts";

export interface ToldResult {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
}

export interface OpenCalls {
  /** The calls of an assistant message, in words; the results of an earlier one are all there. */
  called(message: RequestMessage, param: string): Result<string>;
  returned(message: RequestMessage, param: string, text: string): Result<ToldResult>;
  /** Something else was said, or there is nothing more: no call may be left without its result. */
  settle(): Result<undefined>;
}

const NO_CALL = "A message of role `tool` must answer a call in the `tool_calls` before it.";

export function createOpenCalls(): OpenCalls {
  const open = new Map<string, string>();
  let at = "messages";
  return {
    called({ tool_calls: calls }, param) {
      at = param;
      const words: string[] = [];
      for (const [index, { id, type = "function", function: called }] of (calls ?? []).entries()) {
        const place = `${param}.tool_calls[${index}]`;
        if (type !== "function" || called === undefined) {
          return fail(unsupported(place, "Only calls of functions are taken here."));
        }
        if (open.has(id)) return fail(invalid(`${place}.id`, `There are two calls \`${id}\`.`));
        open.set(id, called.name);
        words.push(`[Called ${called.name} with ${called.arguments || "{}"}]`);
      }
      return ok(words.join("\n"));
    },
    returned({ tool_call_id: callId }, param, text) {
      const name = typeof callId === "string" ? open.get(callId) : undefined;
      if (typeof callId !== "string" || name === undefined) return fail(invalid(param, NO_CALL));
      open.delete(callId);
      return ok({ callId, name, text });
    },
    settle() {
      if (open.size === 0) return ok(undefined);
      const ids = [...open.keys()].join(", ");
      return fail(
        invalid(at, `There must be a message of role \`tool\` for each call; ${ids}: none.`),
      );
    },
  };
}

export function describeResult({ name, text }: Pick<ToldResult, "name" | "text">): string {
  return `[${name} returned:]\n${text}`;
}
