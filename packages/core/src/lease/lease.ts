/**
 * A lease: which node may do something that only one may do at a time. The position of a grant is its fencing number:
 * whatever the holder writes is guarded by it, so nothing of an earlier holder is written after a newer grant.
 *
 * That a holder lives is not in the log. Whoever believes it to be dead takes the lease from that very life; of several
 * who do, the log's order decides, and the others find that they took nothing.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept } from "../engine/refusal.ts";
import { LEASE_EVENTS } from "./lease-shapes.ts";

export interface LeaseHolder {
  readonly node: string;
  /** Another one with every start of the node. */
  readonly life: string;
}

export interface LeaseState {
  /** Null: nobody has it. */
  readonly holder: LeaseHolder | null;
  /** The node that the present holder took it from; null when it was free. */
  readonly takenFrom: string | null;
}

export type LeaseCommand =
  | (LeaseHolder & {
      readonly type: "take";
      /** The life that has it; null: nobody has. Nothing is taken when that is no longer so. */
      readonly from: string | null;
    })
  | { readonly type: "release"; readonly life: string };

export type LeaseEvent =
  | (LeaseHolder & { readonly type: "lease.granted" })
  | { readonly type: "lease.released"; readonly life: string };

/** The one lease there is: to direct. */
export const DIRECTOR_LEASE = "director";

export const lease: Aggregate<LeaseState, LeaseCommand, LeaseEvent> = {
  name: "lease",
  onlyId: DIRECTOR_LEASE,
  initial: { holder: null, takenFrom: null },
  decide({ holder }, command) {
    const present = holder?.life ?? null;
    switch (command.type) {
      case "take": {
        const { node, life, from } = command;
        const isFree = present === from && present !== life;
        return accept(isFree ? [{ type: "lease.granted", node, life }] : []);
      }
      case "release": {
        const { life } = command;
        return accept(present === life ? [{ type: "lease.released", life }] : []);
      }
    }
  },
  evolve({ holder }, event) {
    switch (event.type) {
      case "lease.granted": {
        const { node, life } = event;
        return { holder: { node, life }, takenFrom: holder?.node ?? null };
      }
      case "lease.released":
        return { holder: null, takenFrom: null };
    }
  },
  ...createCodec<LeaseEvent>(LEASE_EVENTS),
};
