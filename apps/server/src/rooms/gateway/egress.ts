/**
 * Out of the gateway: replies to one peer, events to audiences.
 *
 * Payloads are serialized once, whoever receives them. Peers with the same rights form one audience and
 * share one sequence: a client only checks that `seq` grows by one on its socket, so numbering per
 * audience keeps the bytes shareable.
 */
import type { Outcome } from "@atrium/core";
import {
  GATEWAY_EVENTS,
  type EventContract,
  type PayloadOf,
  type StateVersion,
} from "@atrium/wire/gateway";
import { Encoded, type Audience, type Peer } from "../room.ts";
import { errorShape } from "./refusals.ts";

export function reply(id: string, method: string, outcome: Outcome<unknown>): string {
  const head = `{"type":"res","id":${JSON.stringify(id)},"ok":${outcome.ok}`;
  if (!outcome.ok) return `${head},"error":${JSON.stringify(errorShape(method, outcome))}}`;
  const { value } = outcome;
  const payload = value instanceof Encoded ? value.text : JSON.stringify(value);
  return `${head},"payload":${payload}}`;
}

interface NumberedAudience {
  readonly audience: Audience;
  readonly scopes: ReadonlySet<string>;
  seq: number;
}

export interface Egress {
  /** Puts the peer among those with the same rights. */
  join(peer: Peer, scopes: ReadonlySet<string>): void;
  publish<E extends EventContract>(
    event: E,
    payload: PayloadOf<E> | Encoded,
    stateVersion?: StateVersion,
  ): void;
}

export function createEgress(openAudience: () => Audience): Egress {
  const audiences = new Map<string, NumberedAudience>();
  return {
    join(peer, scopes) {
      const visible = GATEWAY_EVENTS.map((event) => (canSee(event, scopes) ? "1" : "0")).join("");
      let entry = audiences.get(visible);
      if (entry === undefined) {
        entry = { audience: openAudience(), scopes, seq: 0 };
        audiences.set(visible, entry);
      }
      peer.join(entry.audience);
    },
    publish(event, payload, stateVersion) {
      let text: string | undefined;
      for (const entry of audiences.values()) {
        if (entry.audience.size === 0 || !canSee(event, entry.scopes)) continue;
        text ??= eventHead(event.name, payload);
        const versions =
          stateVersion === undefined ? "" : `,"stateVersion":${JSON.stringify(stateVersion)}`;
        entry.audience.publish(`${text},"seq":${++entry.seq}${versions}}`);
      }
    },
  };
}

/** An event for one peer alone; it has no part in any sequence. */
export function targeted<E extends EventContract>(event: E, payload: PayloadOf<E>): string {
  return `${eventHead(event.name, payload)}}`;
}

function eventHead(name: string, payload: unknown): string {
  const text = payload instanceof Encoded ? payload.text : JSON.stringify(payload);
  return `{"type":"event","event":${JSON.stringify(name)},"payload":${text}`;
}

function canSee(event: EventContract, scopes: ReadonlySet<string>): boolean {
  return event.scope === null || scopes.has(event.scope);
}
