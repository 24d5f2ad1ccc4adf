/** Which addresses lead to this machine and nowhere else. */
import { networkInterfaces } from "node:os";

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}

/** A server may listen on one address of the network, or on all of them; what is sent there stays here. */
export function isThisMachine(hostname: string): boolean {
  if (isLoopback(hostname) || hostname === "0.0.0.0" || hostname === "[::]") return true;
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return Object.values(networkInterfaces()).some((all) =>
    all?.some((each) => each.address === address),
  );
}
