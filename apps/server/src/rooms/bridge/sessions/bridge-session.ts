/**
 * One conversation tied to one Claude Code process, whether its plugin is connected or not.
 *
 *   deliver, replyPermission --> kept until proven --> the line (a connected plugin) --> Claude
 *   the binding's callbacks <------------------------- the line
 *
 * It outlives its connections: what is said while there is none is kept, up to a limit, and follows in
 * order. It knows nothing of sockets; a line is whatever can carry frames.
 */
import { Fault } from "@atrium/core";
import { CLOSE } from "@atrium/wire";
import {
  BRIDGE_CLOSE,
  type BridgePermissionRequest,
  type Hello,
  type HelloAck,
  type InboundMessage,
  type PermissionReply,
  type ServerFrame,
} from "@atrium/wire/bridge";
import { UnconfirmedFrames } from "../outbound/unconfirmed-frames.ts";
import { Permissions, type Behavior, type BridgePermission } from "./permissions.ts";
import type { ToolOwner } from "./tool-calls.ts";

export type BridgeMessage = Omit<InboundMessage, "type">;

/** `overflow`: too many were waiting. `closed`: the session ended before it could be delivered. */
export interface DroppedMessage {
  readonly reason: "overflow" | "closed";
  /** It was sent, and the connection ended before there was proof that it arrived. */
  readonly mayHaveArrived: boolean;
}

export interface ConnectedPlugin {
  readonly pid: number;
  /** What the plugin says it is; Claude Code may have begun another session since. */
  readonly claudeSession: string;
}

/** What a session is opened for, and who hears of it. `tools` is read whenever a plugin says hello. */
export interface BridgeBinding extends ToolOwner {
  readonly conversationKey: string;
  readonly claudeSession: string;
  /** More for `session_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** For a program that someone starts by hand and that must find back after a restart; else random. */
  readonly token?: string;
  onPermissionRequest(request: BridgePermission): void;
  onDropped(message: BridgeMessage, drop: DroppedMessage): void;
  onConnected?(plugin: ConnectedPlugin): void;
  onDisconnected?(): void;
}

export interface PluginConnection {
  send(frame: ServerFrame): void;
  /** Asks for proof of what was sent. */
  ping(): void;
  /** The same, unless the question is open already. */
  pingSoon(): void;
  end(code: number, reason: string): void;
}

export interface SessionRules {
  readonly limits: { readonly bridgeBuffer: number; readonly bridgePingIntervalMs: number };
  readonly report: (fault: Fault) => void;
}

interface Kept<Frame> {
  readonly frame: Frame;
  wasWritten: boolean;
}

const MAX_REPLIES = 256;
const FRAMES_PER_PING = 16;

export class BridgeSession {
  readonly binding: BridgeBinding;
  /** What to start Claude Code with, so that its plugin finds the way here. Holds the token. */
  readonly env: Readonly<Record<string, string>>;
  readonly #rules: SessionRules;
  readonly #onClosed: () => void;
  readonly #messages: UnconfirmedFrames<Kept<InboundMessage>>;
  readonly #replies = new UnconfirmedFrames<Kept<PermissionReply>>(() => MAX_REPLIES);
  readonly #permissions = new Permissions();
  #line: PluginConnection | undefined;
  #isClosed = false;
  #dropped = 0;
  #sincePing = 0;

  constructor(
    binding: BridgeBinding,
    env: Readonly<Record<string, string>>,
    rules: SessionRules,
    onClosed: () => void,
  ) {
    this.binding = binding;
    this.env = env;
    this.#rules = rules;
    this.#onClosed = onClosed;
    this.#messages = new UnconfirmedFrames(() => rules.limits.bridgeBuffer);
  }

  get isConnected(): boolean {
    return this.#line !== undefined;
  }

