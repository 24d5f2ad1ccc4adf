/**
 * Where a request comes from: the sender's address, whether that is this machine, and whether it came over
 * TLS.
 *
 * A proxy is believed only when the settings name it. Any trace of another one (a header that proxies
 * add, a Host that is not this machine's own) means that whoever sent the request may be anywhere.
 */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import { hostName } from "./host-policy.ts";

export interface RequestOrigin {
  readonly address: string;
  /** A socket from this machine, with nothing in between. */
  readonly isLocal: boolean;
  readonly isSecure: boolean;
}

export type OriginOf = (request: IncomingMessage) => RequestOrigin;

const UNKNOWN = "unknown";
const LOOPBACK = /^(?:127\.|::1$)/;
/** Connecting to one of the last two reaches this machine: a server on every address is written so. */
const LOCAL_NAME = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0|::)$/;
const ADDED_BY_PROXIES =
  /^(?:forwarded|via|x-forwarded.*|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.*|true-client-ip|client-ip|cf-.*|cdn-.*|fastly-.*|fly-.*|x-envoy-.*|x-amz.*|x-azure-.*|x-vercel-.*|x-nf-.*|tailscale-.*|ngrok-.*)$/;

/** The list may change. */
export function createOriginOf(trustedProxies: readonly string[]): OriginOf {
  const trustNow = createTrust(trustedProxies);
  return ({ headers, socket }) => {
    const peer = plainAddress(socket.remoteAddress ?? UNKNOWN);
    const isProxied = Object.keys(headers).some((name) => ADDED_BY_PROXIES.test(name));
    const isLocal =
      isLoopback(peer) && !isProxied && isLocalName(hostName(headers.host ?? "") ?? "");
    const isTls = "encrypted" in socket && socket.encrypted === true;
    const isTrusted = trustNow();
    if (!isProxied || !isTrusted(peer)) return { address: peer, isLocal, isSecure: isTls };
    const address = clientOf(peer, listOf(headers["x-forwarded-for"]), isTrusted);
    const isSecure = isTls || listOf(headers["x-forwarded-proto"]).at(-1) === "https";
    return { address, isLocal: false, isSecure };
  };
}

/** Of a Host header, without the port. */
export function isLocalName(name: string): boolean {
  return LOCAL_NAME.test(name);
}

/** The nearest address that is no trusted proxy: everything left of it was written by that sender. */
function clientOf(peer: string, hops: readonly string[], isTrusted: IsTrusted): string {
  let nearest = peer;
  for (const hop of hops.toReversed()) {
    const address = plainAddress(hop.replace(/^\[([^\]]*)\](?::\d+)?$/, "$1"));
    if (isIP(address) === 0) return nearest;
    nearest = address;
    if (!isTrusted(address)) return address;
  }
  return nearest;
}

type IsTrusted = (address: string) => boolean;

/** A list of blocks is made anew only where the settings have changed. */
function createTrust(trustedProxies: readonly string[]): () => IsTrusted {
  let known: readonly string[] = [];
  let isTrusted = createIsTrusted(known);
  return () => {
    const isSame =
      known.length === trustedProxies.length &&
      known.every((each, at) => each === trustedProxies[at]);
    if (!isSame) {
      known = [...trustedProxies];
      isTrusted = createIsTrusted(known);
    }
    return isTrusted;
  };
}

function createIsTrusted(trustedProxies: readonly string[]): IsTrusted {
  const list = new BlockList();
  for (const named of trustedProxies) {
    const [address = "", prefix] = named.split("/", 2);
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
  };
}

/** An address or a network, as in `trustedProxies`. */
export function isNetwork(text: string): boolean {
  const [address = "", prefix, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32);
}

export function isLoopback(address: string): boolean {
  return LOOPBACK.test(plainAddress(address));
}

/** Without the zone, and with mapped IPv4 addresses as IPv4. */
function plainAddress(address: string): string {
  return address.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}

function listOf(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === "string" ? header : (header ?? []).join(",");
  return text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}
