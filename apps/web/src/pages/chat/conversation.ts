/**
 * One conversation in a store: what was said, and what is being said right now. The history is the truth; events only
 * say that there is more of it, and carry the words that are not in it yet.
 */
import type { EventPayloads } from "@atrium/client";
import type { ChatAttachment } from "@atrium/wire/gateway";
import { createStore, type StoreApi } from "zustand/vanilla";
import { messageOf } from "../../app/feedback/error-text.ts";
import type { GatewayConnection } from "../../app/server/gateway-connection.ts";
import type { AttachedFile } from "../../ui/files/attached-files.ts";
import { History, UNREAD, type HistoryView } from "./history.ts";
import { textOf } from "./transcript.ts";

export interface StreamingAnswer {
  readonly text: string;
  /** The tool it uses at the moment. */
  readonly tool: string | undefined;
}

export interface ConversationView extends HistoryView {
  /** By run. */
  readonly streaming: ReadonlyMap<string, StreamingAnswer>;
  /** Runs that were heard to be stopped. */
  readonly stopped: ReadonlySet<string>;
}

export interface Conversation {
  readonly store: StoreApi<ConversationView>;
  readEarlier(): Promise<void>;
  /** Each resolves with why not, or undefined. */
  send(text: string, files?: readonly AttachedFile[]): Promise<string | undefined>;
  stop(): Promise<string | undefined>;
  close(): void;
}

export function openConversation(line: GatewayConnection, sessionKey: string): Conversation {
  const store = createStore<ConversationView>(() => ({
    ...UNREAD,
    streaming: new Map(),
    stopped: new Set(),
  }));
  const history = new History(line, sessionKey, (view) => store.setState(view));
  const closers = listen(line, store, history);
  void history.read();
  return {
    store,
    readEarlier: () => history.readEarlier(),
    send: (message, files = []) =>
      attempt(async () => {
        const attachments = files.map(toAttachment);
        const more = attachments.length > 0 ? { attachments } : {};
        await line.call("chat.send", { sessionKey, message, ...more });
        await history.read();
      }),
    stop: () => attempt(() => line.call("chat.abort", { sessionKey })),
    close() {
      for (const close of closers) close();
    },
  };
}

export function toAttachment({ name, mediaType, bytes, data }: AttachedFile): ChatAttachment {
  return { fileName: name, mimeType: mediaType, sizeBytes: bytes, content: data };
}

function listen(
  line: GatewayConnection,
  store: StoreApi<ConversationView>,
  history: History,
): readonly (() => void)[] {
  const setSaying = (
    runId: string,
    change: (before: StreamingAnswer) => StreamingAnswer | undefined,
  ): void =>
    store.setState(({ streaming }) => {
      const next = new Map(streaming);
      const answer = change(next.get(runId) ?? { text: "", tool: undefined });
      if (answer === undefined) next.delete(runId);
      else next.set(runId, answer);
      return { streaming: next };
    });
  const hearChat = async (chat: EventPayloads["chat"]): Promise<void> => {
    if (chat.sessionKey !== history.key) return;
    switch (chat.state) {
      case "status":
        setSaying(chat.runId, (before) => before);
        break;
      case "delta":
        setSaying(chat.runId, ({ tool }) => ({ text: textOf(chat.message), tool }));
        break;
      case "final":
      case "aborted":
      case "error":
        if (chat.state === "aborted") {
          store.setState(({ stopped }) => ({ stopped: new Set([...stopped, chat.runId]) }));
        }
        // Until the whole is there, what was heard of it stays.
        await history.read();
        setSaying(chat.runId, () => undefined);
    }
  };
  return [
    line.onEvent("chat", (chat) => void hearChat(chat)),
    line.onEvent("agent", ({ runId, stream, data }) => {
      if (stream !== "tool" || !store.getState().streaming.has(runId)) return;
      const { phase, name } = data;
      const tool = phase === "start" && typeof name === "string" ? name : undefined;
      setSaying(runId, ({ text }) => ({ text, tool }));
    }),
    line.onEvent("session.message", (message) => {
      if (message.sessionKey === history.key) void history.read();
    }),
    line.onGap(() => void history.read()),
    line.onState(({ state }) => {
      if (state !== "ready") return;
      store.setState({ streaming: new Map() });
      void history.read();
    }),
  ];
}

async function attempt(run: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
