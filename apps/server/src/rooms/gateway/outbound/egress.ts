/**
 * Out of the gateway: replies to one peer, events to audiences.
 *
 * Payloads are serialized once, whoever receives them. Peers with the same rights and capabilities form
 * one audience and share one sequence: a client only checks that `seq` grows by one on its socket, so
 * numbering per audience keeps the bytes shareable. Events that only some of an audience receive
 * (subscriptions.ts), or that are dropped for a slow peer, carry no number.
 */
import {
  GATEWAY_EVENTS,
  type EventContract,
  type PayloadOf,
  type StateVersion,
} from "@atrium/wire/gateway";
import { EncodedJson } from "../../../pipeline/method-router.ts";
import { type Audience } from "../../../sockets/peer.ts";
import { CAPS } from "../frames/capabilities.ts";
import { eventHead } from "../frames/encode.ts";
import type { GatewayPeer } from "../frames/peer.ts";

/** Who receives an event, beyond its scope. */
export interface PublishOptions {
  readonly stateVersion?: StateVersion;
  /** Only peers with this capability. */
  readonly cap?: string;
  /** Not to peers that want only the events of conversations they follow. */
  readonly isOfSession?: boolean;
  /** Superseded by what follows, so it is dropped for a slow peer. */
  readonly isPassing?: boolean;
}

interface NumberedAudience {
  readonly audience: Audience;
  readonly scopes: ReadonlySet<string>;
  readonly caps: ReadonlySet<string>;
  seq: number;
}

export interface GatewayEgress {
  /** Puts the peer among those with the same rights and capabilities. */
  join(member: GatewayPeer): void;
  publish<E extends EventContract>(
    event: E,
    payload: PayloadOf<E> | EncodedJson,
    reach?: PublishOptions,
  ): void;
}

/** `present` is what a peer that reads conversations is sent once it has caught up. */
export function createGatewayEgress(
  openAudience: (present?: () => readonly string[]) => Audience,
  present: () => readonly string[],
): GatewayEgress {
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

function canSee(event: EventContract, scopes: ReadonlySet<string>): boolean {
  return event.scope === null || scopes.has(event.scope);
}
