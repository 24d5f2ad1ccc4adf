/**
 * The lobby: sockets that are open but have not yet said who they are.
 *
 * There is room for so many. When one more comes, the one that has waited longest is shown out: a peer
 * that means to speak needs milliseconds, so sockets that never do cannot keep others from coming in.
 */
export interface LobbyEntry {
  readonly since: number;
  showOut(reason: string): void;
}

export interface LobbyRules {
  readonly lobbySeats: number;
  readonly handshakeTimeoutMs: number;
}

export class Lobby {
  readonly #rules: LobbyRules;
  /** In order of arrival. */
  readonly #waiting = new Set<LobbyEntry>();

  constructor(rules: LobbyRules) {
    this.#rules = rules;
  }

  get size(): number {
    return this.#waiting.size;
  }

  enter(socket: LobbyEntry): void {
    // More than one where there are fewer seats than there were.
    for (const longest of this.#waiting) {
      if (this.#waiting.size < this.#rules.lobbySeats) break;
      this.#showOut(longest, "too many sockets are waiting to connect");
    }
    this.#waiting.add(socket);
  }

  leave(socket: LobbyEntry): void {
    this.#waiting.delete(socket);
  }

  sweep(now: number): void {
    for (const socket of this.#waiting) {
      if (now - socket.since < this.#rules.handshakeTimeoutMs) return;
      this.#showOut(socket, "handshake timeout");
    }
  }

  #showOut(socket: LobbyEntry, reason: string): void {
    this.#waiting.delete(socket);
    socket.showOut(reason);
  }
}
