/** Lets sessions in: once each, and not more than anyone has open. */
import {
  isSameSession,
  joinedSession,
  type Dispatch,
  type JoinedSessions,
  type SessionDetails,
} from "@atrium/core";

export interface ArrivalDeps {
  readonly dispatch: Dispatch;
  readonly sessions: JoinedSessions;
}

/** Beyond it, someone may be filling the office. */
const MAX_SESSIONS_HERE = 64;

/** False where it stays outside. */
export async function welcome(
  { dispatch, sessions }: ArrivalDeps,
  id: string,
  details: SessionDetails,
): Promise<boolean> {
  const row = sessions.get(id);
  const isHere = row?.isHere === true;
  if (isHere && isSameSession(row.details, details)) return true;
  if (!isHere && sessions.list().length >= MAX_SESSIONS_HERE) return false;
  return (await dispatch(joinedSession, id, { type: "join", details })).ok;
}
