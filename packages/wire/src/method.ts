/**
 * One declaration per method: name, who may call it, what goes in, what comes out, and
 * whether calling it twice matters. Everything else (validators, the exported schema, Swift
 * models, `features.methods`, typed client calls) is derived from these declarations.
 */
import type { Static, TSchema } from "@atrium/schema";

/**
 * `none`: the call changes nothing. `required`: it does, and must carry an `idempotencyKey`.
 * `optional`: it does, but the peers we serve send no key; one that is sent is honored.
 * `frame`: it does, and the key is made of the frame's id and content.
 */
export type Idempotency = "none" | "required" | "optional" | "frame";

export interface Contract<
  Name extends string = string,
  Params extends TSchema = TSchema,
  Result extends TSchema = TSchema,
  Scope extends string = string,
> {
  readonly name: Name;
  /** `null`: anyone who is connected. */
  readonly scope: Scope | null;
  readonly idempotency: Idempotency;
  /** Methods with the same keyspace share their idempotency keys; by default each has its own. */
  readonly keyspace: string;
  /** False for what is no use to a client that is in: the handshake, and what is always refused. */
  readonly advertised: boolean;
  /** Only people may do it, and no process that works for the server. Unless said otherwise, its scope tells. */
  readonly decides: boolean;
  readonly params: Params;
  readonly result: Result;
}

export type ParamsOf<C extends Contract> = Static<C["params"]>;
export type ResultOf<C extends Contract> = Static<C["result"]>;

/** Scopes by which people decide: what they allow, answer, let in and set. */
const DECIDING: ReadonlySet<string> = new Set([
  "operator.admin",
  "operator.approvals",
  "operator.pairing",
  "operator.questions",
]);

export function method<
  const Name extends string,
  Params extends TSchema,
  Result extends TSchema,
  const Scope extends string,
>(declaration: {
  readonly name: Name;
  readonly scope: Scope | null;
  readonly idempotency?: Idempotency;
  readonly keyspace?: string;
  readonly advertised?: boolean;
  readonly decides?: boolean;
  readonly params: Params;
  readonly result: Result;
}): Contract<Name, Params, Result, Scope> {
  const { name, scope } = declaration;
  const decides = scope !== null && DECIDING.has(scope);
  return { idempotency: "none", keyspace: name, advertised: true, decides, ...declaration };
}
