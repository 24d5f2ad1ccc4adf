/**
 * The wire's declarations, found by name. A name that is not here is passed through unchecked: the
 * server may be newer than this client.
 */
import type { Contract, ParamsOf, ResultOf } from "@atrium/wire";
import { GATEWAY_EVENTS, GATEWAY_METHODS } from "@atrium/wire/gateway";
import type * as gateway from "@atrium/wire/gateway";
import type { EventContract, PayloadOf } from "@atrium/wire/gateway";

type Exports = typeof gateway;
type DeclaredEvent = {
  [Name in keyof Exports]: Exports[Name] extends EventContract ? Exports[Name] : never;
}[keyof Exports];
type DeclaredMethod = {
  [Name in keyof Exports]: Exports[Name] extends Contract ? Exports[Name] : never;
}[keyof Exports];

/** What each declared event carries, by the event's name. */
export type EventPayloads = { [Event in DeclaredEvent as Event["name"]]: PayloadOf<Event> };

/** Every declared method, by its name. Connecting is the client's own business. */
export type MethodContracts = {
  [Method in DeclaredMethod as Exclude<Method["name"], "connect">]: Method;
};
export type MethodName = keyof MethodContracts;
export type CallParams<Name extends MethodName> = KeyOptional<ParamsOf<MethodContracts[Name]>>;
export type CallResult<Name extends MethodName> = ResultOf<MethodContracts[Name]>;

type KeyOptional<Params> = Params extends { idempotencyKey: string }
  ? Omit<Params, "idempotencyKey"> & { idempotencyKey?: string }
  : Params;

const METHODS: ReadonlyMap<string, Contract> = new Map(
  GATEWAY_METHODS.map((contract) => [contract.name, contract]),
);
const EVENTS: ReadonlyMap<string, EventContract> = new Map(
  GATEWAY_EVENTS.map((contract) => [contract.name, contract]),
);

export const findMethod = (name: string): Contract | undefined => METHODS.get(name);
export const findEvent = (name: string): EventContract | undefined => EVENTS.get(name);

/** The params with a key that makes the call happen once, where the method wants one and none is given. */
export function withKey(name: string, params: object, newKey: () => string): object {
  if (findMethod(name)?.idempotency !== "required") return params;
  if ("idempotencyKey" in params && params.idempotencyKey !== undefined) return params;
  return { ...params, idempotencyKey: newKey() };
}
