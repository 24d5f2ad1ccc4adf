/**
 * Wakes idle sessions of Qwen Code with what people have left for them, once their user has run `atrium join qwen --wake`.
 *
 *   idle, and it has an inbox -> connected -> offered, in the log -> sent -> receipt -> delivered, or turned away
 *
 * What was offered goes to that process alone, and no hook takes it. Without a receipt the same is sent again, also by a
 * server that was started again: the program knows the message by its id, takes it once and repeats its receipt. One
 * message at a time is under way. Nothing here approves anything: how a session treats what it is told is its own.
 */
import { createHmac } from "node:crypto";
import { join } from "node:path";
import {
  BoundedMap,
  joinedSession,
  type Clock,
  type Dispatch,
  type JoinedSessionCommand,
  type JoinedSessionRow,
  type LeftMessage,
} from "@atrium/core";
import { KeyedQueue } from "../../platform/keyed-queue.ts";
import { repeatAfter, type Timers } from "../../platform/timers.ts";
import { inWords, type LeftMessages } from "../left-messages.ts";
import type { LiveSessions } from "../live-sessions.ts";
import type { OwnSessions } from "../own-sessions.ts";
import { readGrant, type ControllerGrant } from "./controller-grant.ts";
import { connectInbox, type InboxConnection } from "./inbox-connection.ts";
import { encodeMessage, msgIdOf, type Receipt } from "./peer-frames.ts";
import { openReceiptSocket, type ReceiptSocket } from "./receipt-socket.ts";
import { findInbox, MAX_SOCKET_PATH_BYTES, type SessionInbox } from "./session-inbox.ts";

export interface SessionWakerDeps {
  readonly dispatch: Dispatch;
  /** Of this node: the sockets of others are not here. */
  readonly own: Pick<OwnSessions, "list">;
  readonly live: Pick<LiveSessions, "setWakeable">;
  readonly messages: Pick<LeftMessages, "takeOne">;
  readonly homeFolder: string;
  readonly identityOf: (pid: number) => string | undefined;
  /** What the tokens of receipts are made of; new with each start. */
  readonly receiptSecret: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onFault: (cause: unknown) => void;
}

/** What was sent, until it is known for good what became of it. */
interface SentMessage {
  readonly id: string;
  readonly messageId: string;
  readonly tries: number;
  /** When it is sent again without a receipt. */
  readonly dueAt: number;
  /** It has its receipt, and may still be given up unread. */
  readonly isTaken: boolean;
}

/** A session, and how it is reached. */
interface Target {
  readonly id: string;
  readonly inbox: SessionInbox;
  readonly grant: ControllerGrant;
  readonly from: string;
}

const PROGRAM = "qwen";
const LOOK_EVERY_MS = 2_000;
const FIRST_RETRY_MS = 10_000;
const MAX_RETRY_MS = 5 * 60_000;
const MAX_SENT = 500;

export class SessionWaker implements AsyncDisposable {
  readonly #deps: SessionWakerDeps;
  readonly #queue = new KeyedQueue();
  /** By the id that the program knows. */
  readonly #sent = new BoundedMap<string, SentMessage>(MAX_SENT);
  readonly #looking: Disposable;
  #receipts: Promise<ReceiptSocket | undefined> | undefined;
  readonly #closing = new AbortController();

  constructor(deps: SessionWakerDeps) {
    this.#deps = deps;
    this.#looking = repeatAfter(
      deps.timers,
      LOOK_EVERY_MS,
      async () => {
        await Promise.all(this.#sessions().map(({ id }) => this.#attendNext(id)));
      },
      deps.onFault,
    );
  }

  /** Something about the session has changed. */
  look(id: string): void {
    if (this.#session(id) !== undefined) this.#attendNext(id).catch(this.#deps.onFault);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#looking[Symbol.dispose]();
    await this.#queue.idle();
    const receipts = await this.#receipts;
    await receipts?.[Symbol.asyncDispose]();
  }

  #sessions(): readonly JoinedSessionRow[] {
    return this.#deps.own
      .list()
      .filter(({ details }) => details.program === PROGRAM && details.source === undefined);
  }

