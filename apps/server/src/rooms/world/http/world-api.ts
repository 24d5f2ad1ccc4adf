/**
 * The world over plain HTTP: how it was at any point, what happened when, the plan of the office, and what
 * was made in it.
 */
import type { Clock, Floor, Projects } from "@atrium/core";
import { own } from "@atrium/wire";
import {
  createHttpApi,
  jsonText,
  type HttpRequest,
  type Endpoint,
  type HttpApiDeps,
  type HttpApp,
} from "../../../http/api.ts";
import { problem } from "../../../http/problem.ts";
import type { ReadBlob } from "../../../http/untrusted-content.ts";
import type { LiveRuns } from "../../../runs/live-runs.ts";
import type { RunStatuses } from "../../../runs/run-statuses.ts";
import { omitEmpty } from "../messages/omit-empty.ts";
import type { PastSnapshots } from "../snapshots/past-snapshots.ts";
import { snapshotAt, type SnapshotSources } from "../snapshots/snapshot.ts";
import type { LogReader } from "../translate/log-reader.ts";
import type { EncodedMessage, TranslateEntry } from "../translate/translate.ts";
import { createArtifactEndpoints } from "./artifact-files.ts";
import { createCallOutput } from "./call-output.ts";
import { createTaskCalls } from "./task-calls.ts";
import { createWholePermission } from "./whole-permission.ts";

export interface WorldApiDeps {
  readonly log: LogReader;
  readonly blobs: { readonly get: ReadBlob };
  readonly reports: Pick<RunStatuses, "get">;
  readonly live: Pick<LiveRuns, "get">;
  readonly scenery: SnapshotSources & { readonly projects: Projects };
  readonly floor: Floor;
  readonly past: PastSnapshots;
  readonly translate: TranslateEntry;
  readonly clock: Clock;
  /** Streams in which a task may have been worked on. */
  readonly workOn: (taskId: string) => readonly string[];
}

const AT_PARAMS = ["seq", "time", "ahead"];
const PLACES = ["after", "before", "limit"];
const CHANNELS = ["goals", "chat", "calls"];
const TIMELINE_PARAMS = [...PLACES, ...CHANNELS];
const MAX_AHEAD_MS = 600_000;
const PAGE = 100;
const MAX_PAGE = 1_000;
/** Most entries are no events: how many are looked at for one page. */
const MAX_ENTRIES_READ = 20_000;

export function createWorldApi(deps: WorldApiDeps, api: HttpApiDeps): HttpApp {
  const { log, scenery, floor, past, clock } = deps;
  const { ofArtifact, ofVersion } = createArtifactEndpoints(deps);

  const then: Endpoint = async ({ query }) => {
    for (const name of AT_PARAMS) {
      if (numberIn(query, name, 0) === undefined) return badNumber(name);
    }
    const { look, ...moment } = await past.goTo({
      seq: numberIn(query, "seq", log.head) ?? log.head,
      time: numberIn(query, "time", undefined),
      aheadMs: Math.min(numberIn(query, "ahead", 0) ?? 0, MAX_AHEAD_MS),
    });
    return Response.json({ epoch: log.epoch, ...moment, ...look });
  };

  const office: Endpoint = () => {
    const { head: seq, epoch } = log;
    const at = clock.now();
    return Response.json({ seq, epoch, at, ...snapshotAt(scenery, at) });
  };

  return createHttpApi(
    {
      "/api/world/at": { query: AT_PARAMS, GET: then },
      "/api/world/tasks/:id/calls": { GET: createTaskCalls(deps) },
      "/api/world/decisions/:id/permission": { GET: createWholePermission(deps) },
      "/api/world/events": { query: TIMELINE_PARAMS, GET: createTimeline(deps) },
      "/api/world/scene": { GET: () => Response.json(floor.scene) },
      "/api/office": { GET: office },
      "/api/runs/:id/calls/:call/output": { GET: createCallOutput(deps) },
      "/api/artifacts/:id": { GET: ofArtifact },
      "/api/artifacts/:id/:version": { GET: ofVersion },
    },
    api,
  );
}

/** A page of the timeline: `after` goes forward from there, `before` back, oldest first either way. */
function createTimeline({ log, translate }: WorldApiDeps): Endpoint {
  return async ({ query }) => {
    const [after, before, limit = PAGE] = PLACES.map((name) => numberIn(query, name, undefined));
    for (const name of PLACES) {
      if (numberIn(query, name, 0) === undefined) return badNumber(name);
    }
    const most = Math.min(Math.max(1, limit), MAX_PAGE);
    const isBackwards = before !== undefined && after === undefined;
    const found: EncodedMessage[] = [];
    let last = after ?? before ?? 0;
    let isMore = false;
    const channels = channelsIn(query);
    const range = omitEmpty({ after, before });
    const page = { ...range, backwards: isBackwards, limit: MAX_ENTRIES_READ };
    for await (const entry of log.read(page)) {
      last = entry.seq;
      const encoded = translate(entry);
      if (encoded !== undefined && channels.has(encoded.channel)) found.push(encoded);
      isMore = found.length >= most;
      if (isMore) break;
    }
    const ordered = isBackwards ? found.toReversed() : found;
    const messages = ordered.map(({ text }) => text).join(",");
    const head = `"epoch":${JSON.stringify(log.epoch)},"seq":${log.head},"next":${last}`;
    return jsonText(`{${head},"has_more":${isMore},"messages":[${messages}]}`);
  };
}

/** Events, and with `goals=1`, `chat=1` or `calls=1` those too. */
function channelsIn(query: HttpRequest["query"]): ReadonlySet<string> {
  const others = CHANNELS.filter((channel) => own(query, channel) === "1");
  return new Set(["events", ...others]);
}

function numberIn<Absent>(
  query: HttpRequest["query"],
  name: string,
  absent: Absent,
): number | Absent | undefined {
  const text = own(query, name);
  if (text === undefined) return absent;
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function badNumber(name: string): Response {
  return problem(400, "params.invalid", `${name} must be an integer`);
}
