/**
 * One connection to `/ws/signals`, from the door to its end.
 *
 *   outside --token at the door, or hello--> in --> ended
 *
 * A signal may come in an `emit` or by itself. Inside, one subscription at a time: catching up with the past, then one of those who want the same. Signals that are
 * emitted are answered when they are durable; a source that is too fast is answered, and read, later.
 */
import { Fault, REFUSALS, type RefusalCode } from "@atrium/core";
import { CLOSE, MAX_JSON_DEPTH } from "@atrium/wire";
import type { FrameReader, SignalClientFrame } from "@atrium/wire/signal";
import { isAuthFailure, type Authenticate } from "../../../access/authenticate.ts";
import type { Principal } from "../../../access/principal.ts";
import { ErrorDetailBudget } from "../../../pipeline/error-detail-budget.ts";
import { catchUp } from "../../../platform/catch-up.ts";
import type { Timers } from "../../../platform/timers.ts";
import type { Peer, PeerSession } from "../../../sockets/peer.ts";
import { createMatcher } from "../outbound/filter.ts";
import type { SignalHub, SignalItem } from "../outbound/hub.ts";
import { lastCompleteSeq, parsePosition, type SignalPosition } from "../translate/position.ts";
import { MAX_SIGNALS, type SignalReceiver } from "./signal-receiver.ts";

export interface SignalSessionDeps {
  readonly hub: SignalHub;
  readonly reception: SignalReceiver;
  readonly read: FrameReader<SignalClientFrame>;
  readonly doorkeeper: Authenticate;
  readonly epoch: string;
  readonly maxFrameBytes: number;
  readonly now: () => number;
  readonly timers: Timers;
  readonly report: (fault: Fault) => void;
}

type Subscribe = Extract<SignalClientFrame, { readonly type: "subscribe" }>;
type Emit = Extract<SignalClientFrame, { readonly type: "emit" }>;

const DOOR = "signals";
/** So much of the past is sent before it is seen whether the peer takes it. */
const AHEAD_CHARACTERS = 256 * 1024;

export class SignalSession implements PeerSession {
  readonly #peer: Peer;
  readonly #deps: SignalSessionDeps;
  readonly #complaints: ErrorDetailBudget;
  #isIn = false;
  #isEnded = false;
  #unsubscribe: (() => void) | undefined;
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(peer: Peer, deps: SignalSessionDeps) {
    this.#peer = peer;
    this.#deps = deps;
    this.#complaints = new ErrorDetailBudget(deps.now);
    // Whoever shows nothing may still say it; where nothing is asked for, there is nothing to say.
    const { address, isLocal, shown } = peer;
    const principal = deps.doorkeeper({ address, isLocal, door: DOOR, shown });
    if (!isAuthFailure(principal)) this.#enter(undefined, principal);
    else if (shown !== undefined) this.#deny(undefined, principal.reason);
  }

