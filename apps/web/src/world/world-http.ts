/** The world over plain HTTP: earlier pages of the timeline, the office at a moment, and what was made. */
import type { Snapshot } from "@atrium/client";
import type { PermissionSubject } from "@atrium/wire";
import type { WorldMessageOf } from "@atrium/wire/world";
import type { Walk } from "../office/state/office-state.ts";
import { callMomentOf, lineOf, momentOf, type CallMoment } from "./moments.ts";
import type { EarlierPage } from "./world.ts";

/** The office as it was: what a snapshot shows, when that was, and who walks then and for a while after. */
export interface PastOffice extends Snapshot {
  readonly at: number;
  /** In the order they begin. */
  readonly walks: readonly Walk[];
}

/** After an entry, or at a time; walks are told as far ahead as this, in milliseconds. */
export type PastQuery = { readonly ahead: number } & (
  | { readonly seq: number }
  | { readonly time: number }
);

/** All of a permission that is too long to be sent along, and what shows that it was read. */
export interface WholePermission {
  readonly permission: PermissionSubject;
  readonly seen: string;
}

export interface WorldHttp {
  readPermission(path: string): Promise<WholePermission | null>;
  readBefore(seq: number): Promise<EarlierPage | null>;
  readAt(when: PastQuery): Promise<PastOffice | null>;
  readText(artifactId: string, version: number): Promise<string | null>;
  readCalls(taskId: string): Promise<readonly CallMoment[] | null>;
  /** All that a tool gave back, however long. */
  readOutput(runId: string, callId: string): Promise<string | null>;
}

const PAGE = 300;

export function outputPath(runId: string, callId: string): string {
  return `/api/runs/${encodeURIComponent(runId)}/calls/${encodeURIComponent(callId)}/output`;
}

export function createWorldHttp(fetch: typeof globalThis.fetch): WorldHttp {
  /** Null: it could not be had, whatever the reason; what asks goes on without. */
  async function read(path: string): Promise<Response | null> {
    try {
      const answer = await fetch(path);
      return answer.ok ? answer : null;
    } catch {
      return null;
    }
  }
  async function readJson<Shape>(path: string): Promise<Shape | null> {
    const answer = await read(path);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- from our own server, whose tests hold it to its schemas
    return answer === null ? null : ((await answer.json()) as Shape);
  }
  return {
    async readBefore(seq) {
      const page = await readJson<TimelinePage>(
        `/api/world/events?before=${seq}&limit=${PAGE}&chat=1`,
      );
      if (page === null) return null;
      return {
        moments: page.messages.flatMap((each) =>
          each.type === "event" ? (momentOf(each) ?? []) : [],
        ),
        lines: page.messages.flatMap((each) => (each.type === "chat" ? [lineOf(each)] : [])),
        hasMore: page.has_more,
      };
    },
    readAt({ ahead, ...when }) {
      const place = "seq" in when ? `seq=${when.seq}` : `time=${when.time}`;
      return readJson<PastOffice>(`/api/world/at?${place}&ahead=${ahead}`);
    },
    readPermission: (path) => readJson<WholePermission>(path),
    async readText(id, version) {
      const answer = await read(`/api/artifacts/${encodeURIComponent(id)}/${version}`);
      return answer === null ? null : answer.text();
    },
    async readCalls(taskId) {
      const path = `/api/world/tasks/${encodeURIComponent(taskId)}/calls`;
      const page = await readJson<{ readonly messages: readonly WorldMessageOf<"event">[] }>(path);
      return page && page.messages.flatMap((each) => callMomentOf(each) ?? []);
    },
    async readOutput(runId, callId) {
      const answer = await read(outputPath(runId, callId));
      return answer === null ? null : answer.text();
    },
  };
}

interface TimelinePage {
  readonly has_more: boolean;
  readonly messages: readonly (WorldMessageOf<"event"> | WorldMessageOf<"chat">)[];
}
