import type { Child } from "../../confinement/program/child.ts";
/**
 * What a program asks of the host, and the answers: one JSON line each on the program's file descriptor
 * 3, because its standard input has ended with the prompt. The first line there is the turn itself, for
 * programs that want more of it than the prompt.
 */
import {
  readPermission,
  type PermissionRequest,
  type Turn,
  type TurnEvent,
  type TurnHost,
} from "../turn/agent-runtime.ts";
import { useTool } from "../turn/use-tool.ts";
import type { OutputLine } from "./output-line.ts";

type RequestLine<Type extends OutputLine["type"]> = Extract<OutputLine, { readonly type: Type }>;

export interface Requests {
  introduce(turn: Turn): void;
  useTool(request: RequestLine<"tool">): AsyncGenerator<TurnEvent, void>;
  ask(request: RequestLine<"ask">): Promise<void>;
  approve(request: RequestLine<"approve">): Promise<void>;
}

export function createRequests(
  host: TurnHost,
  child: Pick<Child, "answers" | "ended">,
  cwd: string,
): Requests {
  let calls = 0;
  const send = (line: object): void => {
    if (child.answers.writable) child.answers.write(`${JSON.stringify(line)}\n`);
  };
  /** A program that has ended waits for nobody. */
  const settle = async (id: string, request: Promise<object>): Promise<void> => {
    const answer = request.catch((cause: unknown) => ({ error: messageOf(cause) }));
    const first = await Promise.race([answer, child.ended.then(() => undefined)]);
    if (first !== undefined) send({ id, ...first });
  };
  return {
    introduce({ runId, conversation, agent, instructions, history, prompt }) {
      const turn = { runId, conversation, agent, instructions, history, prompt };
      send({ type: "turn", ...turn, tools: host.tools });
    },
    async *useTool({ id, name, input }) {
      const call = { id: `call_${++calls}`, name, input: input ?? {} };
      const { text, isError } = yield* useTool(host, call);
      send({ id, text, isError });
    },
    ask: ({ id, text, options = [] }) =>
      settle(
        id,
        host.ask({ text, options }).then((answer) => ({ answer })),
      ),
    approve: ({ id, tool, summary, input }) =>
      settle(
        id,
        host.requestPermission({ tool, cwd, ...wordsOrInput(summary, input) }).then((answer) => {
          const { permission, note } = readPermission(answer);
          return note === undefined ? { permission } : { permission, note };
        }),
      ),
  };
}

function wordsOrInput(
  summary: string,
  input: unknown,
): Pick<PermissionRequest, "input" | "details"> {
  return input === undefined ? { input: summary } : { input, details: summary };
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
