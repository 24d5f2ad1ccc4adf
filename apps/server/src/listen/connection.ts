/**
 * One WebSocket: bytes in, bytes out, and nothing about what they mean.
 *
 * Incoming frames go through the peer's lane (turns.ts), outgoing ones through its outbox. Until the
 * room admits the peer, only so many bytes may arrive in all, so that a stranger cannot make us hold a
 * large frame.
 */
import type { Socket } from "node:net";
import { CLOSE, cutReason } from "@atrium/wire";
import type { WebSocket } from "ws";
import type { PresentedCredential } from "../access/credentials.ts";
import type { Principal } from "../access/principal.ts";
import type { FanoutAudience } from "../fanout/audience.ts";
import { Outbox, type OutboxOwner, type OutboxRules } from "../fanout/outbox.ts";
import type { Audience, Peer, PeerSession, Room } from "../sockets/peer.ts";
import { Lane, type LaneOwner, type FairQueue } from "./fair-queue.ts";
import type { Lobby, LobbyEntry } from "./lobby.ts";

const SHOW_OUT_GRACE_MS = 100;

export interface ConnectionLimits {
  readonly maxStrangerBytes: number;
  readonly maxStallMs: number;
  /** How long a closed peer has to answer the close before its socket is destroyed. */
  readonly closeGraceMs: number;
}

export interface ConnectionDeps {
  readonly lobby: Lobby;
  readonly queue: FairQueue;
  readonly limits: ConnectionLimits;
  readonly outbox: OutboxRules;
  readonly now: () => number;
  /** Called once per connection, whatever ended it. */
  readonly onClosed: (connection: Connection) => void;
}

export interface RemoteAddress extends Pick<Peer, "id" | "address" | "isLocal" | "shown"> {
  readonly isOfAgent: () => boolean;
}

export class Connection implements Peer, LobbyEntry, LaneOwner, OutboxOwner {
  readonly id: string;
  readonly address: string;
  readonly isLocal: boolean;
  readonly shown: PresentedCredential | undefined;
  readonly isOfAgent: () => boolean;
  readonly since: number;
  readonly #ws: WebSocket;
  readonly #deps: ConnectionDeps;
  readonly #outbox: Outbox;
  readonly #lane: Lane;
  /** Counted until the room admits the peer. */
  #stranger: { readonly socket: Socket; bytes: number } | undefined;
  #session: PeerSession | undefined;
  #principal: Principal | undefined;
  #isAlive = true;
  #isClosing = false;
  #closeTimer: NodeJS.Timeout | undefined;

  constructor(ws: WebSocket, socket: Socket, origin: RemoteAddress, deps: ConnectionDeps) {
    this.id = origin.id;
    this.address = origin.address;
    this.isLocal = origin.isLocal;
    this.shown = origin.shown;
    this.isOfAgent = origin.isOfAgent;
    this.since = deps.now();
    this.#ws = ws;
    this.#deps = deps;
    this.#outbox = new Outbox(socket, this, deps.outbox);
    this.#lane = new Lane(deps.queue, this);
    this.#stranger = { socket, bytes: 0 };
    // Before ws sees them: what is too much must not be handled first.
    socket.prependListener("data", this.#countStrangerBytes);
    socket.on("drain", () => this.#outbox.drained());
  }

  enter(room: Room): void {
    this.#deps.lobby.enter(this);
    this.#ws.on("pong", () => (this.#isAlive = true));
    this.#ws.on("error", ignore);
    this.#session = room.open(this);
    this.#ws.on("message", (data) => {
      this.#isAlive = true;
      // `nodebuffer` is the default binary type: fragments arrive joined.
      if (!this.#isClosing && Buffer.isBuffer(data)) this.#lane.receive(data);
    });
    this.#ws.on("close", () => this.#closed());
  }

  handle(frame: Buffer): void | Promise<void> {
    return this.#session?.receive(frame.toString());
  }

  setReading(isReading: boolean): void {
    if (isReading) this.#ws.resume();
    else this.#ws.pause();
  }

  onSlow(): void {
    this.close(CLOSE.policy, "slow consumer");
  }

  #closed(): void {
    clearTimeout(this.#closeTimer);
    this.#isClosing = true;
    this.#deps.lobby.leave(this);
    this.#lane.close();
    this.#outbox.close();
    this.#session?.closed();
    this.#deps.onClosed(this);
  }

  send(text: string): void {
    this.#outbox.send(text);
  }

  room(): Promise<void> {
    return this.#outbox.room();
  }

  join(audience: Audience): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- compose makes every audience
    (audience as FanoutAudience).join(this.#outbox);
  }

  leave(audience: Audience): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- compose makes every audience
    (audience as FanoutAudience).leave(this.#outbox);
  }

  /** Undefined until the room has let the peer in. */
  get principal(): Principal | undefined {
    return this.#principal;
  }

  admit(principal: Principal): void {
    this.#principal = principal;
    this.#deps.lobby.leave(this);
    this.#stopCounting();
  }

  close(code: number, reason: string): void {
    this.#close(code, reason, this.#deps.limits.closeGraceMs);
  }

  #close(code: number, reason: string, graceMs: number): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#deps.lobby.leave(this);
    this.#outbox.flush();
    this.#outbox.close();
    this.#lane.close();
    // A paused socket would never see the peer's answer to the close.
    this.#ws.resume();
    this.#ws.close(code, cutReason(reason));
    this.#closeTimer = setTimeout(() => this.#ws.terminate(), graceMs);
    this.#closeTimer.unref();
  }

  /** One that never spoke is not waited for: a crowd of them would hold as many sockets meanwhile. */
  showOut(reason: string): void {
    this.#close(CLOSE.tryLater, reason, SHOW_OUT_GRACE_MS);
  }

  /** Called every ping interval: ends peers that are gone or take nothing. */
  checkPulse(): void {
    if (this.#outbox.stalledMs() > this.#deps.limits.maxStallMs) {
      this.#outbox.giveUp();
      return;
    }
    if (!this.#isAlive && !this.#ws.isPaused) {
      this.#ws.terminate();
      return;
    }
    this.#isAlive = false;
    this.#ws.ping();
  }

  readonly #countStrangerBytes = (chunk: Buffer): void => {
    if (this.#stranger === undefined) return;
    this.#stranger.bytes += chunk.length;
    if (this.#stranger.bytes <= this.#deps.limits.maxStrangerBytes) return;
    this.#stopCounting();
    this.close(CLOSE.tooBig, "too much before connect");
  };

  #stopCounting(): void {
    this.#stranger?.socket.off("data", this.#countStrangerBytes);
    this.#stranger = undefined;
  }
}

/** A peer's protocol violation: ws has already answered it with the right close code. */
function ignore(): void {}
