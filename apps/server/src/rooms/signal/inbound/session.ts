/**
 * One connection to `/ws/signals`, from the door to its end.
 *
 *   outside --token at the door, or hello--> in --> ended
 *
 * Coming in is decided here; what follows goes through the session loop. A signal may come in an `emit` or by itself. Inside, one subscription at a time: catching up with the past, then one of those who want the same. Signals that are
 * emitted are answered when they are durable; a source that is too fast is answered, and read, later.
 */
import { accept, Fault, refuse, type Outcome } from "@atrium/core";
import { CLOSE, MAX_JSON_DEPTH } from "@atrium/wire";
import type { SignalFilter } from "@atrium/wire/signal";
import { isAuthFailure, type Authenticate } from "../../../access/authenticate.ts";
import type { Principal } from "../../../access/principal.ts";
import { ErrorDetailBudget } from "../../../pipeline/error-detail-budget.ts";
import type { CallMethod } from "../../../pipeline/method-router.ts";
import {
  openSession,
  UnreadableMessage,
  type SessionProtocol,
} from "../../../pipeline/session-loop.ts";
import { catchUp } from "../../../platform/catch-up.ts";
import type { Timers } from "../../../platform/timers.ts";
import type { Peer, PeerSession } from "../../../sockets/peer.ts";
import { createMatcher } from "../outbound/filter.ts";
import type { SignalHub, SignalItem } from "../outbound/hub.ts";
import { lastCompleteSeq, parsePosition, type SignalPosition } from "../translate/position.ts";
import {
  encodeFrame,
  TOO_BIG,
  type SignalCaller,
  type SignalFrame,
  type SignalReply,
} from "./protocol.ts";
import { MAX_SIGNALS, type SignalReceiver } from "./signal-receiver.ts";

export interface SignalSessionDeps {
  readonly hub: SignalHub;
  readonly receiver: SignalReceiver;
  readonly protocol: SessionProtocol<SignalFrame>;
  readonly call: CallMethod<SignalCaller>;
  readonly authenticate: Authenticate;
  readonly epoch: string;
  readonly now: () => number;
  readonly timers: Timers;
  readonly report: (fault: Fault) => void;
}

const DOOR = "signals";
/** So much of the past is sent before it is seen whether the peer takes it. */
const AHEAD_CHARACTERS = 256 * 1024;

export class SignalSession implements PeerSession, SignalCaller {
  readonly scopes: ReadonlySet<string> = new Set();
  readonly #peer: Peer;
  readonly #deps: SignalSessionDeps;
  readonly errorBudget: ErrorDetailBudget;
  #principal: Principal | undefined;
  #loop: PeerSession | undefined;
  #isEnded = false;
  #unsubscribe: (() => void) | undefined;
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(peer: Peer, deps: SignalSessionDeps) {
    this.#peer = peer;
    this.#deps = deps;
    this.errorBudget = new ErrorDetailBudget(deps.now);
    // Whoever shows nothing may still say it; where nothing is asked for, there is nothing to say.
    const { address, isLocal, shown } = peer;
    const principal = deps.authenticate({ address, isLocal, door: DOOR, shown });
    if (!isAuthFailure(principal)) this.#enter(undefined, principal);
    else if (shown !== undefined) this.#deny(undefined, principal.reason);
  }

