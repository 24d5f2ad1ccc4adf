/** Reads a conversation's history: the newest page, then what has come since, and earlier pages. */
import type { CallResult } from "@atrium/client";
import type { ChatMessage } from "@atrium/wire/gateway";
import type { GatewayConnection } from "../../app/server/gateway-connection.ts";
import { joinMessages } from "./transcript.ts";

export interface HistoryView {
  readonly messages: readonly ChatMessage[];
  readonly isLoaded: boolean;
  /** Where the page before the oldest message begins; undefined: there is none. */
  readonly earlierOffset: number | undefined;
  readonly isBusy: boolean;
}

export const UNREAD: HistoryView = {
  messages: [],
  isLoaded: false,
  earlierOffset: undefined,
  isBusy: false,
};

const PAGE = 40;

export class History {
  readonly #line: Pick<GatewayConnection, "call">;
  readonly #sessionKey: string;
  readonly #show: (view: HistoryView) => void;
  #view = UNREAD;
  #key: string;
  #cursor: string | undefined;
  #reading: Promise<void> | undefined;
  #isAgain = false;

  constructor(
    line: Pick<GatewayConnection, "call">,
    sessionKey: string,
    show: (view: HistoryView) => void,
  ) {
    this.#line = line;
    this.#sessionKey = sessionKey;
    this.#key = sessionKey;
    this.#show = show;
  }

  /** As events call the conversation, which one may open by a shorter name. */
  get key(): string {
    return this.#key;
  }

  /** What has come since; asked for in the middle of it, it goes once more. */
  read(): Promise<void> {
    this.#isAgain = true;
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  async readEarlier(): Promise<void> {
    const { earlierOffset: offset } = this.#view;
    if (offset === undefined) return;
    this.#change({ earlierOffset: undefined });
    const page = await this.#line.call("chat.history", {
      sessionKey: this.#sessionKey,
      limit: PAGE,
      offset,
    });
    this.#change({
      messages: joinMessages(page.messages, this.#view.messages),
      earlierOffset: page.nextOffset,
    });
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#isAgain) {
        this.#isAgain = false;
        await this.#readOnce();
      }
    } catch {
      // The connection went: it is read again when it is back.
    } finally {
      this.#reading = undefined;
    }
  }

  async #readOnce(): Promise<void> {
    const page = await this.#line.call("chat.history", {
      sessionKey: this.#sessionKey,
      ...(this.#cursor === undefined ? { limit: PAGE } : { cursor: this.#cursor }),
    });
    this.#cursor = page.deltaCursor;
    if (page.kind === "reset") {
      this.#cursor = undefined;
      this.#isAgain = true;
    } else {
      this.#take(page);
    }
  }

  #take(page: CallResult<"chat.history">): void {
    this.#key = page.sessionInfo?.key ?? this.#key;
    const isWhole = page.kind === undefined;
    const { messages, earlierOffset } = this.#view;
    this.#change({
      messages: isWhole ? page.messages : joinMessages(messages, page.messages),
      isLoaded: true,
      isBusy: page.sessionInfo?.hasActiveRun === true,
      earlierOffset: isWhole ? page.nextOffset : earlierOffset,
    });
  }

  #change(change: Partial<HistoryView>): void {
    this.#view = { ...this.#view, ...change };
    this.#show(this.#view);
  }
}
