/** Which connections of plain HTTP belong to which login: a stream that is open ends with it. */
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

  /** It has an answer to bring yet. */
  release(socket: Socket): void {
    this.#held.delete(socket);
  }

  closeWhere(isOver: (loginId: string) => boolean): void {
    for (const [socket, loginId] of this.#held) if (isOver(loginId)) socket.destroy();
  }
}
