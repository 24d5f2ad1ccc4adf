/**
 * Why a socket was closed, and whether coming back makes sense.
 *
 * Codes below 4000 belong to RFC 6455 and are what the gateway's peers know. From 4000 on they
 * are ours: 4000-4499 mean "come back", 4500-4999 "do not, the same will happen again".
 * Reasons travel in a control frame: at most 125 bytes (RFC 6455, 5.5), of which the code takes two.
 */
export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  protocolError: 1002,
  policy: 1008,
  tooBig: 1009,
  serviceRestart: 1012,
  tryLater: 1013,
} as const;

const MAX_REASON_BYTES = 123;

/** As much of a reason as a close frame has room for, in whole characters. */
export function cutReason(reason: string): string {
  const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(MAX_REASON_BYTES));
  return reason.slice(0, read);
}

const NO_USE_TO_RETRY: ReadonlySet<number> = new Set([
  CLOSE.normal,
  CLOSE.protocolError,
  // Not ours to send, but ws and browsers do: binary refused, bad UTF-8, extension missing.
  1003,
  1007,
  1010,
  CLOSE.policy,
  CLOSE.tooBig,
]);

/** True when the same client may reasonably connect again without a change of its own. */
export function mayComeBack(code: number): boolean {
  if (code >= 4000) return code < 4500;
  return !NO_USE_TO_RETRY.has(code);
}
