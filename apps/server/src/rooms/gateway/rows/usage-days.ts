/** The days of a usage request, and the day of a time, both in the requested time zone. */
import { accept, refuse, type Outcome } from "@atrium/core";
import type { UsageDays } from "@atrium/wire/gateway";

export interface DayRange {
  /** Both included, as `YYYY-MM-DD`. */
  readonly first: string;
  readonly last: string;
  readonly dayOf: (at: number) => string;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const RANGES: Readonly<Record<string, number>> = { "7d": 7, "30d": 30, "90d": 90, "1y": 365 };
const OFFSET = /^UTC([+-])(\d{1,2})(?::(\d{2}))?$/;
const BEGINNING = "0000-01-01";

export function rangeOfDays(query: UsageDays, now: number): Outcome<DayRange> {
  const dayOf = dayIn(zoneOf(query));
  if (dayOf === undefined) return refuse("params.invalid", "unknown timeZone or utcOffset");
  const count = query.days ?? RANGES[query.range ?? ""] ?? DEFAULT_DAYS;
  const earliest = query.range === "all" ? BEGINNING : dayOf(now - (count - 1) * DAY_MS);
  const { startDate: first = earliest, endDate: last = dayOf(now) } = query;
  return accept({ first, last, dayOf });
}

export function isWithin({ first, last, dayOf }: DayRange, at: number): boolean {
  const day = dayOf(at);
  return day >= first && day <= last;
}

/** Undefined: the server's time zone. */
function zoneOf({ mode = "utc", timeZone, utcOffset }: UsageDays): string | undefined {
  if (mode === "gateway") return undefined;
  if (mode === "utc") return "UTC";
  if (timeZone !== undefined) return timeZone;
  const [, sign = "+", hours = "0", minutes = "00"] = OFFSET.exec(utcOffset ?? "") ?? [];
  return `${sign}${hours.padStart(2, "0")}:${minutes}`;
}

function dayIn(timeZone: string | undefined): ((at: number) => string) | undefined {
  try {
    const days = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
    return (at) => days.format(at);
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}
