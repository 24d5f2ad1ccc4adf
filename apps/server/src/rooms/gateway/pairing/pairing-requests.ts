/**
 * Pairing requests of devices on other machines, which an operator approves or rejects.
 *
 * Only a device that presents the right shared token gets this far. Even so a request costs an entry in the
 * log, so they are limited per address, only so many are open at a time, and each expires. Repeating an
 * open request costs nothing.
 */
import {
  device,
  Fault,
  hasOpenRequest,
  type Clock,
  type Devices,
  type Dispatch,
  type Ids,
  type RequestPairing,
} from "@atrium/core";
import type { AuthAttempts } from "../../../access/auth-attempts.ts";
import { repeat, systemTimers } from "../../../platform/timers.ts";

export interface PairingRequestDeps {
  readonly devices: Pick<Devices, "requestOf" | "requests">;
  readonly dispatch: Dispatch;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Limits new requests per address. */
  readonly attempts: AuthAttempts;
  readonly limits: { readonly pairingRequestMs: number };
  readonly report: (fault: Fault) => void;
}

export type PairingClaim = Omit<RequestPairing, "type" | "requestId" | "now" | "expiresAt">;

export type PairingResult =
  | { readonly state: "waiting"; readonly requestId: string }
  | { readonly state: "limited"; readonly retryAfterMs: number }
  | { readonly state: "failed" };

export interface PairingRequests {
  file(claim: PairingClaim): Promise<PairingResult>;
  close(): void;
}

const MAX_QUEUE = 64;
const SWEEP_MS = 15_000;

export function openPairingRequests(deps: PairingRequestDeps): PairingRequests {
  const { devices, dispatch, ids, clock, attempts, limits, report } = deps;

  async function expire(): Promise<void> {
    const now = clock.now();
    for (const { deviceId, expiresAt } of devices.requests()) {
      if (expiresAt <= now) await dispatch(device, deviceId, { type: "expire", now });
    }
  }
  const stopSweeping = repeat(
    systemTimers,
    () => Math.min(SWEEP_MS, limits.pairingRequestMs),
    () => void expire().catch((cause: unknown) => report(new Fault("expiring failed", {}, cause))),
  );

  function limitFor(claim: PairingClaim, now: number): number {
    const own = devices.requestOf(claim.deviceId);
    if (own !== undefined && hasOpenRequest(own, claim, now)) return 0;
    const { address } = claim;
    const waitMs = attempts.waitMs(address);
    if (waitMs > 0) return waitMs;
    attempts.failed(address, "pairing");
    const [oldest] = devices.requests();
    if (oldest === undefined || devices.requests().length < MAX_QUEUE) return 0;
    return Math.max(1, oldest.expiresAt - now);
  }

  return {
    async file(claim) {
      const now = clock.now();
      const retryAfterMs = limitFor(claim, now);
      if (retryAfterMs > 0) return { state: "limited", retryAfterMs };
      const expiresAt = now + limits.pairingRequestMs;
      const request = { type: "request", requestId: ids.next(), now, expiresAt, ...claim } as const;
      const done = await dispatch(device, claim.deviceId, request);
      const waiting = devices.requestOf(claim.deviceId);
      if (!done.ok || waiting === undefined) return { state: "failed" };
      return { state: "waiting", requestId: waiting.requestId };
    },
    close: stopSweeping,
  };
}
