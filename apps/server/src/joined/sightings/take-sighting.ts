/** One session that was seen, taken in: put into the log where it is news, and its tool shown. */
import {
  isSameSession,
  joinedSession,
  type Clock,
  type Dispatch,
  type JoinedSessionRow,
  type JoinedSessions,
  type SessionDetails,
} from "@atrium/core";
import { cleanText } from "../../platform/clean-text.ts";
import { MAX_SESSIONS_HERE } from "../arrivals.ts";
import { describeTool, sessionKey } from "../hook-report.ts";
import type { LiveSessions } from "../live-sessions.ts";
import type { SeenSession } from "./seen-session.ts";

export interface TakeSightingDeps {
  readonly dispatch: Dispatch;
  readonly sessions: Pick<JoinedSessions, "get" | "list">;
  readonly live: LiveSessions;
  /** Whose files these are. */
  readonly owner: string | null;
  readonly mask: (value: unknown) => unknown;
  readonly clock: Clock;
  /** The name of this node; undefined where there is no other. */
  readonly node?: string | undefined;
}

/** What it is called here; undefined where it is left to its own reports, or not shown. */
export type TakeSighting = (program: string, seen: SeenSession) => Promise<string | undefined>;

const MAX_ID_CHARS = 200;
const MAX_NAME_CHARS = 200;
const MAX_FOLDER_CHARS = 1_000;
/** What a program writes while it ends comes after it has said that it ends. */
const ENDING_MS = 10_000;

export function createTakeSighting(deps: TakeSightingDeps): TakeSighting {
  const { dispatch, sessions, live, clock, node } = deps;

  const lineOf = (text: string | null, most: number): string | null => {
    const line = cleanText(String(deps.mask((text ?? "").slice(0, most))));
    return line === "" ? null : line;
  };

  function detailsOf(program: string, seen: SeenSession): SessionDetails {
    return {
      program,
      model: lineOf(seen.model, MAX_NAME_CHARS),
      owner: deps.owner,
      folder: lineOf(seen.folder, MAX_FOLDER_CHARS),
      branch: lineOf(seen.branch, MAX_NAME_CHARS),
      process: seen.process,
      canAsk: false,
      source: "transcript",
      ...(node !== undefined && { node }),
    };
  }

  function isWelcome(row: JoinedSessionRow | undefined, { heardAt }: SeenSession): boolean {
    const isReported = row !== undefined && row.details.source !== "transcript";
    // What another node sees, of the same files perhaps, is its own.
    if (row?.isHere === true) return !isReported && row.details.node === node;
    // One that has said good-bye is not seen again by what it wrote before.
    if (isReported && heardAt < (row.leftAt ?? row.heardAt) + ENDING_MS) return false;
    return sessions.list().length < MAX_SESSIONS_HERE;
  }

  return async (program, seen) => {
    const { sessionId, activity, tool, heardAt } = seen;
    if (sessionId.length > MAX_ID_CHARS) return undefined;
    const id = sessionKey(program, sessionId);
    const row = sessions.get(id);
    if (!isWelcome(row, seen)) return undefined;
    const details = detailsOf(program, seen);
    const isKnown =
      row?.isHere === true && row.activity === activity && isSameSession(row.details, details);
    if (!isKnown) await dispatch(joinedSession, id, { type: "sight", details, activity });
    const doing = tool === null ? null : describeTool(tool, deps.mask);
    live.see(id, { heardAt: Math.min(heardAt, clock.now()), doing });
    return id;
  };
}
