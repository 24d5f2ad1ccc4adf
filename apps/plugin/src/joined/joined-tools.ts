/** The tools of a session that was started by hand: asked of Atrium anew each time, so that it may come and go. */
import { Compile, Type } from "@atrium/schema";
import type { BridgeTool } from "@atrium/wire/bridge";
import type { CallOutcome } from "../tool-calls.ts";
import type { JoinedAddress } from "./joined-address.ts";

export interface JoinedToolsDeps {
  /** Undefined while Atrium is away. */
  readonly address: () => JoinedAddress | undefined;
  /** Of the program whose session it is. */
  readonly pid: number;
  readonly folder: string;
  readonly fetch: typeof fetch;
}

export interface JoinedTools {
  list(): Promise<readonly BridgeTool[]>;
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallOutcome>;
}

const Listed = Compile(
  Type.Object({
    tools: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        inputSchema: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
  }),
);
const Answered = Compile(Type.Object({ text: Type.String(), isError: Type.Boolean() }));

const LIST_MS = 3_000;
const CALL_MS = 120_000;
const AWAY =
  "Atrium is not running, so the tool was not called. Start it with `atrium up`, then try again.";
const CUT_OFF =
  "Atrium went away during the call. It is not known whether it took effect; look with my_task before you try again.";

export function createJoinedTools({ address, pid, folder, ...deps }: JoinedToolsDeps): JoinedTools {
  const ask = async (
    { url, secret }: JoinedAddress,
    signal: AbortSignal,
    call?: object,
  ): Promise<unknown> => {
    const headers = {
      authorization: `Bearer ${secret}`,
      "x-atrium-pid": String(pid),
      // Headers are bytes; what is no ASCII is sent as it is written.
      "x-atrium-folder": Buffer.from(folder, "utf8").toString("latin1"),
      "content-type": "application/json",
    };
    const body = call === undefined ? {} : { method: "POST", body: JSON.stringify(call) };
    const response = await deps.fetch(url, { headers, signal, ...body });
    return response.json();
  };
  return {
    async list() {
      const found = address();
      if (found === undefined) return [];
      try {
        const answer = await ask(found, AbortSignal.timeout(LIST_MS));
        return Listed.Check(answer) ? answer.tools : [];
      } catch {
        return [];
      }
    },
    async call(name, args, signal) {
      const found = address();
      if (found === undefined) return failed(AWAY);
      const patience = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]);
      try {
        const answer = await ask(found, patience, { name, arguments: args });
        return Answered.Check(answer) ? answer : failed(wordsOf(answer));
      } catch {
        return failed(signal.aborted ? "The call was cancelled." : CUT_OFF);
      }
    },
  };
}

/** Atrium says what is wrong in the shape of every other HTTP problem. */
function wordsOf(answer: unknown): string {
  const problem = Compile(Type.Object({ error: Type.Object({ message: Type.String() }) }));
  return problem.Check(answer) ? answer.error.message : "Atrium did not understand the call.";
}

function failed(text: string): CallOutcome {
  return { text, isError: true };
}
