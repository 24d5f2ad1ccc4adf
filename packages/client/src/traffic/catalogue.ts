/**
 * The wire's declarations, found by name. A name that is not here is passed through unchecked: the
 * server may be newer than this client.
 */
import type { Contract } from "@atrium/wire";
import { GATEWAY_EVENTS, GATEWAY_METHODS } from "@atrium/wire/gateway";
import type * as gateway from "@atrium/wire/gateway";
import type { EventContract, PayloadOf } from "@atrium/wire/gateway";

type Exports = typeof gateway;
type Declared = {
  [Name in keyof Exports]: Exports[Name] extends EventContract ? Exports[Name] : never;
}[keyof Exports];

/** What each declared event carries, by the event's name. */
export type EventPayloads = { [Event in Declared as Event["name"]]: PayloadOf<Event> };

const METHODS: ReadonlyMap<string, Contract> = new Map(
  GATEWAY_METHODS.map((contract) => [contract.name, contract]),
);
const EVENTS: ReadonlyMap<string, EventContract> = new Map(
  GATEWAY_EVENTS.map((contract) => [contract.name, contract]),
);

export const findMethod = (name: string): Contract | undefined => METHODS.get(name);
export const findEvent = (name: string): EventContract | undefined => EVENTS.get(name);
