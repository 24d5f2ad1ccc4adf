/** A tool's result as the log keeps it: a long text is cut there, and kept whole beside it. */
import { Fault } from "@atrium/core";
import type { ToolResult } from "../../agents/turn/agent-runtime.ts";
import type { Blobs } from "../../platform/blobs.ts";
import { cutLongText, MAX_KEPT_BYTES } from "../../platform/long-text.ts";

export interface LongResultDeps {
  readonly blobs: Pick<Blobs, "put">;
  readonly report: (fault: Fault) => void;
}

type LoggedResult = Pick<ToolResult, "text" | "isError" | "output">;

export async function keepLongResult(
  { text, isError, output }: ToolResult,
  { blobs, report }: LongResultDeps,
): Promise<LoggedResult> {
  const cut = cutLongText(text);
  if (output !== undefined) return { text: cut, isError, output };
  if (cut === text) return { text, isError };
  const whole = Buffer.from(text).subarray(0, MAX_KEPT_BYTES);
  try {
    return { text: cut, isError, output: { digest: await blobs.put(whole), bytes: whole.length } };
  } catch (cause) {
    // What the agent did goes into the log all the same.
    report(new Fault("a tool's result was not kept whole", { bytes: whole.length }, cause));
    return { text: cut, isError };
  }
}
