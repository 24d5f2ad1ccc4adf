/**
 * What each server says of itself and of its own copy of the stream, by its monitoring port. Clients do not see it:
 * whether a server syncs before it acknowledges, and whether its copy has lost messages that the others have.
 */

export interface ServerReport {
  /** Of its monitoring port, as it was given. */
  readonly url: string;
  readonly isReachable: boolean;
  readonly name?: string;
  readonly version?: string;
  /** Whether it writes to disk before it acknowledges. */
  readonly isSyncAlways?: boolean;
  /** The largest message that it takes, in bytes. */
  readonly maxPayload?: number;
  /** Its copy of the stream; absent when it has none. */
  readonly copy?: ServerCopy;
}

export interface ServerCopy {
  readonly messages: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** How many messages between the first and the last are not there. */
  readonly missing: number;
  readonly isLeader: boolean;
}

export interface ReportQuestion {
  readonly monitors: readonly string[];
  readonly stream: string;
  /** Where the stream is; without it the first stream of that name in any account. */
  readonly account?: string;
}

interface GeneralReport {
  readonly server_name?: string;
  readonly version?: string;
  readonly max_payload?: number;
  readonly jetstream?: { readonly config?: { readonly sync_always?: boolean } };
}

interface StreamDetail {
  readonly name: string;
  /** Absent at a server that stands alone; without a leader while it knows none. */
  readonly cluster?: { readonly leader?: string };
  readonly state: {
    readonly messages: number;
    readonly first_seq: number;
    readonly last_seq: number;
  };
}

interface JetStreamReport {
  readonly account_details?: readonly {
    readonly name?: string;
    readonly stream_detail?: readonly StreamDetail[];
  }[];
}

const REPORT_MS = 2_000;

/** One for each address, in that order; a server that does not answer has one too. */
export function readServers(question: ReportQuestion): Promise<readonly ServerReport[]> {
  return Promise.all(question.monitors.map((url) => readServer(url, question)));
}

async function readServer(url: string, question: ReportQuestion): Promise<ServerReport> {
  try {
    const [general, streams] = await Promise.all([
      readReport<GeneralReport>(`${url}/varz`),
      readReport<JetStreamReport>(`${url}/jsz?accounts=true&streams=true`),
    ]);
    const { server_name: name, version, max_payload: maxPayload, jetstream } = general;
    const detail = findStream(streams, question);
    return {
      url,
      isReachable: true,
      ...(name !== undefined && { name }),
      ...(version !== undefined && { version }),
      ...(maxPayload !== undefined && { maxPayload }),
      isSyncAlways: jetstream?.config?.sync_always === true,
      ...(detail !== undefined && { copy: copyOf(detail, name) }),
    };
  } catch {
    return { url, isReachable: false };
  }
}

function findStream(
  { account_details: accounts = [] }: JetStreamReport,
  { stream, account }: ReportQuestion,
): StreamDetail | undefined {
  return accounts
    .filter(({ name }) => account === undefined || name === account)
    .flatMap(({ stream_detail: details = [] }) => details)
    .find(({ name }) => name === stream);
}

function copyOf({ cluster, state }: StreamDetail, server: string | undefined): ServerCopy {
  const { messages, first_seq: firstSeq, last_seq: lastSeq } = state;
  // Messages are counted from 1 and none is ever removed.
  const missing = lastSeq - messages;
  const isLeader = cluster === undefined || (server !== undefined && cluster.leader === server);
  return { messages, firstSeq, lastSeq, missing, isLeader };
}

async function readReport<Report>(address: string): Promise<Report> {
  const answer = await fetch(address, {
    signal: AbortSignal.timeout(REPORT_MS),
    redirect: "error",
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is not so fails where it is read: no answer
  return (await answer.json()) as Report;
}
