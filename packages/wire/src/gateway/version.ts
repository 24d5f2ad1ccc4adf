/** Versions of the gateway protocol. The greatest one both sides speak is used. */

/** What we speak in full; older peers speak 3, and the protocol's first examples 2. */
export const GATEWAY_PROTOCOL_VERSION = 4;
export const MIN_GATEWAY_PROTOCOL_VERSION = 2;
