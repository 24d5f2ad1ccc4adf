/** Gateway wire: what was used and what it cost, by day, conversation, agent, model and tool. */
import { Type, type Static } from "@atrium/schema";
import { method } from "../../method.ts";
import { Count, NonEmptyString, Timestamp, closed } from "../../scalars.ts";

const Amount = Type.Number({ minimum: 0 });

const totals = {
  input: Count,
  output: Count,
  // Tokens that a cache saved are part of `input`, and costs are known as a whole only.
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
export const UsageTotals = Type.Object(totals, closed);
export type UsageTotals = Static<typeof UsageTotals>;

export const UsageDay = Type.Object({ date: NonEmptyString, ...totals }, closed);
export type UsageDay = Static<typeof UsageDay>;

export const UsageMessages = Type.Object(
  {
    total: Count,
    user: Count,
    assistant: Count,
    toolCalls: Count,
    toolResults: Count,
    errors: Count,
  },
  closed,
);
export type UsageMessages = Static<typeof UsageMessages>;

const UsageDayNumbers = Type.Object(
  {
    date: NonEmptyString,
    tokens: Count,
    cost: Amount,
    messages: Count,
    toolCalls: Count,
    errors: Count,
  },
  closed,
);

export type UsageDayNumbers = Static<typeof UsageDayNumbers>;

export const UsageTools = Type.Object(
  {
    totalCalls: Count,
    uniqueTools: Count,
    tools: Type.Array(Type.Object({ name: NonEmptyString, count: Count }, closed)),
  },
  closed,
);

export type UsageTools = Static<typeof UsageTools>;

export const UsageOfModel = Type.Object(
  {
    provider: Type.Optional(NonEmptyString),
    model: Type.Optional(NonEmptyString),
    count: Count,
    totals: UsageTotals,
  },
  closed,
);
export type UsageOfModel = Static<typeof UsageOfModel>;

const Day = Type.Optional(Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` }));

const days = {
  startDate: Day,
  endDate: Day,
  /** Whose days they are: UTC's, the server's, or those of `timeZone` or `utcOffset`. */
  mode: Type.Optional(
    Type.Union([Type.Literal("utc"), Type.Literal("gateway"), Type.Literal("specific")]),
  ),
  timeZone: Type.Optional(NonEmptyString),
  utcOffset: Type.Optional(Type.String({ pattern: String.raw`^UTC[+-]\d{1,2}(?::[0-5]\d)?$` })),
  range: Type.Optional(
    Type.Union([
      Type.Literal("7d"),
      Type.Literal("30d"),
      Type.Literal("90d"),
      Type.Literal("1y"),
      Type.Literal("all"),
    ]),
  ),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_600 })),
};
const UsageDays = Type.Object(days, closed);
/** Which days are asked about. */
export type UsageDays = Static<typeof UsageDays>;

const whose = {
  agentId: Type.Optional(NonEmptyString),
  agentScope: Type.Optional(Type.Literal("all")),
};

export const usageCost = method({
  name: "usage.cost",
  scope: "operator.read",
  params: Type.Object({ ...days, ...whose }, closed),
  result: Type.Object(
    {
      updatedAt: Timestamp,
      days: Count,
      daily: Type.Array(UsageDay),
      totals: UsageTotals,
    },
    closed,
  ),
});

export const SessionUsage = Type.Object(
  {
    key: NonEmptyString,
    label: Type.Optional(NonEmptyString),
    sessionId: Type.Optional(NonEmptyString),
    scope: Type.Literal("family"),
    updatedAt: Timestamp,
    agentId: NonEmptyString,
    modelProvider: Type.Optional(NonEmptyString),
    model: Type.Optional(NonEmptyString),
    usage: Type.Object(
      {
        ...totals,
        firstActivity: Timestamp,
        lastActivity: Timestamp,
        durationMs: Count,
        activityDates: Type.Array(NonEmptyString),
        dailyBreakdown: Type.Array(
          Type.Object({ date: NonEmptyString, tokens: Count, cost: Amount, ...totals }, closed),
        ),
        messageCounts: UsageMessages,
        toolUsage: UsageTools,
        modelUsage: Type.Array(UsageOfModel),
      },
      closed,
    ),
    hasContextWeight: Type.Literal(false),
  },
  closed,
);
export type SessionUsage = Static<typeof SessionUsage>;

export const sessionsUsage = method({
  name: "sessions.usage",
  scope: "operator.read",
  params: Type.Object(
    {
      ...days,
      ...whose,
      key: Type.Optional(NonEmptyString),
      limit: Type.Optional(Type.Integer({ minimum: 1 })),
      // A conversation that was reset is one all the same, and what is in an agent's context is not known here.
      groupBy: Type.Optional(Type.Union([Type.Literal("instance"), Type.Literal("family")])),
      includeHistorical: Type.Optional(Type.Boolean()),
      includeContextWeight: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  result: Type.Object(
    {
      updatedAt: Timestamp,
      startDate: NonEmptyString,
      endDate: NonEmptyString,
      sessions: Type.Array(SessionUsage),
      totals: UsageTotals,
      aggregates: Type.Object(
        {
          sessionCount: Count,
          messages: UsageMessages,
          tools: UsageTools,
          byModel: Type.Array(UsageOfModel),
          byProvider: Type.Array(UsageOfModel),
          byAgent: Type.Array(
            Type.Object({ agentId: NonEmptyString, totals: UsageTotals }, closed),
          ),
          byChannel: Type.Array(Type.Never()),
          byCreator: Type.Array(Type.Never()),
          costDaily: Type.Array(UsageDay),
          dailyLatency: Type.Array(Type.Never()),
          modelDaily: Type.Array(
            Type.Object(
              {
                date: NonEmptyString,
                provider: Type.Optional(NonEmptyString),
                model: Type.Optional(NonEmptyString),
                tokens: Count,
                cost: Amount,
                count: Count,
              },
              closed,
            ),
          ),
          daily: Type.Array(UsageDayNumbers),
        },
        closed,
      ),
      creatorOptions: Type.Array(Type.Never()),
    },
    closed,
  ),
});
