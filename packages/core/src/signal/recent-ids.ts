/**
 * The ids that came last, so that what is sent again counts once. Immutable: adding gives a new one
 * that shares most of the old.
 *
 * Held in a few sets, newest first and each larger than the one before it, so that neither adding one id
 * nor asking for one costs as much as there are ids.
 */
export type RecentIds = readonly ReadonlySet<string>[];

export const noIds: RecentIds = [];

/** At least so many are remembered, and no more than twice as many. */
export const REMEMBERED_IDS = 2_048;

export function isRecent(recent: RecentIds, id: string): boolean {
  return recent.some((ids) => ids.has(id));
}

export function remember(recent: RecentIds, ids: Iterable<string>): RecentIds {
  let newest: ReadonlySet<string> = new Set(ids);
  if (newest.size === 0) return recent;
  let merged = 0;
  for (const older of recent) {
    if (older.size > newest.size || older.size + newest.size > REMEMBERED_IDS) break;
    newest = older.union(newest);
    merged++;
  }
  const sets = [newest, ...recent.slice(merged)];
  let total = sets.reduce((sum, { size }) => sum + size, 0);
  for (;;) {
    const oldest = sets.at(-1)?.size ?? 0;
    if (total - oldest < REMEMBERED_IDS) return sets;
    sets.pop();
    total -= oldest;
  }
}
