import { accept, type Conversations } from "@atrium/core";
import { sessionsList } from "@atrium/wire/gateway";
import { on, type Method } from "../../room.ts";
import { sessionRow } from "../rows.ts";

export interface SessionsDeps {
  readonly conversations: Pick<Conversations, "list">;
  readonly statePath: string;
  readonly now: () => number;
}

const DEFAULT_LIMIT = 100;
const MS_PER_MINUTE = 60_000;

export function sessionsMethods({
  conversations,
  statePath,
  now,
}: SessionsDeps): readonly Method[] {
  return [
    on(sessionsList, (params) => {
      const { limit = DEFAULT_LIMIT, offset = 0, activeMinutes, agentId, search } = params;
      const since = activeMinutes === undefined ? 0 : now() - activeMinutes * MS_PER_MINUTE;
      const wanted = search?.toLowerCase() ?? "";
      const found = conversations
        .list()
        .filter((row) => agentId === undefined || row.handle === agentId)
        .filter((row) => row.updatedAt >= since)
        .filter((row) => row.key.includes(wanted) || row.preview.toLowerCase().includes(wanted));
      const page = found.slice(offset, offset + limit);
      const next = offset + page.length;
      const hasMore = next < found.length;
      return accept({
        ts: now(),
        path: statePath,
        count: page.length,
        totalCount: found.length,
        limitApplied: limit,
        nextOffset: hasMore ? next : null,
        hasMore,
        defaults: { modelProvider: null, model: null, contextTokens: null },
        sessions: page.map((row) => sessionRow(row, params.includeLastMessage === true)),
      });
    }),
  ];
}
