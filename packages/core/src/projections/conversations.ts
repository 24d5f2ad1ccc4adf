/** Which conversations there are, and the little that lists of them show. Newest activity last. */
import { conversation } from "../conversation/conversation.ts";
import { readMessage } from "../conversation/transcript.ts";
import type { Projection } from "./projection.ts";

export interface ConversationRow {
  readonly key: string;
  readonly handle: string;
  readonly isMain: boolean;
  readonly sessionId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly messages: number;
  readonly preview: string;
}

export interface Conversations extends Projection {
  readonly count: number;
  get(key: string): ConversationRow | undefined;
  /** Latest activity first. */
  list(): readonly ConversationRow[];
}

const PREVIEW_CHARS = 160;
const PREFIX = `${conversation.name}/`;

export function createConversations(): Conversations {
  // A Map keeps insertion order; a row that changes is put at the end, so order is recency.
  let rows = new Map<string, ConversationRow>();

  const put = (row: ConversationRow): void => {
    rows.delete(row.key);
    rows.set(row.key, row);
  };

  return {
    name: "conversations",
    version: 1,
    get count() {
      return rows.size;
    },
    get: (key) => rows.get(key),
    list: () => [...rows.values()].toReversed(),
    apply(entry) {
      if (!entry.stream.startsWith(PREFIX)) return;
      const event = conversation.read(entry);
      if (event.type === "conversation.opened") {
        const { key, handle, isMain, sessionId } = event;
        const times = { createdAt: entry.at, updatedAt: entry.at };
        put({ key, handle, isMain, sessionId, ...times, messages: 0, preview: "" });
        return;
      }
      const row = rows.get(entry.stream.slice(PREFIX.length));
      const message = readMessage(entry);
      if (row === undefined || message === undefined) return;
      put({
        ...row,
        updatedAt: entry.at,
        messages: row.messages + 1,
        preview: message.text.slice(0, PREVIEW_CHARS),
      });
    },
    save: () => [...rows.values()],
    load(saved) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what save() wrote, under the same version
      rows = new Map((saved as ConversationRow[]).map((row) => [row.key, row]));
    },
  };
}