  deliver(message: BridgeMessage): void {
    const frame: InboundMessage = { type: "inbound_message", ...message };
    if (this.#isClosed) {
      this.#drop([{ frame, wasWritten: false }], "closed");
      return;
    }
    this.#messages.add({ frame, wasWritten: false });
    if (this.#line === undefined) this.#drop(this.#messages.trim(), "overflow");
    else this.#flush(this.#line);
  }

  /** Taken back, if it has not been sent on the line that is there; one that is gone may have had it. */
  withdraw(requestId: string): void {
    this.#messages.remove(({ frame }) => frame.request_id === requestId);
  }

  replyPermission(id: string, behavior: Behavior): void {
    if (this.#isClosed) return;
    this.#permissions.answer(id, behavior);
    const frame: PermissionReply = { type: "permission_reply", request_id: id, behavior };
    this.#replies.add({ frame, wasWritten: false });
    if (this.#line === undefined) this.#replies.trim();
    else this.#flush(this.#line);
  }

  /** Ends the session for good: its token is worth nothing any more, and what waits is reported lost. */
  close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClosed();
    this.#line?.end(CLOSE.normal, reason);
    this.#drop(this.#messages.clear(), "closed");
    this.#replies.clear();
  }

  /** A plugin has proven itself: it is the line now, and an earlier one is not. */
  connected(line: PluginConnection, hello: Hello): void {
    const earlier = this.#line;
    this.#line = line;
    this.#messages.rewind();
    this.#replies.rewind();
    earlier?.end(BRIDGE_CLOSE.replaced, "replaced by a newer connection of this session");
    line.send(this.#acknowledge());
    this.#flush(line);
    if (this.#dropped > 1) this.#warn("messages were dropped while the plugin was away");
    this.#dropped = 0;
    const { pid, claude_session: claudeSession } = hello;
    this.#notify(() => this.binding.onConnected?.({ pid, claudeSession }));
  }

  disconnected(line: PluginConnection): void {
    if (this.#line !== line) return;
    this.#line = undefined;
    this.#messages.rewind();
    this.#replies.rewind();
    this.#notify(() => this.binding.onDisconnected?.());
  }

  onPermissionRequest(line: PluginConnection, frame: BridgePermissionRequest): void {
    const known = this.#permissions.ask(frame);
    if (known === undefined) return;
    const { request_id: id, tool, args, rationale = "" } = frame;
    if (known !== "new") {
      line.send({ type: "permission_reply", request_id: id, behavior: known });
      return;
    }
    this.#notify(() => this.binding.onPermissionRequest({ id, tool, args, rationale }));
  }

  /** Where things stand now; called back when it is proven that the plugin has got that far. */
  mark(line: PluginConnection): () => void {
    this.#sincePing = 0;
    const messages = this.#messages.mark;
    const replies = this.#replies.mark;
    return () => {
      this.#messages.prove(messages);
      this.#replies.prove(replies);
      if (this.#messages.hasUnproven || this.#replies.hasUnproven) line.pingSoon();
    };
  }

  #acknowledge(): HelloAck {
    const { conversationKey, claudeSession, meta, tools } = this.binding;
    return {
      type: "hello_ack",
      tools: tools.map(({ name, description, input }) => {
        return { name, description, inputSchema: input, input_schema: input };
      }),
      session_meta: {
        ...meta,
        openclaw_session: conversationKey,
        claude_session: claudeSession,
        ping_interval_ms: this.#rules.limits.bridgePingIntervalMs,
      },
    };
  }

  #flush(line: PluginConnection): void {
    for (const kept of [this.#messages, this.#replies]) {
      for (let next = kept.takeNext(); next !== undefined; next = kept.takeNext()) {
        next.wasWritten = true;
        line.send(next.frame);
        // Not only when the last one is answered: a connection that does not last proves what it carried.
        if (++this.#sincePing >= FRAMES_PER_PING) line.ping();
        else line.pingSoon();
      }
    }
  }

  #drop(lost: readonly Kept<InboundMessage>[], reason: DroppedMessage["reason"]): void {
    if (lost.length === 0) return;
    const isFirst = this.#dropped === 0;
    this.#dropped += lost.length;
    // One line when it begins and one when it is over: a journal full of them helps nobody.
    if (reason === "closed") this.#warn("messages were not delivered before their session ended");
    else if (isFirst) this.#warn("the oldest message for a plugin that is away was dropped");
    for (const { frame, wasWritten } of lost) {
      const { type: _type, ...message } = frame;
      this.#notify(() => this.binding.onDropped(message, { reason, mayHaveArrived: wasWritten }));
    }
  }

  #warn(what: string): void {
    const { conversationKey: conversation } = this.binding;
    this.#rules.report(new Fault(what, { conversation, dropped: this.#dropped }));
  }

  /** What others do when they are told must not end what is done here. */
  #notify(callback: () => void): void {
    try {
      callback();
    } catch (cause) {
      const { conversationKey: conversation } = this.binding;
      this.#rules.report(new Fault("a bridge callback threw", { conversation }, cause));
    }
  }
}
