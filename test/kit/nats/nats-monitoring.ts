/** What a server says of its own copy of a stream, by its monitoring port. */

/** One server's copy, which a damaged file may have made shorter than the others'. */
export interface StreamCopy {
  readonly messages: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly isLeader: boolean;
}

interface StreamDetail {
  readonly name: string;
  readonly cluster?: { readonly leader?: string };
  readonly state: {
    readonly messages: number;
    readonly first_seq: number;
    readonly last_seq: number;
  };
}

interface JetStreamReport {
  readonly account_details?: readonly { readonly stream_detail?: readonly StreamDetail[] }[];
}

/** Undefined when the server does not answer, or has no such stream. */
export async function streamCopy(
  { monitor, name }: { readonly monitor: string; readonly name: string },
  stream: string,
): Promise<StreamCopy | undefined> {
  const detail = (await streamDetails(monitor)).find((one) => one.name === stream);
  if (detail === undefined) return undefined;
  const { messages, first_seq: firstSeq, last_seq: lastSeq } = detail.state;
  // A single server names no leader.
  const isLeader = (detail.cluster?.leader ?? name) === name;
  return { messages, firstSeq, lastSeq, isLeader };
}

async function streamDetails(monitor: string): Promise<readonly StreamDetail[]> {
  try {
    const signal = AbortSignal.timeout(1_000);
    const answer = await fetch(`${monitor}/jsz?accounts=true&streams=true`, { signal });
    const report = (await answer.json()) as JetStreamReport;
    return (report.account_details ?? []).flatMap(({ stream_detail }) => stream_detail ?? []);
  } catch {
    return [];
  }
}
