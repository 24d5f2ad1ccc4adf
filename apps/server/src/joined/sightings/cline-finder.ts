/** Finds the sessions of Cline: one file says whose each is, another one, which is rewritten whole, what was said. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@atrium/core";
import {
  fieldsOf,
  listOf,
  numberIn,
  parseFields,
  textIn,
  type Fields,
} from "../../agents/turn/json-fields.ts";
import type { RunningProcess, SeenSession, SessionFinder } from "./seen-session.ts";
import { readInside } from "./transcripts/transcript-tail.ts";

/** They are named after the time they began at; older ones are over, or were given up. */
const MAX_SESSIONS = 100;
const SESSION_ID = /^[\w-]{1,100}$/;
const MAX_ABOUT_BYTES = 256 * 1024;
const MAX_MESSAGES_BYTES = 4 * 1024 * 1024;
const MAX_QUIET_WORK_MS = 10 * 60_000;
const GOING_ON: ReadonlySet<string> = new Set(["starting", "running", "idle", "pending"]);

/** What was said last, as far as it tells what the session does. */
type Conversation = Pick<SeenSession, "activity" | "tool"> & { readonly updatedAt: number };

interface ReadConversation {
  readonly writtenAt: number;
  readonly conversation: Conversation;
}

export function createClineFinder(root: string, clock: Clock): SessionFinder {
  const sessions = join(root, "data", "sessions");
  /** By session: what it was when it was last written. */
  const known = new Map<string, ReadConversation>();

  async function read(
    id: string,
    processes: readonly RunningProcess[],
  ): Promise<SeenSession | undefined> {
    const text = await readInside(root, join(sessions, id, `${id}.json`), MAX_ABOUT_BYTES);
    const about = parseFields(text ?? "") ?? {};
    const pid = numberIn(about, "pid");
    const process = processes.find(({ pids }) => pids.includes(pid));
    if (process === undefined || !GOING_ON.has(textIn(about, "status") ?? "")) return undefined;
    const { updatedAt, activity, tool } = await readConversation(id);
    const heardAt = Math.max(process.startedAt, updatedAt);
    // What a person talks to runs while nobody has asked it for anything, too.
    const isWorking =
      about["interactive"] === false ||
      (activity === "working" && clock.now() - heardAt < MAX_QUIET_WORK_MS);
    return {
      sessionId: id,
      folder: textIn(about, "cwd") ?? null,
      branch: textIn(fieldsOf(fieldsOf(about["metadata"])["git"]), "branch") ?? null,
      model: textIn(about, "model") ?? null,
      activity: isWorking ? "working" : "idle",
      tool: isWorking ? tool : null,
      heardAt,
      process: process.identity,
    };
  }

  async function readConversation(id: string): Promise<Conversation> {
    const path = join(sessions, id, `${id}.messages.json`);
    const writtenAt = await lstat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    const before = known.get(id);
    if (before?.writtenAt === writtenAt) return before.conversation;
    const text = await readInside(root, path, MAX_MESSAGES_BYTES);
    const conversation = conversationIn(parseFields(text ?? "") ?? {});
    known.set(id, { writtenAt, conversation });
    return conversation;
  }

  return {
    async look(findRunning) {
      const processes = findRunning();
      if (processes.length === 0) {
        known.clear();
        return [];
      }
      const names = await readdir(sessions).catch(() => []);
      const ids = names.filter((name) => SESSION_ID.test(name)).toSorted();
      const found = await Promise.all(ids.slice(-MAX_SESSIONS).map((id) => read(id, processes)));
      return found.filter((each) => each !== undefined);
    },
    close: () => known.clear(),
  };
}

function conversationIn(fields: Fields): Conversation {
  const last = listOf(fields["messages"]).at(-1) ?? {};
  const use = listOf(last["content"]).findLast((part) => textIn(part, "type") === "tool_use");
  const isSaid = textIn(last, "role") === "assistant" && use === undefined;
  return {
    updatedAt: Date.parse(textIn(fields, "updated_at") ?? "") || 0,
    activity: isSaid || textIn(last, "role") === undefined ? "idle" : "working",
    tool: use === undefined ? null : { name: textIn(use, "name") ?? "", input: use["input"] },
  };
}
