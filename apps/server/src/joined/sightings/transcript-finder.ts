/**
 * Finds the sessions of a program that keeps no list of those that run: its transcripts, each with a process of the
 * program that works in the transcript's folder. Without such a process a transcript is of a session that is over.
 */
import { realpathSync } from "node:fs";
import type { Clock } from "@atrium/core";
import type { RunningProcess, SeenSession, SessionFinder } from "./seen-session.ts";
import { NO_NEWS, type FoldNews, type SessionNews } from "./transcripts/session-news.ts";
import {
  createTranscriptTail,
  type TailedState,
  type TranscriptTail,
} from "./transcripts/transcript-tail.ts";

export interface FoundTranscript {
  readonly path: string;
  /** Where the program says so elsewhere than in the transcript. */
  readonly folder?: string;
}

export interface TranscriptProgram {
  /** Its folder, out of which no link leads. */
  readonly root: string;
  readonly fold: FoldNews;
  /** Those that something was written to since. */
  readonly list: (since: number) => Promise<readonly FoundTranscript[]>;
}

/** With the other looks only what is known already is read. */
const LOOKS_PER_LISTING = 5;
/** Boot time and start are told in whole seconds and hundredths. */
const START_BLUR_MS = 2_000;
/** Someone who was turned down or interrupted may write nothing more. */
const MAX_QUIET_WORK_MS = 10 * 60_000;

interface Candidate {
  readonly news: SessionNews & { readonly sessionId: string };
  readonly folder: string;
  readonly modifiedAt: number;
}

export function createTranscriptFinder(program: TranscriptProgram, clock: Clock): SessionFinder {
  const tails = new Map<string, FoundTranscript & { readonly tail: TranscriptTail<SessionNews> }>();
  let before = "";
  let looks = 0;

  async function list(processes: readonly RunningProcess[]): Promise<void> {
    const present = processes.map(({ identity }) => identity).join();
    if (present === before && looks++ % LOOKS_PER_LISTING !== 0) return;
    before = present;
    const since = Math.min(...processes.map(({ startedAt }) => startedAt)) - START_BLUR_MS;
    const listed = await program.list(since);
    const paths = new Set(listed.map(({ path }) => path));
    for (const path of tails.keys()) if (!paths.has(path)) tails.delete(path);
    for (const found of listed) {
      if (tails.has(found.path)) continue;
      const place = { root: program.root, path: found.path };
      const tail = createTranscriptTail(place, NO_NEWS, program.fold);
      tails.set(found.path, { ...found, tail });
    }
  }

  async function read(): Promise<readonly Candidate[]> {
    const found: Candidate[] = [];
    for (const { folder, tail } of tails.values()) {
      const candidate = candidateIn(await tail.look(), folder);
      if (candidate !== undefined) found.push(candidate);
    }
    return found.toSorted((one, other) => other.modifiedAt - one.modifiedAt);
  }

  return {
    async look(findRunning) {
      const processes = findRunning();
      if (processes.length === 0) {
        tails.clear();
        before = "";
        return [];
      }
      await list(processes);
      return attribute(await read(), processes, clock.now());
    },
    close: () => tails.clear(),
  };
}

function candidateIn(
  tailed: TailedState<SessionNews> | undefined,
  folder: string | undefined,
): Candidate | undefined {
  if (tailed === undefined) return undefined;
  const { state: news, modifiedAt } = tailed;
  const { sessionId, isOther, isOver } = news;
  const where = news.folder ?? folder;
  if (sessionId === undefined || where === undefined || isOther || isOver) return undefined;
  return { news: { ...news, sessionId }, folder: where, modifiedAt };
}

/** To each process the newest transcript of its folder that no other has, written since it was started. */
function attribute(
  candidates: readonly Candidate[],
  processes: readonly RunningProcess[],
  now: number,
): readonly SeenSession[] {
  const left = new Set(candidates);
  const latestFirst = processes.toSorted((one, other) => other.startedAt - one.startedAt);
  return latestFirst.flatMap(({ folder, startedAt, identity }) => {
    const mine = left
      .values()
      .find(
        (each) => each.modifiedAt >= startedAt - START_BLUR_MS && isSameFolder(each.folder, folder),
      );
    if (mine === undefined) return [];
    left.delete(mine);
    const { news, modifiedAt } = mine;
    const isQuiet = now - modifiedAt > MAX_QUIET_WORK_MS;
    const activity = isQuiet ? "idle" : news.activity;
    return [{ ...news, folder: mine.folder, activity, heardAt: modifiedAt, process: identity }];
  });
}

function isSameFolder(path: string, real: string): boolean {
  if (path === real) return true;
  try {
    return realpathSync(path) === real;
  } catch {
    return false;
  }
}
