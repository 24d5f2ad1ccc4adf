/**
 * Which joined sessions this node looks after: those whose hooks, or files, are on its machine. Processes and hooks of
 * other nodes are not seen from here. With one node it is all of them.
 */
import type { JoinedSessionRow, JoinedSessions } from "@atrium/core";

export interface OwnSessions {
  readonly list: () => readonly JoinedSessionRow[];
  readonly has: (id: string) => boolean;
}

/** `node`: the name of this one; undefined where there is no other. */
export function createOwnSessions(
  sessions: Pick<JoinedSessions, "get" | "list">,
  node: string | undefined,
): OwnSessions {
  const isOwn = ({ details }: JoinedSessionRow): boolean =>
    node === undefined || details.node === node;
  return {
    list: () => sessions.list().filter(isOwn),
    has(id) {
      const row = sessions.get(id);
      return row === undefined ? node === undefined : isOwn(row);
    },
  };
}
