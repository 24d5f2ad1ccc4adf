/** Finds the sessions of a program that keeps a list of those that run, and a transcript of each. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, SessionActivity } from "@atrium/core";
import { numberIn, textIn, type Fields } from "../../agents/turn/json-fields.ts";
import { processIn, readRegistryFile, registryFolder, statusIn } from "./registry-file.ts";
import type { SeenSession, SessionFinder } from "./seen-session.ts";
import { NO_NEWS, type FoldNews, type SessionNews } from "./transcripts/session-news.ts";
import {
  createTranscriptTail,
  type TailedState,
  type TranscriptTail,
} from "./transcripts/transcript-tail.ts";

export interface RegistryProgram {
  /** Its folder, out of which no link leads. */
  readonly root: string;
  readonly fold: FoldNews;
  /** Where the transcripts are within the folder of a project. */
  readonly chats: string;
}

export interface RegistryDeps {
  readonly identityOf: (pid: number) => string | undefined;
  readonly isOfAgents: (pid: number) => boolean;
  readonly clock: Clock;
}

type Tail = TranscriptTail<SessionNews>;

/** What a file of the list says. */
interface RegisteredSession {
  readonly sessionId: string;
  readonly process: string;
  readonly folder: string | null;
  readonly activity: SessionActivity | undefined;
  readonly updatedAt: number;
}

const REGISTERED = /^\d{1,10}\.json$/;
/** It becomes part of a path. */
const SESSION_ID = /^[\w-]{1,100}$/;
const MAX_REGISTERED = 200;
/** A session that was asked nothing has no transcript, and there may be hundreds of projects. */
const LOOKS_PER_SEARCH = 5;
/** Its process is there and says that it works, so it is heard of; not with every look, for all would be told. */
const HEARD_EVERY_MS = 30_000;

export function createRegistryFinder(program: RegistryProgram, deps: RegistryDeps): SessionFinder {
  const { root } = program;
  const tails = new Map<string, Tail>();
  let looks = 0;

  async function list(): Promise<readonly RegisteredSession[]> {
    const names = await readdir(registryFolder(root)).catch(() => []);
    const files = names.filter((name) => REGISTERED.test(name)).slice(0, MAX_REGISTERED);
    const all = await Promise.all(files.map((name) => readRegistryFile(root, name)));
    return all.flatMap((fields) => {
      const session = readRegistered(fields, deps);
      return session === undefined ? [] : [session];
    });
  }

  /** Where its folder's name leads; with some looks, anywhere: the name of a long path is made otherwise. */
  async function findTail(session: RegisteredSession): Promise<Tail | undefined> {
    const known = tails.get(session.sessionId);
    if (known !== undefined) return known;
    const named = (session.folder ?? "").replaceAll(/[^a-zA-Z0-9]/g, "-");
    const isThorough = looks % LOOKS_PER_SEARCH === 1;
    const projects = join(root, "projects");
    const others = isThorough ? await readdir(projects).catch(() => []) : [];
    for (const project of [named, ...others]) {
      const path = join(projects, project, program.chats, `${session.sessionId}.jsonl`);
      const tail = createTranscriptTail({ root, path }, NO_NEWS, program.fold);
      if ((await tail.look()) === undefined) continue;
      tails.set(session.sessionId, tail);
      return tail;
    }
    return undefined;
  }

  return {
    async look() {
      looks += 1;
      const listed = await list();
      const ids = new Set(listed.map(({ sessionId }) => sessionId));
      for (const id of tails.keys()) if (!ids.has(id)) tails.delete(id);
      const seen: SeenSession[] = [];
      for (const session of listed) {
        const tail = await findTail(session);
        seen.push(describe(session, await tail?.look(), deps.clock.now()));
      }
      return seen;
    },
    close: () => tails.clear(),
  };
}

function readRegistered(
  fields: Fields,
  { identityOf, isOfAgents }: RegistryDeps,
): RegisteredSession | undefined {
  const pid = numberIn(fields, "pid");
  const sessionId = textIn(fields, "sessionId") ?? "";
  const process = processIn(fields);
  const isSpare = fields["spare"] !== undefined;
  if (!SESSION_ID.test(sessionId) || isSpare || identityOf(pid) !== process) return undefined;
  if (isOfAgents(pid)) return undefined;
  return {
    sessionId,
    process,
    folder: textIn(fields, "cwd") ?? null,
    activity: statusIn(fields),
    updatedAt: numberIn(fields, "statusUpdatedAt") || numberIn(fields, "startedAt"),
  };
}

function describe(
  { sessionId, process, folder, activity: told, updatedAt }: RegisteredSession,
  tailed: TailedState<SessionNews> | undefined,
  now: number,
): SeenSession {
  const news = tailed?.state ?? NO_NEWS;
  const activity = told ?? news.activity;
  const writtenAt = Math.min(now, Math.max(updatedAt, tailed?.modifiedAt ?? 0));
  const isHeard = told !== undefined && told !== "idle";
  return {
    sessionId,
    process,
    folder: folder ?? news.folder,
    branch: news.branch,
    model: news.model,
    activity,
    tool: activity === "idle" ? null : news.tool,
    heardAt: isHeard ? Math.max(writtenAt, now - (now % HEARD_EVERY_MS)) : writtenAt,
  };
}
