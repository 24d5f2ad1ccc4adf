/** What a copy of a chain has beside the tables of a log file. */

/** The name in `meta` under which the copy keeps how long keys are remembered. */
export const RETENTION = "keyRetentionMs";

export const LINK_TABLES = `
  begin immediate;

  create table if not exists links (
    n integer primary key,
    hash text not null,
    kind text not null,
    life text not null,
    first integer not null,
    last integer not null,
    newest real not null,
    bytes blob
  );
  create index if not exists links_by_last on links (last, n);
  create index if not exists erasures on links (n) where kind = 'erase';

  create table if not exists ticks (
    life text primary key,
    counter integer not null
  ) without rowid;

  commit;
`;
