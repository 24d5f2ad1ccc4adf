/**
 * Out of the gateway: replies to one peer, events to audiences.
 *
 * Payloads are serialized once, whoever receives them. Peers with the same rights and capabilities form
 * one audience and share one sequence: a client only checks that `seq` grows by one on its socket, so
 * numbering per audience keeps the bytes shareable. Events that only some of an audience receive
 * (subscriptions.ts), or that a slow peer may be spared, carry no number.
 */
import type { Outcome } from "@atrium/core";
import {
  GATEWAY_EVENTS,
  type ErrorShape,
  type EventContract,
  type PayloadOf,
  type StateVersion,
} from "@atrium/wire/gateway";
import { Encoded, type Audience } from "../room.ts";
import { errorShape } from "./refusals.ts";
import type { Member } from "./session.ts";

/** An answer that failed and still has something to say, as the peer does for a run that ended badly. */
export class FailedReply extends Encoded {
  readonly error: ErrorShape;

  constructor(payload: unknown, error: ErrorShape) {
    super(JSON.stringify(payload));
    this.error = error;
  }
}

export function reply(id: string, method: string, outcome: Outcome<unknown>): string {
  const head = `{"type":"res","id":${JSON.stringify(id)},"ok":`;
  if (!outcome.ok) return `${head}false,"error":${JSON.stringify(errorShape(method, outcome))}}`;
  const { value } = outcome;
  if (value instanceof FailedReply) {
    return `${head}false,"payload":${value.text},"error":${JSON.stringify(value.error)}}`;
  }
  const payload = value instanceof Encoded ? value.text : JSON.stringify(value);
  return `${head}true,"payload":${payload}}`;
}

/** What a client must have said it can take before it is sent more than the plain protocol. */
export const CAPS = { toolEvents: "tool-events", sessionScoped: "session-scoped-events" } as const;

/** Whom to tell beyond what the event's scope says. */
export interface Reach {
  readonly stateVersion?: StateVersion;
  /** Only peers with this capability. */
  readonly cap?: string;
  /** Not to peers that asked for the events of the conversations they follow only. */
  readonly isOfSession?: boolean;
  /** Outdated by what follows, so a slow peer is spared it. */
  readonly isPassing?: boolean;
}

interface NumberedAudience {
  readonly audience: Audience;
  readonly scopes: ReadonlySet<string>;
  readonly caps: ReadonlySet<string>;
  seq: number;
}

export interface Egress {
  /** Puts the peer among those with the same rights and capabilities. */
  join(member: Member): void;
  publish<E extends EventContract>(event: E, payload: PayloadOf<E> | Encoded, reach?: Reach): void;
}

/** `present` is what a peer that reads conversations is told once it has caught up. */
export function createEgress(
  openAudience: (present?: () => readonly string[]) => Audience,
  present: () => readonly string[],
): Egress {
  const audiences = new Map<string, NumberedAudience>();
  return {
    join({ peer, scopes, caps }) {
      const visible = GATEWAY_EVENTS.map((event) => (canSee(event, scopes) ? "1" : "0")).join("");
      const able = Object.values(CAPS).filter((cap) => caps.has(cap));
      const name = [visible, ...able].join(" ");
      let entry = audiences.get(name);
      if (entry === undefined) {
        const audience = openAudience(scopes.has("operator.read") ? present : undefined);
        entry = { audience, scopes, caps: new Set(able), seq: 0 };
        audiences.set(name, entry);
      }
      peer.join(entry.audience);
    },
    publish(event, payload, reach = {}) {
      const { stateVersion, cap, isOfSession = false, isPassing = false } = reach;
      let text: string | undefined;
      for (const entry of audiences.values()) {
        if (entry.audience.size === 0 || !canSee(event, entry.scopes)) continue;
        if (cap !== undefined && !entry.caps.has(cap)) continue;
        if (isOfSession && entry.caps.has(CAPS.sessionScoped)) continue;
        text ??= eventHead(event.name, payload);
        if (isPassing) {
          entry.audience.publishPassing(`${text}}`);
          continue;
        }
        const versions =
          stateVersion === undefined ? "" : `,"stateVersion":${JSON.stringify(stateVersion)}`;
        entry.audience.publish(`${text},"seq":${++entry.seq}${versions}}`);
      }
    },
  };
}

/** An event that has no part in any sequence. */
export function unnumbered<E extends EventContract>(
  event: E,
  payload: PayloadOf<E> | Encoded,
): string {
  return `${eventHead(event.name, payload)}}`;
}

function eventHead(name: string, payload: unknown): string {
  const text = payload instanceof Encoded ? payload.text : JSON.stringify(payload);
  return `{"type":"event","event":${JSON.stringify(name)},"payload":${text}`;
}

function canSee(event: EventContract, scopes: ReadonlySet<string>): boolean {
  return event.scope === null || scopes.has(event.scope);
}
