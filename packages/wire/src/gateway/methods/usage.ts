/** Gateway wire: what was used and what it cost, by day, conversation, agent, model and tool. */
import { Type, type Static } from "@atrium/schema";
import { method } from "../../method.ts";
import { Count, NonEmptyString, Timestamp, strictObject, literals } from "../../scalars.ts";

const Amount = Type.Number({ minimum: 0 });

const totals = {
  input: Count,
  output: Count,
  // What came from the provider's cache is no part of `input`. What was put there is, as costs are known as a whole only.
  cacheRead: Count,
  cacheWrite: Count,
  totalTokens: Count,
  /** In US dollars, as far as it is known. */
  totalCost: Amount,
  inputCost: Amount,
  outputCost: Amount,
  cacheReadCost: Amount,
  cacheWriteCost: Amount,
  /** How many turns cost something that is not known. */
  missingCostEntries: Count,
};
export const UsageTotals = strictObject(totals);
export type UsageTotals = Static<typeof UsageTotals>;

export const UsageDay = strictObject({ date: NonEmptyString, ...totals });
export type UsageDay = Static<typeof UsageDay>;

export const UsageMessages = strictObject({
  total: Count,
  user: Count,
  assistant: Count,
  toolCalls: Count,
  toolResults: Count,
  errors: Count,
});
export type UsageMessages = Static<typeof UsageMessages>;

const UsageDayNumbers = strictObject({
  date: NonEmptyString,
  tokens: Count,
  cost: Amount,
  messages: Count,
  toolCalls: Count,
  errors: Count,
});

export type UsageDayNumbers = Static<typeof UsageDayNumbers>;

export const UsageTools = strictObject({
  totalCalls: Count,
  uniqueTools: Count,
  tools: Type.Array(strictObject({ name: NonEmptyString, count: Count })),
});

export type UsageTools = Static<typeof UsageTools>;

export const UsageOfModel = strictObject({
  provider: Type.Optional(NonEmptyString),
  model: Type.Optional(NonEmptyString),
  count: Count,
  totals: UsageTotals,
});
export type UsageOfModel = Static<typeof UsageOfModel>;

const Day = Type.Optional(Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` }));

const days = {
  startDate: Day,
  endDate: Day,
  /** Whose days they are: UTC's, the server's, or those of `timeZone` or `utcOffset`. */
  mode: Type.Optional(literals("utc", "gateway", "specific")),
  timeZone: Type.Optional(NonEmptyString),
  utcOffset: Type.Optional(Type.String({ pattern: String.raw`^UTC[+-]\d{1,2}(?::[0-5]\d)?$` })),
  range: Type.Optional(literals("7d", "30d", "90d", "1y", "all")),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_600 })),
};
const UsageDays = strictObject(days);
/** Which days are asked about. */
export type UsageDays = Static<typeof UsageDays>;

const whose = {
  agentId: Type.Optional(NonEmptyString),
  agentScope: Type.Optional(Type.Literal("all")),
};

export const usageCost = method({
  name: "usage.cost",
  scope: "operator.read",
  params: strictObject({ ...days, ...whose }),
  result: strictObject({
    updatedAt: Timestamp,
    days: Count,
    daily: Type.Array(UsageDay),
    totals: UsageTotals,
  }),
});

export const SessionUsage = strictObject({
  key: NonEmptyString,
  label: Type.Optional(NonEmptyString),
  sessionId: Type.Optional(NonEmptyString),
  scope: Type.Literal("family"),
  updatedAt: Timestamp,
  agentId: NonEmptyString,
  modelProvider: Type.Optional(NonEmptyString),
  model: Type.Optional(NonEmptyString),
  usage: strictObject({
    ...totals,
    firstActivity: Timestamp,
    lastActivity: Timestamp,
    durationMs: Count,
    activityDates: Type.Array(NonEmptyString),
    dailyBreakdown: Type.Array(
      strictObject({ date: NonEmptyString, tokens: Count, cost: Amount, ...totals }),
    ),
    messageCounts: UsageMessages,
    toolUsage: UsageTools,
    modelUsage: Type.Array(UsageOfModel),
  }),
  hasContextWeight: Type.Literal(false),
});
export type SessionUsage = Static<typeof SessionUsage>;

export const sessionsUsage = method({
  name: "sessions.usage",
  scope: "operator.read",
  params: strictObject({
    ...days,
    ...whose,
    key: Type.Optional(NonEmptyString),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
    // A conversation that was reset is one all the same, and what is in an agent's context is not known here.
    groupBy: Type.Optional(Type.Union([Type.Literal("instance"), Type.Literal("family")])),
    includeHistorical: Type.Optional(Type.Boolean()),
    includeContextWeight: Type.Optional(Type.Boolean()),
  }),
  result: strictObject({
    updatedAt: Timestamp,
    startDate: NonEmptyString,
    endDate: NonEmptyString,
    sessions: Type.Array(SessionUsage),
    totals: UsageTotals,
    aggregates: strictObject({
      sessionCount: Count,
      messages: UsageMessages,
      tools: UsageTools,
      byModel: Type.Array(UsageOfModel),
      byProvider: Type.Array(UsageOfModel),
      byAgent: Type.Array(strictObject({ agentId: NonEmptyString, totals: UsageTotals })),
      byChannel: Type.Array(Type.Never()),
      byCreator: Type.Array(Type.Never()),
      costDaily: Type.Array(UsageDay),
      dailyLatency: Type.Array(Type.Never()),
      modelDaily: Type.Array(
        strictObject({
          date: NonEmptyString,
          provider: Type.Optional(NonEmptyString),
          model: Type.Optional(NonEmptyString),
          tokens: Count,
          cost: Amount,
          count: Count,
        }),
      ),
      daily: Type.Array(UsageDayNumbers),
    }),
    creatorOptions: Type.Array(Type.Never()),
  }),
});
