/**
 * One WebSocket: bytes in, bytes out, and nothing about what they mean.
 *
 * Incoming frames go through the peer's lane (turns.ts), outgoing ones through its outbox. Until the
 * room admits the peer, only so many bytes may arrive in all, so that a stranger cannot make us hold a
 * large frame.
 */
import type { Socket } from "node:net";
import { CLOSE, MAX_REASON_BYTES } from "@atrium/wire";
import type { WebSocket } from "ws";
import type { FanoutAudience } from "../fanout/audience.ts";
import { Outbox } from "../fanout/outbox.ts";
import type { Flushable } from "../fanout/turn-end.ts";
import type { Audience, Peer, Room } from "../rooms/room.ts";
import type { Lobby, Waiting } from "./lobby.ts";
import { Lane, type Turns } from "./turns.ts";

export interface ConnectionLimits {
  readonly maxStrangerBytes: number;
  readonly maxBufferedBytes: number;
  readonly maxStallMs: number;
  /** How long a closed peer has to answer the close before its socket is destroyed. */
  readonly closeGraceMs: number;
}

export interface ConnectionDeps {
  readonly lobby: Lobby;
  readonly turns: Turns;
  readonly limits: ConnectionLimits;
  readonly now: () => number;
  readonly atTurnEnd: (item: Flushable) => void;
}

export interface Origin {
  readonly id: string;
  readonly address: string;
  readonly isLocal: boolean;
}

export class Connection implements Peer, Waiting {
  readonly id: string;
  readonly address: string;
  readonly isLocal: boolean;
  readonly since: number;
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #deps: ConnectionDeps;
  readonly #outbox: Outbox;
  readonly #lane: Lane;
  #isAlive = true;
  #isClosing = false;
  #closeTimer: NodeJS.Timeout | undefined;

  constructor(ws: WebSocket, socket: Socket, origin: Origin, deps: ConnectionDeps) {
    this.id = origin.id;
    this.address = origin.address;
    this.isLocal = origin.isLocal;
    this.since = deps.now();
    this.#ws = ws;
    this.#socket = socket;
    this.#deps = deps;
    this.#outbox = new Outbox({
      sink: { write: (bytes) => socket.write(bytes) },
      maxBytes: deps.limits.maxBufferedBytes,
      now: deps.now,
      onSlow: () => this.close(CLOSE.policy, "slow consumer"),
      schedule: deps.atTurnEnd,
    });
    this.#lane = new Lane(deps.turns, {
      handle: (frame) => this.#receive(frame),
      setReading: (isReading) => (isReading ? ws.resume() : ws.pause()),
    });
  }

  #receive: (frame: Buffer) => void | Promise<void> = () => undefined;

  /** Hands the socket to a room. `onClosed` is called once, whatever ends it. */
  enter(room: Room, onClosed: () => void): void {
    this.#deps.lobby.enter(this);
    // Before ws sees them: what is too much must not be handled first.
    this.#socket.prependListener("data", this.#countStrangerBytes);
    this.#socket.on("drain", () => this.#outbox.drained());
    this.#ws.on("pong", () => (this.#isAlive = true));
    // A peer's protocol violation: ws has already answered it with the right close code.
    this.#ws.on("error", () => undefined);
    const session = room.open(this);
    this.#receive = (frame) => session.receive(frame.toString());
    this.#ws.on("message", (data) => {
      this.#isAlive = true;
      // `nodebuffer` is the default binary type: fragments arrive joined.
      if (!this.#isClosing && Buffer.isBuffer(data)) this.#lane.receive(data);
    });
    this.#ws.on("close", () => {
      clearTimeout(this.#closeTimer);
      this.#isClosing = true;
      this.#deps.lobby.leave(this);
      this.#lane.close();
      this.#outbox.close();
      session.closed();
      onClosed();
    });
  }

  send(text: string): void {
    this.#outbox.send(text);
  }

  join(audience: Audience): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- compose makes every audience
    (audience as FanoutAudience).join(this.#outbox);
  }

  admit(): void {
    this.#deps.lobby.leave(this);
    this.#socket.off("data", this.#countStrangerBytes);
  }

  close(code: number, reason: string): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#deps.lobby.leave(this);
    this.#outbox.flush();
    this.#outbox.close();
    this.#lane.close();
    // A paused socket would never see the peer's answer to the close.
    this.#ws.resume();
    this.#ws.close(code, cutToBytes(reason, MAX_REASON_BYTES));
    this.#closeTimer = setTimeout(() => this.#ws.terminate(), this.#deps.limits.closeGraceMs);
    this.#closeTimer.unref();
  }

  showOut(reason: string): void {
    this.close(CLOSE.tryLater, reason);
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
    this.#strangerBytes += chunk.length;
    if (this.#strangerBytes <= this.#deps.limits.maxStrangerBytes) return;
    this.#socket.off("data", this.#countStrangerBytes);
    this.close(CLOSE.tooBig, "too much before connect");
  };
  #strangerBytes = 0;
}

function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  // Cutting bytes may split a character; the decoder's replacement mark is trimmed away.
  return Buffer.from(text)
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD+$/, "");
}
