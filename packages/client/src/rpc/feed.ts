/**
 * The events of a connection: checks each against its declaration, notices gaps in their numbers and
 * hands them to whoever listens.
 *
 * Numbers belong to one socket, and the first one seen may be any. An event without a number is
 * neither counted nor missed.
 */
import type { EventFrame } from "@atrium/wire/gateway";
import { Listeners, type Unsubscribe } from "../base/listeners.ts";
import type { Report } from "../base/problem.ts";
import { findEvent } from "./catalogue.ts";
import type { SchemaChecks } from "./schema-checks.ts";

export interface Gap {
  readonly expected: number;
  readonly received: number;
}

export type EventHandler<Payload> = (payload: Payload, frame: EventFrame) => void;

export class Feed {
  readonly #checks: SchemaChecks;
  readonly #report: Report;
  readonly #byName = new Map<string, Listeners<[unknown, EventFrame]>>();
  readonly #gaps: Listeners<[Gap]>;
  #lastSeq: number | null = null;

  constructor(checks: SchemaChecks, report: Report) {
    this.#checks = checks;
    this.#report = report;
    this.#gaps = new Listeners((cause) => report({ kind: "handler", cause }));
  }

  onGap(handler: (gap: Gap) => void): Unsubscribe {
    return this.#gaps.add(handler);
  }

  /** The client's signature says which payload belongs to which name. */
  on(name: string, handler: EventHandler<never>): Unsubscribe {
    const listeners =
      this.#byName.get(name) ??
      new Listeners<[unknown, EventFrame]>((cause) => this.#report({ kind: "handler", cause }));
    this.#byName.set(name, listeners);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- deliver() has checked it
    return listeners.add((payload, frame) => handler(payload as never, frame));
  }

  /** A new socket starts its own count. */
  restart(): void {
    this.#lastSeq = null;
  }

  deliver(frame: EventFrame): void {
    this.#count(frame.seq);
    const contract = findEvent(frame.event);
    if (contract !== undefined && !this.#checks.is(contract.payload, frame.payload)) {
      const issue = this.#checks.issue(contract.payload, frame.payload);
      this.#report({ kind: "event", event: frame.event, issue });
      return;
    }
    this.#byName.get(frame.event)?.notify(frame.payload, frame);
    this.#byName.get("*")?.notify(frame.payload, frame);
  }

  #count(seq: number | undefined): void {
    if (seq === undefined) return;
    const expected = this.#lastSeq === null ? seq : this.#lastSeq + 1;
    this.#lastSeq = seq;
    if (seq > expected) this.#gaps.notify({ expected, received: seq });
  }
}
