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
  readonly mask: (value: unknown) => unknown;
  /** The name of this node; undefined where there is no other. */
  readonly node?: string | undefined;
}

/** Beyond it, someone may be filling the office. */
export const MAX_SESSIONS_HERE = 64;

/** False where it stays outside. */
export async function welcome(
  { dispatch, sessions, mask, node }: ArrivalDeps,
  id: string,
  told: SessionDetails,
): Promise<boolean> {
  const details = { ...withoutSecrets(told, mask), ...(node !== undefined && { node }) };
  const row = sessions.get(id);
  const isHere = row?.isHere === true;
  if (isHere && isSameSession(row.details, details)) return true;
  if (!isHere && sessions.list().length >= MAX_SESSIONS_HERE) return false;
  return (await dispatch(joinedSession, id, { type: "join", details })).ok;
}

/** Programs say what they were told. */
function withoutSecrets(details: SessionDetails, mask: ArrivalDeps["mask"]): SessionDetails {
  const safe = (text: string | null): string | null => (text === null ? null : String(mask(text)));
  const { model, owner, folder, branch } = details;
  const place = { folder: safe(folder), branch: safe(branch) };
  return { ...details, ...place, model: safe(model), owner: safe(owner) };
}