  receive(text: string): void | Promise<void> {
    if (this.#isEnded) return undefined;
    return this.#loop === undefined ? this.#greet(text) : this.#loop.receive(text);
  }

  closed(): void {
    this.#isEnded = true;
    this.#loop?.closed();
    this.unsubscribe();
  }

  get principal(): Principal {
    if (this.#principal === undefined) throw new Fault("a call before the client was in");
    return this.#principal;
  }

  #greet(text: string): void {
    const read = this.#deps.protocol.read(text, () => this.errorBudget.allowsDetail());
    if (read instanceof UnreadableMessage) {
      this.#reply(read.id, refuse("frame.malformed", read.problem));
      return read.problem === TOO_BIG ? undefined : this.#end("too many bad frames");
    }
    const { frame } = read;
    if (frame.type !== "hello") {
      return this.#deny(frame.id, "the first frame must be a hello with the token");
    }
    const token = frame.auth?.token;
    const { address, isLocal } = this.#peer;
    const principal = this.#deps.authenticate({
      address,
      isLocal,
      door: DOOR,
      shown: token === undefined ? undefined : { kind: "token", token },
    });
    if (isAuthFailure(principal)) return this.#deny(frame.id, principal.reason);
    return this.#enter(frame.id, principal);
  }

  #enter(id: string | undefined, principal: Principal): void {
    this.#principal = principal;
    this.#peer.admit(principal);
    const peer = {
      send: (text: string): void => this.#peer.send(text),
      close: (_code: number, reason: string): void => this.#end(reason),
    };
    this.#loop = openSession(peer, this.#deps.protocol, this, this.#deps.call);
    this.#reply(id, this.welcome());
  }

  welcome(): Outcome<SignalReply> {
    const { epoch, hub } = this.#deps;
    return accept({ type: "welcome", epoch, position: String(hub.seq) });
  }

  subscribe({ frame }: SignalFrame<"subscribe">): Outcome<undefined> {
    const { id, filter = {}, after, epoch } = frame;
    const { hub } = this.#deps;
    const from = after === undefined ? { seq: hub.seq, index: Infinity } : parsePosition(after);
    if (from === undefined) return refuse("frame.malformed", `${after} is not a position`);
    const isOurs = epoch === undefined || epoch === this.#deps.epoch;
    if (!isOurs || !hub.isKnown(from)) return refuse("position.foreign", after);
    this.unsubscribe();
    this.#reply(id, accept({ type: "subscribed", position: after ?? String(hub.seq) }));
    if (after === undefined) {
      this.#unsubscribe = hub.join(this.#peer, filter);
      return accept(undefined);
    }
    const left = new AbortController();
    this.#unsubscribe = () => left.abort();
    this.#catchUp(filter, from, left).catch((cause: unknown) => {
      this.#deps.report(new Fault("signals could not be told", {}, cause));
      this.#reply(id, refuse("internal"));
    });
    return accept(undefined);
  }

  unsubscribe(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  async emit({ frame, size }: SignalFrame<"emit">): Promise<Outcome<SignalReply>> {
    const { signal } = frame;
    const { receiver } = this.#deps;
    const isMany = Array.isArray(signal);
    const values: readonly unknown[] = isMany ? signal : [signal];
    if (values.length === 0) return refuse("signals.none");
    if (values.length > MAX_SIGNALS) return refuse("signals.many", `no more than ${MAX_SIGNALS}`);
    const { signals, rejected } = receiver.check(values, MAX_JSON_DEPTH - (isMany ? 2 : 1));
    const accepted = signals.length;
    const emitted = { type: "emitted", accepted, rejected };
    if (rejected.length > 0 && !this.errorBudget.allowsDetail() && this.errorBudget.isExhausted) {
      this.#end("too many bad signals");
      return accept(emitted);
    }
    await this.#turn(receiver.reserve(signals));
    const taken = await receiver.take(signals, size);
    return taken.ok ? accept(emitted) : taken;
  }

  async #catchUp(filter: SignalFilter, from: SignalPosition, left: AbortController): Promise<void> {
    const { hub } = this.#deps;
    const peer = this.#peer;
    const wants = createMatcher(filter);
    let ahead = 0;
    const take = ({ seq, signals }: SignalItem): void => {
      for (const [index, { signal, frame }] of signals.entries()) {
        if ((seq === from.seq && index <= from.index) || !wants(signal)) continue;
        ahead += frame.length;
        peer.send(frame);
      }
    };
    const room = async (): Promise<void> => {
      if (ahead < AHEAD_CHARACTERS) return;
      ahead = 0;
      await peer.room();
    };
    const isCurrent = (): void => {
      this.#unsubscribe = hub.join(peer, filter);
      left.abort();
    };
    await catchUp(hub, lastCompleteSeq(from), { take, room, isCurrent }, left.signal);
  }

  /**
   * Too much at once waits, in order. Only so many frames are read before they are answered, so the sender is
   * slowed and nothing is lost.
   */
  #turn(waitMs: number): Promise<void> {
    const { now, timers } = this.#deps;
    const due = now() + waitMs;
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#lastTurn;
    this.#lastTurn = promise;
    const wait = (): void => {
      if (waitMs === 0) resolve();
      else timers.after(Math.max(0, due - now()), resolve);
    };
    void before.then(wait);
    return promise;
  }

  #reply(id: string | undefined, outcome: Outcome<unknown>): void {
    const text = this.#isEnded ? undefined : this.#deps.protocol.encode(id, undefined, outcome);
    if (text !== undefined) this.#peer.send(text);
  }

  #deny(id: string | undefined, reason: string): void {
    this.#peer.send(encodeFrame(id, { type: "error", code: "unauthorized", message: reason }));
    this.#end(reason);
  }

  #end(reason: string): void {
    this.closed();
    this.#peer.close(CLOSE.policy, reason);
  }
}
