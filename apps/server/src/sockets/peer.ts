/** A socket's other end and a room for it, as they see each other: types only. */
import type { PresentedCredential } from "../access/credentials.ts";
import type { Principal } from "../access/principal.ts";

/** The other end of one socket, as a room sees it: something to talk to, nothing to own. */
export interface Peer {
  readonly id: string;
  readonly address: string;
  /** On this machine, with nothing in between that claims otherwise. */
  readonly isLocal: boolean;
  /** Whether it is a process that works for the server; costs a look at the machine's processes. */
  readonly isOfAgent?: (() => boolean) | undefined;
  /** What it came to the door with, if anything. */
  readonly shown: PresentedCredential | undefined;
  /** Queues one text frame; frames of a turn leave in one write. */
  send(text: string): void;
  /** Resolves when the peer has taken what was sent: for what is read from the log faster than it can be sent. */
  room(): Promise<void>;
  /** Sends what is queued, then closes. */
  close(code: number, reason: string): void;
  /** The peer has proven who it is: full limits apply from here on. */
  admit(principal: Principal): void;
  /** From now on the peer receives what is published to that audience, until it leaves. */
  join(audience: Audience): void;
  leave(audience: Audience): void;
}

/** Peers that receive the same bytes. */
export interface Audience {
  readonly size: number;
  publish(text: string): void;
  /** For what is outdated by what follows: a peer that is behind is spared it. */
  publishPassing(text: string): void;
}

export interface PeerSession {
  receive(text: string): void | Promise<void>;
  closed(): void;
}

export interface Room {
  /** Called once per socket, right after the upgrade. */
  open(peer: Peer): PeerSession;
}
