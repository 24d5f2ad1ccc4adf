/** The HTTP connections of each login: an open stream ends with its login. */
import type { Socket } from "node:net";
import type { Principal } from "./principal.ts";

export class LoginSockets {
  readonly #held = new Map<Socket, string>();

  hold({ credential }: Principal, socket: Socket): void {
    if (credential.kind !== "browser") return;
    const isNew = !this.#held.has(socket);
    this.#held.set(socket, credential.sessionId);
    if (isNew) socket.once("close", () => void this.#held.delete(socket));
  }

  /** Exempts a connection whose response is still to be sent. */
  release(socket: Socket): void {
    this.#held.delete(socket);
  }

  closeWhere(isOver: (loginId: string) => boolean): void {
    for (const [socket, loginId] of this.#held) if (isOver(loginId)) socket.destroy();
  }
}
