/** Which conversations there are, what is under way in each, and the little that lists of them show. */
import { conversation, defaultSettings } from "../conversation/conversation.ts";
import type {
  AgentSession,
  ConversationEvent,
  ConversationSettings,
} from "../conversation/events.ts";
import { evolveRuns, noRuns, type ActiveRun, type Runs } from "../conversation/run.ts";
import { messageOf } from "../conversation/transcript.ts";
import { addUsage, NOTHING_USED, type Usage } from "../conversation/usage.ts";
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";

export interface ConversationRow {
  readonly key: string;
  readonly agentId: string;
  readonly handle: string;
  readonly isMain: boolean;
  readonly sessionId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly messages: number;
  readonly preview: string;
  /** What its first message said: a name for it until someone gives it a better one. */
  readonly title: string;
  readonly settings: ConversationSettings;
  readonly runs: Runs;
  readonly usage: Usage;
  /** By which the program of its agent knows it; null: it has none, or has not said so. */
  readonly agentSession: AgentSession | null;
  /** How the newest run that has ended did. */
  readonly lastRun: "completed" | "failed" | "aborted" | null;
}

export interface Conversations extends Projection<readonly SavedRow[]> {
  readonly count: number;
  get(key: string): ConversationRow | undefined;
  /** Latest activity first. */
  list(): readonly ConversationRow[];
}

const PREVIEW_CHARS = 160;
const TITLE_CHARS = 60;

export function createConversations(): Conversations {
  // A Map keeps insertion order; a row that changes is put at the end, so order is recency.
  let rows = new Map<string, ConversationRow>();
  const put = (row: ConversationRow): void => {
    rows.delete(row.key);
    rows.set(row.key, row);
  };

  return {
    name: "conversations",
    version: 5,
    get count() {
      return rows.size;
    },
    get: (key) => rows.get(key),
    list: () => [...rows.values()].toReversed(),
    apply(entry) {
      const key = idIn(conversation, entry.stream);
      if (key === undefined) return;
      const event = conversation.read(entry);
      if (event.type === "conversation.opened") {
        const { agentId, handle, isMain, sessionId } = event;
        const times = { createdAt: entry.at, updatedAt: entry.at };
        put({ key, agentId, handle, isMain, sessionId, ...times, ...BLANK });
        return;
      }
      const row = rows.get(key);
      if (row === undefined) return;
      if (event.type === "conversation.deleted") {
        rows.delete(key);
        return;
      }
      const next = change(row, event, entry.at);
      // What only a client keeps with it (read, pinned) is no activity and keeps its place.
      if (event.type === "conversation.patched") rows.set(key, next);
      else put(next);
    },
    save: () => Array.from(rows.values(), toSaved),
    load(saved) {
      rows = new Map(saved.map((row) => [row.key, fromSaved(row)]));
    },
  };
}

/** JSON has no maps. */
type SavedRow = Omit<ConversationRow, "runs"> & {
  readonly runs: Omit<Runs, "active"> & {
    readonly active:
      | (Omit<ActiveRun, "openCalls"> & {
          readonly openCalls: readonly (readonly [callId: string, name: string])[];
        })
      | null;
  };
};

function toSaved(row: ConversationRow): SavedRow {
  const { active, queue } = row.runs;
  if (active === null) return { ...row, runs: { active, queue } };
  return { ...row, runs: { queue, active: { ...active, openCalls: [...active.openCalls] } } };
}

function fromSaved(row: SavedRow): ConversationRow {
  const { active, queue } = row.runs;
  if (active === null) return { ...row, runs: { active, queue } };
  return { ...row, runs: { queue, active: { ...active, openCalls: new Map(active.openCalls) } } };
}

const BLANK = {
  messages: 0,
  preview: "",
  title: "",
  settings: defaultSettings,
  runs: noRuns,
  usage: NOTHING_USED,
  agentSession: null,
  lastRun: null,
} as const;

function change(row: ConversationRow, event: ConversationEvent, at: number): ConversationRow {
  const next = { ...row, ...talk(row, event, at), updatedAt: at };
  switch (event.type) {
    case "conversation.opened":
    case "conversation.deleted":
    case "message.injected":
      return next;
    case "conversation.patched": {
      const { notes, ...settings } = event.changes;
      const kept = { ...row.settings.notes, ...notes };
      return {
        ...next,
        updatedAt: row.updatedAt,
        settings: { ...row.settings, ...settings, notes: kept },
      };
    }
    case "conversation.reset":
      return {
        ...row,
        ...BLANK,
        settings: row.settings,
        runs: row.runs,
        sessionId: event.sessionId,
        updatedAt: at,
      };
    case "run.requested":
    case "run.started":
    case "run.tool.called":
    case "run.tool.returned":
    case "run.delivered":
    case "run.compacted":
    case "run.calls.requested":
    case "run.calls.answered":
    case "run.stopping":
    case "run.merged":
      return { ...next, runs: evolveRuns(row.runs, event) };
    case "run.session.named": {
      const { runtime, session } = event;
      return { ...next, agentSession: { runtime, session } };
    }
    case "run.completed":
    case "run.failed":
    case "run.aborted":
      return {
        ...next,
        runs: evolveRuns(row.runs, event),
        usage: addUsage(row.usage, event.usage),
        lastRun: endings[event.type],
      };
  }
}

const endings = {
  "run.completed": "completed",
  "run.failed": "failed",
  "run.aborted": "aborted",
} as const;

/** What a message changes in the row of its conversation. */
function talk(
  row: ConversationRow,
  event: ConversationEvent,
  at: number,
): Partial<Pick<ConversationRow, "messages" | "preview" | "title">> {
  const message = messageOf(event, at);
  if (message === undefined) return {};
  const messages = row.messages + 1;
  if (message.text === "" || message.kind === "tool-result") return { messages };
  const preview = message.text.slice(0, PREVIEW_CHARS);
  const isFirst = row.title === "" && message.kind === "user";
  const title = isFirst ? message.text.trim().replaceAll(/\s+/g, " ") : row.title;
  return { messages, preview, title: title.slice(0, TITLE_CHARS) };
}