  #session(id: string): JoinedSessionRow | undefined {
    return this.#sessions().find((row) => row.id === id);
  }

  #attendNext(id: string): Promise<void> {
    return this.#queue.run(id, () => this.#attend(id));
  }

  async #attend(id: string): Promise<void> {
    const before = this.#session(id);
    if (before === undefined || this.#closing.signal.aborted) return;
    const target = await this.#findTarget(before);
    // It may have changed meanwhile.
    const row = this.#session(id);
    if (row === undefined) return;
    const isOpen = ({ delivered, offered }: LeftMessage): boolean =>
      delivered === null && offered?.process === row.details.process;
    const open = row.messages.filter((each) => isOpen(each));
    const canWake = target !== undefined && row.activity === "idle" && open.length === 0;
    this.#deps.live.setWakeable(id, canWake);
    if (target === undefined) return;
    if (canWake) await this.#offerNext(target);
    for (const message of open) await this.#sendAgain(target, message);
  }

  /** Undefined: it cannot be woken now. */
  async #findTarget(row: JoinedSessionRow): Promise<Target | undefined> {
    const { homeFolder, identityOf } = this.#deps;
    const from = receiptPath(homeFolder);
    const grant = await readGrant(homeFolder);
    if (grant === undefined || Buffer.byteLength(from) > MAX_SOCKET_PATH_BYTES) return undefined;
    const inbox = await findInbox(row, { folder: grant.folder, identityOf });
    if (inbox === undefined) return undefined;
    this.#receipts ??= this.#openReceipts(from);
    if ((await this.#receipts) === undefined) return undefined;
    return { id: row.id, inbox, grant, from };
  }

  /** Undefined: it cannot be opened in this home, which is said once. */
  async #openReceipts(path: string): Promise<ReceiptSocket | undefined> {
    const { timers, onFault } = this.#deps;
    try {
      return await openReceiptSocket(path, timers, {
        tokenOf: (msgId) => this.#replyTokenOf(msgId),
        onReceipt: (receipt) => {
          this.#take(receipt).catch(onFault);
        },
      });
    } catch (cause) {
      onFault(cause);
      return undefined;
    }
  }

  /** What waits, if it still waits once there is a connection to hand it over by. */
  async #offerNext(target: Target): Promise<void> {
    const { messages, dispatch, live } = this.#deps;
    const { id, inbox } = target;
    const next = messages.takeOne(id);
    if (next === undefined) return;
    try {
      using connection = await this.#connect(target);
      if (connection === undefined) return live.setWakeable(id, false);
      const { messageId } = next.message;
      const offer = { type: "offer-message", messageId, process: inbox.process } as const;
      const offered = await dispatch(joinedSession, id, offer);
      if (offered.ok) await this.#send(target, next.message, connection);
    } finally {
      next.release();
    }
  }

  async #sendAgain(target: Target, message: LeftMessage): Promise<void> {
    const sent = this.#sent.get(msgIdOf(target.id, message.messageId));
    if (sent !== undefined && this.#deps.clock.now() < sent.dueAt) return;
    using connection = await this.#connect(target);
    if (connection !== undefined) await this.#send(target, message, connection);
  }

  #connect({ inbox }: Target): Promise<InboxConnection | undefined> {
    return connectInbox(inbox.path, this.#deps.timers, this.#closing.signal);
  }

  async #send(target: Target, message: LeftMessage, connection: InboxConnection): Promise<void> {
    const { id, inbox, grant, from } = target;
    const { messageId, offered } = message;
    const msgId = msgIdOf(id, messageId);
    // One that was offered before may have been sent by a server that is gone.
    const earlier = this.#sent.get(msgId)?.tries ?? (offered === undefined ? 0 : 1);
    const wait = Math.min(FIRST_RETRY_MS * 2 ** earlier, MAX_RETRY_MS);
    const dueAt = this.#deps.clock.now() + wait;
    this.#sent.set(msgId, { id, messageId, tries: earlier + 1, dueAt, isTaken: false });
    const replyToken = this.#replyTokenOf(msgId);
    const { sessionId: toSessionId } = inbox;
    const text = inWords([message]);
    const peer = { msgId, from, replyToken, toSessionId, text };
    await connection.send(encodeMessage(grant.token, peer));
  }

  async #take({ msgId, status }: Receipt): Promise<void> {
    const sent = this.#sent.get(msgId);
    if (sent === undefined) return;
    const { messageId } = sent;
    switch (status) {
      case "held":
        // Its user is asked in the terminal, and another receipt follows.
        return;
      case "delivered":
        if (sent.isTaken) return;
        this.#sent.set(msgId, { ...sent, isTaken: true });
        return this.#tell(sent, {
          type: "deliver-messages",
          messageIds: [messageId],
          moment: "wake",
        });
      case "misaddressed":
      case "dropped":
        // Of one that was sent twice they may be about the second, and the first was read.
        if (sent.tries > 1) return;
        break;
      case "denied":
      case "refused":
      case "expired":
    }
    this.#sent.delete(msgId);
    await this.#tell(sent, { type: "turn-away-message", messageId, why: status });
  }

  async #tell({ id }: SentMessage, command: JoinedSessionCommand): Promise<void> {
    await this.#deps.dispatch(joinedSession, id, command);
  }

  /** One for each, so that no session can speak for another. */
  #replyTokenOf(msgId: string): string {
    return createHmac("sha256", this.#deps.receiptSecret).update(msgId).digest("hex");
  }
}

function receiptPath(homeFolder: string): string {
  return join(homeFolder, "joined", "qwen.sock");
}
