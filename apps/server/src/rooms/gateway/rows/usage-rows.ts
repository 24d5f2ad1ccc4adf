/** Usage as the gateway's clients see it: sums over the runs in the log. */
import { addCounts, addUsage, NOTHING_USED, tokensOf, type Spending } from "@atrium/core";
import type {
  UsageDay,
  UsageDayNumbers,
  UsageMessages,
  UsageOfModel,
  UsageTools,
  UsageTotals,
} from "@atrium/wire/gateway";

type Spendings = readonly Spending[];

export function totalsOf(spendings: Spendings): UsageTotals {
  const usage = spendings.reduce((all, each) => addUsage(all, each.usage), NOTHING_USED);
  const cacheRead = usage.cachedInputTokens ?? 0;
  return {
    input: usage.inputTokens - cacheRead,
    output: usage.outputTokens,
    cacheRead,
    cacheWrite: 0,
    totalTokens: tokensOf(usage),
    totalCost: usage.cost ?? 0,
    inputCost: 0,
    outputCost: 0,
    cacheReadCost: 0,
    cacheWriteCost: 0,
    missingCostEntries: sum(spendings, ({ unpriced }) => unpriced),
  };
}

export function messagesOf(spendings: Spendings): UsageMessages {
  const user = sum(spendings, ({ runs }) => runs);
  const assistant = sum(spendings, ({ answers }) => answers);
  const toolCalls = sum(spendings, callsOf);
  const errors = sum(spendings, ({ failed }) => failed);
  return { total: user + assistant, user, assistant, toolCalls, toolResults: toolCalls, errors };
}

export function toolsOf(spendings: Spendings): UsageTools {
  const counts = spendings.reduce<Readonly<Record<string, number>>>(
    (all, { tools }) => addCounts(all, tools),
    {},
  );
  const tools = Object.entries(counts)
    .map(([name, count]) => ({ name, count }))
    .toSorted((a, b) => b.count - a.count);
  return { totalCalls: sum(spendings, callsOf), uniqueTools: tools.length, tools };
}

export function byDay(spendings: Spendings, dayOf: (at: number) => string): UsageDay[] {
  return inGroups(spendings, ({ from }) => dayOf(from)).map(([date, each]) => ({
    date,
    ...totalsOf(each),
  }));
}

/** The numbers for a chart by day. */
export function numbersByDay(
  spendings: Spendings,
  dayOf: (at: number) => string,
): UsageDayNumbers[] {
  return inGroups(spendings, ({ from }) => dayOf(from)).map(([date, each]) => {
    const { totalTokens: tokens, totalCost: cost } = totalsOf(each);
    const { total: messages, toolCalls, errors } = messagesOf(each);
    return { date, tokens, cost, messages, toolCalls, errors };
  });
}

export function byModel(spendings: Spendings): UsageOfModel[] {
  return inGroups(spendings, ({ model }) => `${model?.provider}/${model?.model}`).map(
    ([, each]) => ({
      ...modelOf(each),
      count: sum(each, ({ runs }) => runs),
      totals: totalsOf(each),
    }),
  );
}

export function byProvider(spendings: Spendings): UsageOfModel[] {
  return inGroups(spendings, ({ model }) => model?.provider ?? "").map(([, each]) => {
    const { provider } = modelOf(each);
    const count = sum(each, ({ runs }) => runs);
    return { ...(provider !== undefined && { provider }), count, totals: totalsOf(each) };
  });
}

/** Groups are in the order of their first member. */
export function inGroups(
  spendings: Spendings,
  nameOf: (spending: Spending) => string,
): [string, Spending[]][] {
  return [...Map.groupBy(spendings, nameOf)];
}

export function modelOf([first]: Spendings): { provider?: string; model?: string } {
  return first?.model ?? {};
}

function callsOf({ tools }: Spending): number {
  return Object.values(tools).reduce((all, count) => all + count, 0);
}

function sum(spendings: Spendings, of: (spending: Spending) => number): number {
  return spendings.reduce((all, each) => all + of(each), 0);
}
