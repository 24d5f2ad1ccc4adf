/** One declaration per server event: its name, who may see it, and its payload. */
import type { Static, TSchema } from "@atrium/schema";
import type { GatewayScope, NODE_SCOPE } from "./scopes.ts";

export interface EventContract<Name extends string = string, Payload extends TSchema = TSchema> {
  readonly name: Name;
  /** `null`: everyone who is connected. */
  readonly scope: GatewayScope | typeof NODE_SCOPE | null;
  readonly payload: Payload;
}

export type PayloadOf<E extends EventContract> = Static<E["payload"]>;

export function event<const Name extends string, Payload extends TSchema>(
  declaration: EventContract<Name, Payload>,
): EventContract<Name, Payload> {
  return declaration;
}
