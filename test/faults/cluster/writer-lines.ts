/** What a writer process prints, a line of JSON each, and what it is ordered to do on its standard input. */
import type { Entry } from "@atrium/log";
import type { ChainCounts } from "@atrium/log/chain";
import type { Answer, HistoryEntry, Operation } from "../../kit/history/history.ts";

export type WriterLine =
  /** With what it took to fill its copy. */
  | { readonly type: "opened"; readonly head: number; readonly counts: ChainCounts }
  /** Printed before the log is asked. */
  | { readonly type: "invoke"; readonly operation: Operation }
  | { readonly type: "answer"; readonly id: string; readonly answer: Answer }
  /** A batch of the tail that began after `from`. */
  | { readonly type: "tail"; readonly from: number; readonly entries: readonly HistoryEntry[] }
  /** Nothing is under way any more. */
  | { readonly type: "quiet"; readonly head: number }
  | { readonly type: "read"; readonly entries: readonly HistoryEntry[] }
  | { readonly type: "complete" }
  | { readonly type: "trouble"; readonly trouble: string | undefined; readonly at: number }
  | { readonly type: "fault"; readonly code: string; readonly message: string };

export type WriterOrder =
  | { readonly type: "finish" }
  | { readonly type: "resume" }
  /** Reads everything once the log is as long. */
  | { readonly type: "read"; readonly head: number };

export function historyEntry({
  seq,
  stream,
  data,
}: Pick<Entry, "seq" | "stream" | "data">): HistoryEntry {
  const { id, part } = (data ?? {}) as { readonly id?: string; readonly part?: number };
  return {
    seq,
    stream,
    ...(id === undefined ? {} : { id }),
    ...(part === undefined ? {} : { part }),
  };
}
