/** The bus over core NATS: everything of one installation under one prefix, so that two can share an account. */
import type { Msg } from "@nats-io/transport-node";
import type { Bus, BusHandler } from "../chain/bus.ts";
import type { ServerLink } from "./nats-connection.ts";

export class CoreBus implements Bus {
  readonly #link: ServerLink;
  readonly #prefix: string;

  constructor(link: ServerLink, stream: string) {
    this.#link = link;
    this.#prefix = `atrium.${stream}.bus.`;
  }

  publish(subject: string, bytes: Uint8Array): void {
    // Without a connection the client would keep it and send it late, when nobody wants it any more.
    if (this.#link.trouble !== undefined) return;
    this.#link.connection.publish(this.#prefix + subject, bytes);
  }

  subscribe(subject: string, handler: BusHandler): Disposable {
    const { connection } = this.#link;
    const subscription = connection.subscribe(this.#prefix + subject, {
      callback: (error, message) => {
        if (error === null) handler(message.data, replyOf(message));
      },
    });
    return { [Symbol.dispose]: () => subscription.unsubscribe() };
  }

  async request(
    subject: string,
    bytes: Uint8Array,
    timeoutMs: number,
  ): Promise<Uint8Array | undefined> {
    if (this.#link.trouble !== undefined) return undefined;
    try {
      const options = { timeout: timeoutMs };
      return (await this.#link.connection.request(this.#prefix + subject, bytes, options)).data;
    } catch {
      return undefined;
    }
  }
}

function replyOf(message: Msg): ((bytes: Uint8Array) => void) | undefined {
  if (message.reply === undefined || message.reply === "") return undefined;
  return (bytes) => void message.respond(bytes);
}
