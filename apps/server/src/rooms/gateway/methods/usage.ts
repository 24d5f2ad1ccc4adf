import {
  accept,
  DEFAULT_HANDLE,
  handleOf,
  refuse,
  resolveKey,
  type ConversationRow,
  type Conversations,
  type CrewMember,
  type Outcome,
  type Spending,
  type SpendingRecord,
} from "@atrium/core";
import type { ResultOf } from "@atrium/wire";
import { sessionsUsage, usageCost, type SessionUsage } from "@atrium/wire/gateway";
import { serve, type GatewayMethod } from "../frames/peer.ts";
import { isWithin, rangeOfDays, type DayRange } from "../rows/usage-days.ts";
import {
  byDay,
  byModel,
  byProvider,
  inGroups,
  messagesOf,
  modelOf,
  numbersByDay,
  toolsOf,
  totalsOf,
} from "../rows/usage-rows.ts";

export interface UsageDeps {
  readonly spending: Pick<SpendingRecord, "list">;
  readonly conversations: Pick<Conversations, "get">;
  readonly crew: readonly CrewMember[];
  readonly now: () => number;
}

interface Whose {
  readonly agentId?: string;
  readonly agentScope?: "all";
  readonly key?: string;
}

const DEFAULT_LIMIT = 50;

export function usageMethods(deps: UsageDeps): readonly GatewayMethod[] {
  const { spending, conversations, crew, now } = deps;

  /** Of everyone, of one conversation, or of one agent: without a name the first agent, as in OpenClaw. */
  function spentBy(whose: Whose): Outcome<(spending: Spending) => boolean> {
    const { agentId, agentScope, key } = whose;
    if (agentScope === "all") {
      const isAll = agentId === undefined && key === undefined;
      if (isAll) return accept(() => true);
      return refuse("params.invalid", "agentScope=all cannot be combined with key or agentId");
    }
    if (key !== undefined) {
      const resolved = resolveKey(crew, key, agentId);
      if (!resolved.ok) return resolved;
      return accept((each) => each.key === resolved.value.text);
    }
    const handle = agentId ?? DEFAULT_HANDLE;
    const isKnown = crew.some((member) => member.handle === handle);
    return isKnown
      ? accept((each) => handleOf(each.key) === handle)
      : refuse("agent.unknown", handle);
  }

  function find(
    whose: Whose,
    days: Outcome<DayRange>,
  ): Outcome<{ days: DayRange; spent: Spending[] }> {
    if (!days.ok) return days;
    const isTheirs = spentBy(whose);
    if (!isTheirs.ok) return isTheirs;
    const isAsked = (each: Spending): boolean =>
      isTheirs.value(each) && isWithin(days.value, each.from);
    return accept({ days: days.value, spent: spending.list().filter(isAsked) });
  }

  return [
    serve(usageCost, ({ agentId, agentScope, ...days }) => {
      const whose = { ...(agentId && { agentId }), ...(agentScope && { agentScope }) };
      const found = find(whose, rangeOfDays(days, now()));
      if (!found.ok) return found;
      const { spent } = found.value;
      const daily = byDay(spent, found.value.days.dayOf);
      return accept({ updatedAt: now(), days: daily.length, daily, totals: totalsOf(spent) });
    }),

    serve(sessionsUsage, ({ limit = DEFAULT_LIMIT, ...query }) => {
      const found = find(query, rangeOfDays(query, now()));
      if (!found.ok) return found;
      const { days, spent } = found.value;
      const sessions = inGroups(spent, ({ key }) => key)
        .map(([key, each]) => sessionRow(key, conversations.get(key), each, days))
        .toSorted((a, b) => b.updatedAt - a.updatedAt);
      const daily = byDay(spent, days.dayOf);
      return accept({
        updatedAt: now(),
        startDate: query.range === "all" ? (daily[0]?.date ?? days.last) : days.first,
        endDate: days.last,
        sessions: sessions.slice(0, limit),
        totals: totalsOf(spent),
        aggregates: aggregatesOf(spent, sessions.length, days),
        creatorOptions: [],
      });
    }),
  ];
}

function sessionRow(
  key: string,
  row: ConversationRow | undefined,
  spent: readonly Spending[],
  { dayOf }: DayRange,
): SessionUsage {
  const daily = byDay(spent, dayOf);
  const firstActivity = Math.min(...spent.map(({ firstAt }) => firstAt));
  const lastActivity = Math.max(...spent.map(({ lastAt }) => lastAt));
  const { provider, model } = modelOf(spent.slice(-1));
  const label = row?.settings.label ?? (row?.title === "" ? undefined : row?.title);
  return {
    key,
    ...(label !== undefined && { label }),
    ...(row !== undefined && { sessionId: row.sessionId }),
    scope: "family",
    updatedAt: row?.updatedAt ?? lastActivity,
    agentId: handleOf(key),
    ...(provider !== undefined && { modelProvider: provider }),
    ...(model !== undefined && { model }),
    usage: {
      ...totalsOf(spent),
      firstActivity,
      lastActivity,
      durationMs: lastActivity - firstActivity,
      activityDates: daily.map(({ date }) => date),
      dailyBreakdown: daily.map((day) => ({
        ...day,
        tokens: day.totalTokens,
        cost: day.totalCost,
      })),
      messageCounts: messagesOf(spent),
      toolUsage: toolsOf(spent),
      modelUsage: byModel(spent),
    },
    hasContextWeight: false,
  };
}

function aggregatesOf(
  spent: readonly Spending[],
  sessionCount: number,
  { dayOf }: DayRange,
): ResultOf<typeof sessionsUsage>["aggregates"] {
  return {
    sessionCount,
    messages: messagesOf(spent),
    tools: toolsOf(spent),
    byModel: byModel(spent),
    byProvider: byProvider(spent),
    byAgent: inGroups(spent, ({ key }) => handleOf(key)).map(([agentId, each]) => ({
      agentId,
      totals: totalsOf(each),
    })),
    byChannel: [],
    byCreator: [],
    costDaily: byDay(spent, dayOf),
    dailyLatency: [],
    modelDaily: inGroups(spent, ({ from }) => dayOf(from)).flatMap(([date, ofDay]) =>
      byModel(ofDay).map(({ totals, ...model }) => ({
        date,
        ...model,
        tokens: totals.totalTokens,
        cost: totals.totalCost,
      })),
    ),
    daily: numbersByDay(spent, dayOf),
  };
}