  receive(text: string): void | Promise<void> {
    if (this.#isEnded) return undefined;
    if (text.length > this.#deps.maxFrameBytes) {
      return this.#complain(undefined, "frame.malformed", "the frame is too big");
    }
    const read = this.#deps.read(text);
    const frame = "problem" in read && isBareSignal(read.value) ? emitOf(read.value) : read;
    if ("problem" in frame) {
      const why = this.#complaints.allowsDetail() ? frame.problem : "it is not one we know";
      this.#complain(idOf(frame.value), "frame.malformed", why);
      if (!this.#isIn || this.#complaints.isExhausted) this.#end("too many bad frames");
      return undefined;
    }
    if (frame.type === "hello") return this.#hello(frame.id, frame.auth?.token);
    if (!this.#isIn) return this.#deny(frame.id, "the first frame must be a hello with the token");
    switch (frame.type) {
      case "subscribe":
        return this.#subscribe(frame);
      case "unsubscribe":
        this.#leave();
        return this.#send({ type: "unsubscribed", ...named(frame.id) });
      case "emit":
        return this.#emit(frame, text.length).catch((cause: unknown) => {
          this.#deps.report(new Fault("signals could not be taken in", {}, cause));
          this.#complain(frame.id, "internal");
        });
    }
  }

  closed(): void {
    this.#isEnded = true;
    this.#leave();
  }

  #hello(id: string | undefined, token: string | undefined): void {
    if (!this.#isIn) {
      const { address, isLocal } = this.#peer;
      const principal = this.#deps.doorkeeper({
        address,
        isLocal,
        door: DOOR,
        shown: token === undefined ? undefined : { kind: "token", token },
      });
      if (isAuthFailure(principal)) return this.#deny(id, principal.reason);
      this.#enter(id, principal);
      return undefined;
    }
    return this.#welcome(id);
  }

  #enter(id: string | undefined, principal: Principal): void {
    this.#isIn = true;
    this.#peer.admit(principal);
    this.#welcome(id);
  }

  #welcome(id: string | undefined): void {
    const { epoch, hub } = this.#deps;
    this.#send({ type: "welcome", ...named(id), epoch, position: String(hub.seq) });
  }

  #subscribe({ id, filter = {}, after, epoch }: Subscribe): void {
    const { hub } = this.#deps;
    const from = after === undefined ? { seq: hub.seq, index: Infinity } : parsePosition(after);
    if (from === undefined) {
      return this.#complain(id, "frame.malformed", `${after} is not a position`);
    }
    const isOurs = epoch === undefined || epoch === this.#deps.epoch;
    if (!isOurs || !hub.isKnown(from)) return this.#complain(id, "position.foreign", after);
    this.#leave();
    this.#send({ type: "subscribed", ...named(id), position: after ?? String(hub.seq) });
    if (after === undefined) {
      this.#unsubscribe = hub.join(this.#peer, filter);
      return undefined;
    }
    const left = new AbortController();
    this.#unsubscribe = () => left.abort();
    this.#catchUp(filter, from, left).catch((cause: unknown) => {
      this.#deps.report(new Fault("signals could not be told", {}, cause));
      this.#complain(id, "internal");
    });
    return undefined;
  }

  async #catchUp(
    filter: NonNullable<Subscribe["filter"]>,
    from: SignalPosition,
    left: AbortController,
  ): Promise<void> {
    const { hub } = this.#deps;
    const peer = this.#peer;
    const wants = createMatcher(filter);
    let ahead = 0;
    const take = ({ seq, told }: SignalItem): void => {
      for (const [index, { signal, frame }] of told.entries()) {
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

  async #emit({ id, signal }: Emit, size: number): Promise<void> {
    const { reception } = this.#deps;
    const isMany = Array.isArray(signal);
    const values: readonly unknown[] = isMany ? signal : [signal];
    if (values.length === 0) return this.#complain(id, "signals.none");
    if (values.length > MAX_SIGNALS) {
      return this.#complain(id, "signals.many", `no more than ${MAX_SIGNALS}`);
    }
    const { signals, rejected } = reception.check(values, MAX_JSON_DEPTH - (isMany ? 2 : 1));
    if (rejected.length > 0 && !this.#complaints.allowsDetail() && this.#complaints.isExhausted) {
      return this.#end("too many bad signals");
    }
    await this.#turn(reception.reserve(signals));
    const taken = await reception.take(signals, size);
    if (!taken.ok) return this.#complain(id, taken.code, taken.detail);
    this.#send({ type: "emitted", ...named(id), accepted: signals.length, rejected });
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

  #leave(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #send(frame: Readonly<Record<string, unknown>>): void {
    if (!this.#isEnded) this.#peer.send(JSON.stringify(frame));
  }

  #complain(id: string | undefined, code: RefusalCode, detail?: string): void {
    const { says } = REFUSALS[code];
    const message = detail === undefined ? says : `${says} (${detail})`;
    this.#send({ type: "error", ...named(id), code, message });
  }

  #deny(id: string | undefined, reason: string): void {
    const code: RefusalCode = "unauthorized";
    this.#send({ type: "error", ...named(id), code, message: reason });
    this.#end(reason);
  }

  #end(reason: string): void {
    this.#isEnded = true;
    this.#leave();
    this.#peer.close(CLOSE.policy, reason);
  }
}

/** No frame of ours has a payload, so what has one is a signal that came by itself. */
function isBareSignal(value: unknown): value is object {
  return typeof value === "object" && value !== null && "payload" in value;
}

function emitOf(signal: object): Emit {
  return { type: "emit", ...named(idOf(signal)), signal };
}

function named(id: string | undefined): { readonly id?: string } {
  return id === undefined ? {} : { id };
}

/** Of a frame that is wrong in some other way. */
function idOf(value: unknown): string | undefined {
  const isNamed = typeof value === "object" && value !== null && "id" in value;
  return isNamed && typeof value.id === "string" && value.id.length <= 256 ? value.id : undefined;
}
