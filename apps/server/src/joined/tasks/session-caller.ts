/**
 * Which joined session calls: the one whose process has started the caller, else one that this process serves, else the
 * only one in the caller's folder.
 */
import {
  accept,
  refuse,
  type JoinedSessionRow,
  type JoinedSessions,
  type Outcome,
} from "@atrium/core";

export interface CallerClaim {
  /** The process that has started the caller. */
  readonly pid: number | null;
  readonly folder: string | null;
}

export interface SessionCallerDeps {
  readonly sessions: Pick<JoinedSessions, "list">;
  readonly identityOf: (pid: number) => string | undefined;
}

export type FindCaller = (claim: CallerClaim) => Outcome<string>;

export function createFindCaller({ sessions, identityOf }: SessionCallerDeps): FindCaller {
  return ({ pid, folder }) => {
    const process = pid === null ? undefined : identityOf(pid);
    const here = sessions.list();
    // A program may begin another session in the same process; the newest is the one that calls.
    const own = here.findLast(({ details }) => details.process === process);
    if (process !== undefined && own !== undefined) return accept(own.id);
    const isThere = ({ details }: JoinedSessionRow): boolean =>
      folder !== null && details.folder === folder;
    const served = here.filter(
      ({ details }) => process !== undefined && details.servedBy === process,
    );
    if (served.length === 1) return found(served);
    const strangers = here.filter(({ details }) => details.process === null);
    return found((served.length > 0 ? served : strangers).filter(isThere));
  };
}

/** None of several is guessed. */
function found([only, ...others]: readonly JoinedSessionRow[]): Outcome<string> {
  const isKnown = only !== undefined && others.length === 0;
  return isKnown ? accept(only.id) : refuse("joined-session.unknown");
}
