/**
 * One bridge connection, from its first frame to its end.
 *
 *   waiting --hello--> in --> ended
 *      \                \
 *       `--anything else, wrong token, unknown session--> closed with the reason
 *
 * It knows the order of frames; what they do is the business of the bridge session it belongs to, which
 * may have had other connections before.
 */
import { Fault, type Clock } from "@atrium/core";
import { CLOSE } from "@atrium/wire";
import {
  BRIDGE_CLOSE,
  type FrameReader,
  type Hello,
  type PluginFrame,
  type ServerFrame,
  UnreadableFrame,
} from "@atrium/wire/bridge";
import type { AuthAttempts } from "../../../access/auth-attempts.ts";
import type { Timers } from "../../../platform/timers.ts";
import type { Peer, PeerSession } from "../../../sockets/peer.ts";
import type { BridgeSession, PluginConnection } from "../sessions/bridge-session.ts";
import type { BridgeSessions } from "../sessions/bridge-sessions.ts";
import { BridgeToolCalls, type ToolCallLimits } from "../sessions/tool-calls.ts";
import { PluginHeartbeat } from "./heartbeat.ts";

export interface PluginSessionDeps {
  readonly sessions: Pick<BridgeSessions, "find">;
  readonly attempts: AuthAttempts;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: ToolCallLimits & { readonly bridgePingIntervalMs: number };
  readonly report: (fault: Fault) => void;
}

interface Inside {
  readonly session: BridgeSession;
  readonly heartbeat: PluginHeartbeat;
  readonly calls: BridgeToolCalls;
}

/** A plugin of another version may say things we do not know; one that says nothing else is broken. */
const MAX_BAD_FRAMES = 50;
const SECOND_HELLO = new UnreadableFrame("hello is only valid as the first frame");

export class PluginSession implements PeerSession, PluginConnection {
  readonly #peer: Peer;
  readonly #deps: PluginSessionDeps;
  readonly #read: FrameReader<PluginFrame>;
  #inside: Inside | undefined;
  #isEnded = false;
  #badFrames = 0;

  constructor(peer: Peer, deps: PluginSessionDeps, read: FrameReader<PluginFrame>) {
    this.#peer = peer;
    this.#deps = deps;
    this.#read = read;
  }

  receive(text: string): void {
    if (this.#isEnded) return;
    try {
      this.#handle(text);
    } catch (cause) {
      this.#deps.report(new Fault("the bridge threw", { peer: this.#peer.id }, cause));
      this.end(CLOSE.tryLater, "internal error");
    }
  }

  #handle(text: string): void {
    const frame = this.#read(text);
    if (this.#inside === undefined) this.#begin(frame);
    else if (frame instanceof UnreadableFrame) this.#complain(frame, this.#inside);
    else this.#take(frame, text.length, this.#inside);
  }

  closed(): void {
    this.#leave("the connection to the plugin ended");
  }

  send(frame: ServerFrame): void {
    if (!this.#isEnded) this.#peer.send(JSON.stringify(frame));
  }

  ping(): void {
    this.#inside?.heartbeat.ping();
  }

  pingSoon(): void {
    this.#inside?.heartbeat.pingSoon();
  }

  end(code: number, reason: string): void {
    if (this.#isEnded) return;
    this.#leave(reason);
    this.#peer.close(code, reason);
  }

  #begin(frame: PluginFrame | UnreadableFrame): void {
    if (frame instanceof UnreadableFrame) {
      return this.end(BRIDGE_CLOSE.notHello, `the first frame must be a hello: ${frame.problem}`);
    }
    if (frame.type !== "hello") {
      return this.end(BRIDGE_CLOSE.notHello, `the first frame must be a hello, not ${frame.type}`);
    }
    const { attempts, sessions } = this.#deps;
    const { address } = this.#peer;
    const found = sessions.find(frame.openclaw_session, frame.token);
    if (typeof found !== "string") return this.#enter(found, frame);
    const waitMs = attempts.failed(address, "bridge");
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      return this.end(CLOSE.tryLater, `too many wrong tokens; try again in ${seconds} s`);
    }
    const reason = found === "unknown" ? "no such session is open" : "wrong token for this session";
    return this.end(BRIDGE_CLOSE.unwelcome, reason);
  }

  #enter(session: BridgeSession, hello: Hello): void {
    const { clock, timers, limits, report } = this.#deps;
    const send = (frame: ServerFrame): void => this.send(frame);
    this.#inside = {
      session,
      heartbeat: new PluginHeartbeat({
        // As the plugin is told: it does not learn of another one before it comes again.
        intervalMs: limits.bridgePingIntervalMs,
        clock,
        timers,
        send,
        mark: () => session.mark(this),
        onDead: () => this.end(BRIDGE_CLOSE.silent, "two pings went unanswered"),
      }),
      calls: new BridgeToolCalls({ limits, timers, send, report }),
    };
    const { conversationKey } = session.binding;
    const { address, isLocal } = this.#peer;
    this.#peer.admit({ credential: { kind: "run", conversationKey }, address, isLocal });
    session.connected(this, hello);
  }

  #take(frame: PluginFrame, size: number, inside: Inside): void {
    const { session, heartbeat, calls } = inside;
    switch (frame.type) {
      case "hello":
        return this.#complain(SECOND_HELLO, inside);
      case "tool_call": {
        if (!calls.isUnderWay(frame.call_id)) return calls.begin(frame, size, session.binding);
        const problem = `tool_call: ${JSON.stringify(frame.call_id)} is under way already`;
        return this.#complain(new UnreadableFrame(problem), inside);
      }
      case "permission_request":
        return session.onPermissionRequest(this, frame);
      case "ping":
        return this.send({ type: "pong", ts: frame.ts });
      case "pong":
        return heartbeat.pong(frame);
    }
  }

  /** There is no frame that says no, so whoever runs the server is told; but a call is always answered. */
  #complain({ problem, value }: UnreadableFrame, { session, calls }: Inside): void {
    const callId = callIdOf(value);
    if (callId !== undefined && !calls.isUnderWay(callId)) calls.fail(callId, problem);
    const { conversationKey: conversation } = session.binding;
    this.#badFrames += 1;
    if (this.#badFrames === 1) {
      const what = "a plugin sent a frame that cannot be used";
      this.#deps.report(new Fault(what, { conversation, problem }));
    }
    if (this.#badFrames < MAX_BAD_FRAMES) return;
    this.end(BRIDGE_CLOSE.tooManyBadFrames, `too many bad frames; the last: ${problem}`);
  }

  #leave(reason: string): void {
    this.#isEnded = true;
    const inside = this.#inside;
    if (inside === undefined) return;
    this.#inside = undefined;
    inside.heartbeat.stop();
    inside.calls.abort(reason);
    inside.session.disconnected(this);
  }
}

/** Of a tool call that is wrong in some other way. */
function callIdOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("type" in value)) return undefined;
  if (value.type !== "tool_call" || !("call_id" in value)) return undefined;
  const { call_id: callId } = value;
  return typeof callId === "string" && callId !== "" && callId.length <= 256 ? callId : undefined;
}
