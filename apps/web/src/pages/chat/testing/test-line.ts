/** A gateway as the stores see it, in a test's hands: it answers what it was told to and says what it is told to. */
import type { GatewayConnection } from "../../../app/server/gateway-connection.ts";

type Handler = (payload: never) => void;

export class TestLine {
  readonly calls: { readonly name: string; readonly params: unknown }[] = [];
  /** Asked once per call. */
  answer: (name: string, params: never) => unknown = () => ({});
  readonly #handlers = new Map<string, Set<Handler>>();

  /** As what the stores take. */
  get line(): GatewayConnection {
    return {
      call: async (name: string, params: never) => {
        this.calls.push({ name, params });
        return this.answer(name, params);
      },
      onEvent: (name: string, handler: Handler) => this.#add(name, handler),
      onState: (handler: Handler) => this.#add("state", handler),
      onGap: (handler: Handler) => this.#add("gap", handler),
    } as unknown as GatewayConnection;
  }

  say(name: string, payload: unknown): void {
    for (const handler of this.#handlers.get(name) ?? []) handler(payload as never);
  }

  #add(name: string, handler: Handler): () => void {
    const handlers = this.#handlers.get(name) ?? new Set();
    this.#handlers.set(name, handlers.add(handler));
    return () => void handlers.delete(handler);
  }
}

/** Lets everything that is already answered be taken. */
export async function settle(): Promise<void> {
  for (let n = 0; n < 10; n++) await Promise.resolve();
}
