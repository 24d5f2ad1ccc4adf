/** Which signals one wants to see, as it stands in the address and as the server is asked for it. Pure. */
import { WELL_KNOWN_TYPES } from "@atrium/wire/signal";

export const FILTER_FIELDS = ["type", "source", "agent", "correlationId"] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];
export type Filter = Readonly<Partial<Record<FilterField, string>>>;

/** How many entries of the log one looks back when the page opens. */
const LOOK_BACK = 2_000;

export function readFilter(search: string): Filter {
  const query = new URLSearchParams(search);
  return Object.fromEntries(
    FILTER_FIELDS.flatMap((field) => {
      const value = query.get(field)?.trim() ?? "";
      return value === "" ? [] : [[field, value]];
    }),
  );
}

export function addressOf(filter: Filter): string {
  const query = queryOf(filter).toString();
  return query === "" ? "/signals" : `/signals?${query}`;
}

/** Whether the office itself tells of such; others may bring types of their own. A type that ends in `*` is a beginning. */
export function isKnownType(type: string): boolean {
  return type.endsWith("*")
    ? WELL_KNOWN_TYPES.some((known) => known.startsWith(type.slice(0, -1)))
    : WELL_KNOWN_TYPES.some((known) => known === type);
}

/** Where the stream begins, so that what is older ends before it. */
export function firstEarlier(head: number): string | undefined {
  return head > LOOK_BACK ? `${head - LOOK_BACK + 1}.0` : undefined;
}

const OLDER_PAGE = 500;

export function earlierPath(filter: Filter, before: string): string {
  const query = queryOf(filter);
  query.set("before", before);
  query.set("limit", String(OLDER_PAGE));
  return `/api/signals?${query}`;
}

/** `head` is how far the log is: what is older than a look back is left there, unless one was further already. */
export function streamPath(filter: Filter, head: number, position?: string): string {
  const query = queryOf(filter);
  query.set("after", position ?? String(Math.max(0, head - LOOK_BACK)));
  return `/api/signals/stream?${query}`;
}

function queryOf(filter: Filter): URLSearchParams {
  const query = new URLSearchParams();
  for (const field of FILTER_FIELDS) {
    const value = filter[field]?.trim() ?? "";
    if (value !== "") query.set(field, value);
  }
  return query;
}
