/**
 * A call, over a socket or plain HTTP:
 *
 *   frame -> find method -> check scope -> check params -> handler -> dispatch
 *       \            \             \              \           \
 *        `------------`-------------`--------------`-----------`-> a refusal
 *
 * This file and session-loop.ts are the whole pipeline and the only place it is written. Rooms differ
 * in their tables, never in the order of these steps. A room may import wire and core; it may not import another
 * room, the log, the sockets in listen, or `ws`.
 */
import { accept, Fault, refuse, type Outcome } from "@atrium/core";
import { checkLater, Type, type TUnsafe } from "@atrium/schema";
import { method, type Contract, type ParamsOf, type ResultOf } from "@atrium/wire";
import { whyUndecided, type Principal } from "../access/principal.ts";
import { describeIssues } from "../platform/issues.ts";
import type { ErrorDetailBudget } from "./error-detail-budget.ts";
import { callKey, type CallKey } from "./idempotency.ts";

export interface Caller {
  readonly principal: Principal;
  readonly scopes: ReadonlySet<string>;
  readonly errorBudget: Pick<ErrorDetailBudget, "allowsDetail">;
}

export interface CallContext<Who extends Caller = Caller> {
  readonly caller: Who;
  /** Under which the call is remembered, when the client gave it a key. */
  readonly key: CallKey | undefined;
}

/** The frame that a call came in; a request over plain HTTP has none. */
export interface FrameOrigin {
  /** Repeated in the answer. */
  readonly id: string | undefined;
  /** Where the protocol makes the key of the frame's id. */
  readonly key?: CallKey | undefined;
}

/** A result that is already JSON text: what many peers ask for is serialized once. */
export class EncodedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A result in two parts: that the work was taken on, and later how it ended. */
export class DeferredResult {
  readonly accepted: unknown;
  readonly finished: Promise<Outcome<unknown>>;

  constructor(first: unknown, last: Promise<Outcome<unknown>>) {
    this.accepted = first;
    this.finished = last;
  }
}

export type MaybePromise<T> = T | Promise<T>;

export interface Method<Who extends Caller = Caller> {
  readonly contract: Contract;
  call(params: unknown, caller: Who, frame?: FrameOrigin): MaybePromise<Outcome<unknown>>;
}

export type Handler<C extends Contract, Who extends Caller = Caller> = (
  params: ParamsOf<C>,
  context: CallContext<Who>,
) => MaybePromise<Outcome<ResultOf<C> | EncodedJson | DeferredResult>>;

/** Binds a contract to its code; the handler only ever sees params that are valid. */
export function implement<C extends Contract, Who extends Caller = Caller>(
  contract: C,
  handler: Handler<C, Who>,
): Method<Who> {
  const validator = checkLater(contract.params);
  return {
    contract,
    call(params, caller, frame) {
      const { scope } = contract;
      if (scope !== null && !caller.scopes.has(scope)) return refuse("scope.missing", scope);
      const undecided = contract.decides ? whyUndecided(caller.principal) : undefined;
      if (undecided !== undefined) return refuse(undecided);
      const given = params ?? {};
      if (!validator.Check(given)) {
        if (!caller.errorBudget.allowsDetail()) return refuse("params.invalid");
        return refuse("params.invalid", describeIssues(validator.Errors(given)));
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Check() just proved it
      return handler(given as ParamsOf<C>, {
        caller,
        key: frame?.key ?? callKey(contract, given),
      });
    },
  };
}

/** For a frame whose reader has checked it as a whole: its params are not checked a second time. */
export function frameContract<Params>(name: string): Contract<string, TUnsafe<Params>> {
  return method({ name, scope: null, params: Type.Unsafe<Params>({}), result: Type.Unknown() });
}

export type CallMethod<Who extends Caller = Caller> = (
  name: string,
  params: unknown,
  caller: Who,
  frame?: FrameOrigin,
) => MaybePromise<Outcome<unknown>>;

export function createMethodRouter<Who extends Caller = Caller>(
  methods: readonly Method<Who>[],
  report: (fault: Fault) => void,
): CallMethod<Who> {
  const table = new Map(methods.map((each) => [each.contract.name, each]));
  const fail = (name: string, cause: unknown): Outcome<never> => {
    report(new Fault("a method threw", { method: name }, cause));
    return refuse("internal");
  };
  const guard = (name: string, outcome: Outcome<unknown>): Outcome<unknown> => {
    if (!outcome.ok || !(outcome.value instanceof DeferredResult)) return outcome;
    const { accepted, finished } = outcome.value;
    const guarded = finished.catch((cause: unknown) => fail(name, cause));
    return accept(new DeferredResult(accepted, guarded));
  };
  return (name, params, caller, frame) => {
    const found = table.get(name);
    if (found === undefined) return refuse("method.unknown", name);
    try {
      const outcome = found.call(params, caller, frame);
      if (!(outcome instanceof Promise)) return guard(name, outcome);
      return outcome.then(
        (done) => guard(name, done),
        (cause: unknown) => fail(name, cause),
      );
    } catch (cause) {
      return fail(name, cause);
    }
  };
}
