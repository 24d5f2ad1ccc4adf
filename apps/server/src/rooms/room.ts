/**
 * A room: one protocol, spoken over one kind of socket.
 *
 *   frame -> find method -> check scope -> check params -> handler -> dispatch
 *       \            \             \              \           \
 *        `------------`-------------`--------------`-----------`-> a refusal
 *
 * This file is the whole pipeline and the only place it is written. Rooms differ in their tables,
 * never in the order of these steps. A room may import wire and core; it may not import another
 * room, the log, the sockets in listen, or `ws`.
 */
import { Fault, refuse, type Outcome } from "@atrium/core";
import { checkLater } from "@atrium/schema";
import type { Contract, ParamsOf, ResultOf } from "@atrium/wire";
import { whyUndecided, type Principal } from "../access/credential.ts";
import type { Shown } from "../access/shown.ts";
import { callKey, type CallKey } from "./idempotency.ts";
import { describeIssues } from "./issues.ts";

/** The other end of one socket, as a room sees it: something to talk to, nothing to own. */
export interface Peer {
  readonly id: string;
  readonly address: string;
  /** On this machine, with nothing in between that claims otherwise. */
  readonly isLocal: boolean;
  /** Whether it is a process that works for the server; costs a look at the machine's processes. */
  readonly isOfAgent?: (() => boolean) | undefined;
  /** What it came to the door with, if anything. */
  readonly shown: Shown | undefined;
  /** Queues one text frame; frames of a turn leave in one write. */
  send(text: string): void;
  /** Resolves when the peer has taken what was sent: for what is read from the log faster than it can be sent. */
  room(): Promise<void>;
  /** Sends what is queued, then closes. */
  close(code: number, reason: string): void;
  /** The peer has proven who it is: full limits apply from here on. */
  admit(principal: Principal): void;
  /** From now on the peer receives what is published to that audience, until it leaves. */
  join(audience: Audience): void;
  leave(audience: Audience): void;
}

/** Peers that receive the same bytes. */
export interface Audience {
  readonly size: number;
  publish(text: string): void;
  /** For what is outdated by what follows: a peer that is behind is spared it. */
  publishPassing(text: string): void;
}

export interface PeerSession {
  receive(text: string): void | Promise<void>;
  closed(): void;
}

export interface Room {
  /** Called once per socket, right after the upgrade. */
  open(peer: Peer): PeerSession;
}

/** Who is asking. */
export interface Caller {
  /** By what it came in, and from where. */
  readonly principal: Principal;
  readonly scopes: ReadonlySet<string>;
  /** Whether one more detailed complaint is in order; they cost far more than the frames that cause them. */
  mayExplain(): boolean;
}

export interface CallContext<Who extends Caller = Caller> {
  readonly caller: Who;
  /** Under which the call is remembered, when the client gave it a key. */
  readonly key: CallKey | undefined;
}

/** A result that is already JSON text: what many peers ask for is serialized once. */
export class Encoded {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A result in two parts: that the work was taken on, and later how it ended. */
export class Interim {
  readonly first: unknown;
  readonly last: Promise<Outcome<unknown>>;

  constructor(first: unknown, last: Promise<Outcome<unknown>>) {
    this.first = first;
    this.last = last;
  }
}

export type MaybePromise<T> = T | Promise<T>;

export interface Method<Who extends Caller = Caller> {
  readonly contract: Contract;
  call(params: unknown, caller: Who): MaybePromise<Outcome<unknown>>;
}

/** Binds a contract to its code; the handler only ever sees params that are valid. */
export function on<C extends Contract, Who extends Caller = Caller>(
  contract: C,
  handler: (
    params: ParamsOf<C>,
    context: CallContext<Who>,
  ) => MaybePromise<Outcome<ResultOf<C> | Encoded | Interim>>,
): Method<Who> {
  const validator = checkLater(contract.params);
  return {
    contract,
    call(params, caller) {
      const { scope } = contract;
      if (scope !== null && !caller.scopes.has(scope)) return refuse("scope.missing", scope);
      const undecided = contract.decides ? whyUndecided(caller.principal) : undefined;
      if (undecided !== undefined) return refuse(undecided);
      const given = params ?? {};
      if (!validator.Check(given)) {
        if (!caller.mayExplain()) return refuse("params.invalid");
        return refuse("params.invalid", describeIssues(validator.Errors(given)));
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Check() just proved it
      return handler(given as ParamsOf<C>, { caller, key: callKey(contract, given) });
    },
  };
}

export type Call<Who extends Caller = Caller> = (
  name: string,
  params: unknown,
  caller: Who,
) => MaybePromise<Outcome<unknown>>;

export function createCall<Who extends Caller = Caller>(
  methods: readonly Method<Who>[],
  report: (fault: Fault) => void,
): Call<Who> {
  const table = new Map(methods.map((method) => [method.contract.name, method]));
  const fail = (name: string, cause: unknown): Outcome<never> => {
    report(new Fault("a method threw", { method: name }, cause));
    return refuse("internal");
  };
  return (name, params, caller) => {
    const method = table.get(name);
    if (method === undefined) return refuse("method.unknown", name);
    try {
      const outcome = method.call(params, caller);
      return outcome instanceof Promise
        ? outcome.catch((cause: unknown) => fail(name, cause))
        : outcome;
    } catch (cause) {
      return fail(name, cause);
    }
  };
}
