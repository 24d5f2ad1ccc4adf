/** A socket whose other end is the test. */
import type { SocketLike } from "../system.ts";

type Listener = (event: { data: unknown; code: number; reason: string }) => void;

export class FakeSocket implements SocketLike {
  readonly sent: unknown[] = [];
  isClosed = false;
  readonly #listeners = new Map<string, Listener[]>();

  addEventListener(type: string, listener: Listener | (() => void)): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.isClosed = true;
  }

  opened(): void {
    this.#tell("open", {});
  }

  receive(frame: unknown): void {
    this.#tell("message", { data: typeof frame === "string" ? frame : JSON.stringify(frame) });
  }

  lost(code = 1006, reason = ""): void {
    this.#tell("error", {});
    this.#tell("close", { code, reason });
  }

  #tell(type: string, event: object): void {
    const whole = { data: undefined, code: 0, reason: "", ...event };
    for (const listener of this.#listeners.get(type) ?? []) listener(whole);
  }
}
