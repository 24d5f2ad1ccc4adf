/**
 * One connection whose peer is in, the same for every room:
 *
 *   text -> read -> route -> call (method-router.ts) -> encode -> peer
 *               \                  \
 *                `------------------`-> a refusal; after too many of them a close
 *
 * A room gives the protocol and the methods. How a peer comes in is the room's own: it opens this
 * session when the handshake is over.
 */
import { accept, refuse, type Outcome } from "@atrium/core";
import type { Peer, PeerSession } from "../sockets/peer.ts";
import { DeferredResult, type Caller, type CallMethod, type FrameOrigin } from "./method-router.ts";

/** A class, since a peer may send any member. */
export class UnreadableMessage {
  readonly problem: string;
  readonly id: string | undefined;

  constructor(problem: string, id?: string) {
    this.problem = problem;
    this.id = id;
  }
}

export interface RoutedFrame extends FrameOrigin {
  readonly method: string;
  readonly params: unknown;
}

export interface SessionProtocol<Frame extends object> {
  /** `mayExplain`: whether one more detailed error is in order; asked only when something is wrong. */
  read(text: string, mayExplain: () => boolean): Frame | UnreadableMessage;
  route(frame: Frame): RoutedFrame;
  /** Undefined: nothing is sent. A frame that cannot be read has no method. */
  encode(
    id: string | undefined,
    method: string | undefined,
    outcome: Outcome<unknown>,
  ): string | undefined;
  readonly tooManyErrors: { readonly code: number; readonly reason: string };
}

export interface SessionCaller extends Caller {
  /** So many errors went unexplained that the connection is closed. */
  readonly isExhausted: boolean;
}

export function openSession<Frame extends object, Who extends SessionCaller>(
  peer: Pick<Peer, "send" | "close">,
  protocol: SessionProtocol<Frame>,
  caller: Who,
  call: CallMethod<Who>,
): PeerSession {
  let isClosed = false;

  function send(id: string | undefined, method: string | undefined, done: Outcome<unknown>): void {
    const text = isClosed ? undefined : protocol.encode(id, method, done);
    if (text !== undefined) peer.send(text);
  }

  function reply({ id, method }: RoutedFrame, outcome: Outcome<unknown>): void {
    if (!outcome.ok || !(outcome.value instanceof DeferredResult)) return send(id, method, outcome);
    const { accepted, finished } = outcome.value;
    send(id, method, accept(accepted));
    void finished.then((done) => send(id, method, done));
  }

  function closeIfExhausted(): void {
    const { code, reason } = protocol.tooManyErrors;
    if (caller.isExhausted) peer.close(code, reason);
  }

  return {
    receive(text) {
      if (isClosed) return undefined;
      const frame = protocol.read(text, () => caller.allowsErrorDetail());
      if (frame instanceof UnreadableMessage) {
        send(frame.id, undefined, refuse("frame.malformed", frame.problem));
        return closeIfExhausted();
      }
      const routed = protocol.route(frame);
      const outcome = call(routed.method, routed.params, caller, routed);
      if (outcome instanceof Promise) return outcome.then((done) => reply(routed, done));
      reply(routed, outcome);
      return outcome.ok ? undefined : closeIfExhausted();
    },
    closed: () => void (isClosed = true),
  };
}
