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
import type { ErrorDetailBudget } from "./error-detail-budget.ts";
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
  readonly errorBudget: Pick<ErrorDetailBudget, "allowsDetail" | "isExhausted">;
}

export function openSession<Frame extends object, Who extends SessionCaller>(
  peer: Pick<Peer, "send" | "close">,
  protocol: SessionProtocol<Frame>,
  caller: Who,
  call: CallMethod<Who>,
): PeerSession {
  return new SessionLoop(peer, protocol, caller, call);
}

/** A class, because there is one for each connection: closures would cost each of them memory. */
class SessionLoop<Frame extends object, Who extends SessionCaller> implements PeerSession {
  readonly #peer: Pick<Peer, "send" | "close">;
  readonly #protocol: SessionProtocol<Frame>;
  readonly #caller: Who;
  readonly #call: CallMethod<Who>;
  #isClosed = false;

  constructor(
    peer: Pick<Peer, "send" | "close">,
    protocol: SessionProtocol<Frame>,
    caller: Who,
    call: CallMethod<Who>,
  ) {
    this.#peer = peer;
    this.#protocol = protocol;
    this.#caller = caller;
    this.#call = call;
  }

  receive(text: string): void | Promise<void> {
    if (this.#isClosed) return undefined;
    const caller = this.#caller;
    const frame = this.#protocol.read(text, () => caller.errorBudget.allowsDetail());
    if (frame instanceof UnreadableMessage) {
      this.#send(frame.id, undefined, refuse("frame.malformed", frame.problem));
      return this.#closeIfExhausted();
    }
    const routed = this.#protocol.route(frame);
    const outcome = this.#call(routed.method, routed.params, caller, routed);
    if (outcome instanceof Promise) return outcome.then((done) => this.#reply(routed, done));
    this.#reply(routed, outcome);
    return outcome.ok ? undefined : this.#closeIfExhausted();
  }

  closed(): void {
    this.#isClosed = true;
  }

  #reply({ id, method }: RoutedFrame, outcome: Outcome<unknown>): void {
    if (!outcome.ok || !(outcome.value instanceof DeferredResult)) {
      return this.#send(id, method, outcome);
    }
    const { accepted, finished } = outcome.value;
    this.#send(id, method, accept(accepted));
    void finished.then((done) => this.#send(id, method, done));
  }

  #send(id: string | undefined, method: string | undefined, done: Outcome<unknown>): void {
    const text = this.#isClosed ? undefined : this.#protocol.encode(id, method, done);
    if (text !== undefined) this.#peer.send(text);
  }

  #closeIfExhausted(): void {
    const { code, reason } = this.#protocol.tooManyErrors;
    if (this.#caller.errorBudget.isExhausted) this.#peer.close(code, reason);
  }
}
