/** Finds the sessions of opencode: in its database, which is opened for reading only, beside the program that writes it. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "@atrium/core";
import { parseFields, textIn, type Fields } from "../../agents/turn/json-fields.ts";
import type { RunningProcess, SeenSession, SessionFinder } from "./seen-session.ts";

/** Someone who looks must not wait for someone who writes. */
const BUSY_TIMEOUT_MS = 50;
const START_BLUR_MS = 2_000;
const MAX_QUIET_WORK_MS = 10 * 60_000;
const MAX_DATA_CHARS = 1_000_000;

const SESSIONS = `
  SELECT id, directory, time_updated AS updatedAt,
    CASE WHEN json_valid(model) THEN json_extract(model, '$.id') END AS model
  FROM session WHERE directory = ? AND time_updated >= ? AND parent_id IS NULL
  ORDER BY time_updated DESC LIMIT 20`;
/** Without what was said: only how the newest message stands. */
const NEWEST_MESSAGE = `
  SELECT time_updated AS updatedAt, json_extract(data, '$.role') AS role,
    json_extract(data, '$.time.completed') AS completed, json_extract(data, '$.finish') AS finish,
    json_extract(data, '$.modelID') AS model, json_extract(data, '$.error.name') AS error
  FROM message WHERE session_id = ? AND length(data) < ${MAX_DATA_CHARS} AND json_valid(data)
  ORDER BY time_created DESC, id DESC LIMIT 1`;
const RUNNING_TOOL = `
  SELECT json_extract(data, '$.tool') AS name, json_extract(data, '$.state.input') AS input
  FROM part WHERE session_id = ? AND length(data) < ${MAX_DATA_CHARS} AND json_valid(data)
    AND json_extract(data, '$.type') = 'tool'
    AND json_extract(data, '$.state.status') IN ('pending', 'running')
    AND time_updated >= ?
  ORDER BY time_created DESC LIMIT 1`;

export function createOpencodeFinder(file: string, clock: Clock): SessionFinder {
  let database: DatabaseSync | undefined;

  function close(): void {
    database?.close();
    database = undefined;
  }

  function open(): DatabaseSync | undefined {
    if (database === undefined && existsSync(file)) {
      database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    }
    return database;
  }

  function read(
    from: DatabaseSync,
    session: Fields,
    { identity }: RunningProcess,
  ): SeenSession | undefined {
    const sessionId = textIn(session, "id");
    if (sessionId === undefined) return undefined;
    const message: Fields = from.prepare(NEWEST_MESSAGE).get(sessionId) ?? {};
    const heardAt = Math.max(timeIn(session), timeIn(message));
    const since = heardAt - MAX_QUIET_WORK_MS;
    const isBusy = clock.now() - heardAt < MAX_QUIET_WORK_MS && isWorking(message);
    const tool: Fields | undefined = isBusy
      ? from.prepare(RUNNING_TOOL).get(sessionId, since)
      : undefined;
    return {
      sessionId,
      folder: textIn(session, "directory") ?? null,
      branch: null,
      model: textIn(message, "model") ?? textIn(session, "model") ?? null,
      activity: isBusy ? "working" : "idle",
      tool: tool === undefined ? null : toolIn(tool),
      heardAt,
      process: identity,
    };
  }

  function find(from: DatabaseSync, processes: readonly RunningProcess[]): readonly SeenSession[] {
    const taken = new Set<unknown>();
    return processes.flatMap((process) => {
      const rows: Fields[] = from
        .prepare(SESSIONS)
        .all(process.folder, process.startedAt - START_BLUR_MS);
      const mine = rows.find(({ id }) => !taken.has(id));
      if (mine === undefined) return [];
      taken.add(mine["id"]);
      return read(from, mine, process) ?? [];
    });
  }

  return {
    async look(findRunning) {
      const processes = findRunning();
      if (processes.length === 0) {
        close();
        return [];
      }
      try {
        const from = open();
        return from === undefined ? [] : find(from, processes);
      } catch {
        // Another version has other tables, and what is no database is none of opencode's.
        close();
        return [];
      }
    },
    close,
  };
}

function isWorking(message: Fields): boolean {
  if (textIn(message, "role") === "user") return true;
  if (textIn(message, "role") !== "assistant" || typeof message["error"] === "string") return false;
  return message["completed"] === null || textIn(message, "finish") === "tool-calls";
}

function toolIn(tool: Fields): SeenSession["tool"] {
  return { name: textIn(tool, "name") ?? "", input: parseFields(textIn(tool, "input") ?? "") };
}

function timeIn(row: Fields): number {
  const at = row["updatedAt"];
  return typeof at === "number" ? at : 0;
}
