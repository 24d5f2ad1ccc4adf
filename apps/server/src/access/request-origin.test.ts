import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { createOriginOf, isNetwork } from "./request-origin.ts";

function requestFrom(address: string, headers: Readonly<Record<string, string>>): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: address });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, { host: "127.0.0.1:18789", ...headers });
  return request;
}

const originOf = createOriginOf(["127.0.0.1", "10.0.0.0/8", "fd00::/8"]);

test("[LISTEN-10] the client is the rightmost address that no named proxy has", () => {
  const cases: readonly [peer: string, forwarded: string, client: string][] = [
    ["127.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["127.0.0.1", "192.0.2.1, 203.0.113.7", "203.0.113.7"],
    ["10.1.2.3", "203.0.113.7, 10.9.9.9", "203.0.113.7"],
    ["::ffff:10.1.2.3", "203.0.113.7,10.9.9.9", "203.0.113.7"],
    ["fd00::1", "2001:db8::5", "2001:db8::5"],
    ["fd00::1", "[2001:db8::5]:443", "2001:db8::5"],
    // What is not an address was not written by a proxy of ours.
    ["10.1.2.3", "203.0.113.7, nonsense", "10.1.2.3"],
    ["10.1.2.3", "", "10.1.2.3"],
    // One that nobody named speaks for itself.
    ["192.0.2.99", "203.0.113.7", "192.0.2.99"],
  ];
  for (const [peer, forwarded, client] of cases) {
    const { address, isLocal } = originOf(requestFrom(peer, { "x-forwarded-for": forwarded }));
    assert.deepEqual([address, isLocal], [client, false], `${peer} for ${forwarded}`);
  }
});

test("[LISTEN-10] TLS is known from a named proxy alone", () => {
  const headers = { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
  assert.equal(originOf(requestFrom("127.0.0.1", headers)).isSecure, true);
  assert.equal(originOf(requestFrom("192.0.2.99", headers)).isSecure, false);
  const plain = { ...headers, "x-forwarded-proto": "https, http" };
  assert.equal(originOf(requestFrom("127.0.0.1", plain)).isSecure, false);
});

test("[LISTEN-10] this machine is a loopback socket, without a trace of a proxy, under its own name", () => {
  const isLocal = (address: string, headers: Readonly<Record<string, string>> = {}): boolean =>
    originOf(requestFrom(address, headers)).isLocal;
  for (const address of ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"]) {
    assert.equal(isLocal(address), true, address);
  }
  for (const host of [
    "localhost",
    "LOCALHOST:1",
    "a.localhost",
    "[::1]:80",
    "127.1.1.1",
    "0.0.0.0:1",
  ]) {
    assert.equal(isLocal("::1", { host }), true, host);
  }
  for (const host of ["192.0.2.7", "127.0.0.1.example", "localhost.example", "", "[::2]"]) {
    assert.equal(isLocal("::1", { host }), false, host);
  }
  for (const address of ["192.0.2.7", "::2", "unknown"]) assert.equal(isLocal(address), false);
  for (const name of ["via", "forwarded", "x-forwarded-port", "cf-ray", "x-real-ip"]) {
    assert.equal(isLocal("127.0.0.1", { [name]: "x" }), false, name);
  }
});

test("[SERVER-2] proxies are named by address or network", () => {
  for (const text of ["10.0.0.1", "10.0.0.0/8", "::1", "fd00::/8", "0.0.0.0/0"]) {
    assert.equal(isNetwork(text), true, text);
  }
  for (const text of ["", "proxy", "10.0.0.0/33", "10.0.0.0/", "::/129", "10.0.0.0/8/8"]) {
    assert.equal(isNetwork(text), false, text);
  }
});
