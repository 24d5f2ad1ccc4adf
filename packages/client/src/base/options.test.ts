import assert from "node:assert/strict";
import { test } from "node:test";
import { readAddress } from "./address.ts";
import { settingsFrom } from "./options.ts";

test("[CLIENT-1] an address and a token are enough", () => {
  const { client, role, scopes, token } = settingsFrom({ url: "ws://a.test", token: "secret" });
  assert.deepEqual([client.id, client.mode], ["gateway-client", "backend"]);
  assert.ok(client.version !== "" && client.platform !== "");
  assert.deepEqual([role, scopes], ["operator", ["operator.read", "operator.write"]]);
  assert.equal(token, "secret");
  // A node holds no scopes of operators.
  assert.deepEqual(settingsFrom({ url: "ws://a.test", role: "node" }).scopes, []);
  assert.deepEqual(settingsFrom({ url: "ws://a.test", scopes: [] }).scopes, []);
});

test("[CLIENT-1] an address may be as the server prints it", () => {
  const printed = "http://127.0.0.1:18789/#token=secret";
  assert.deepEqual(readAddress(printed), {
    socketUrl: "ws://127.0.0.1:18789/",
    httpUrl: "http://127.0.0.1:18789/",
    token: "secret",
  });
  assert.equal(readAddress(printed, "/ws/world").socketUrl, "ws://127.0.0.1:18789/ws/world");
  assert.equal(readAddress("wss://a.test/hall", "/ws/world").socketUrl, "wss://a.test/hall");
  assert.equal(readAddress("wss://a.test").httpUrl, "https://a.test/");
  assert.equal(readAddress("not an address").socketUrl, "not an address");
  const { url, token } = settingsFrom({ url: printed });
  assert.deepEqual([url, token], ["ws://127.0.0.1:18789/", "secret"]);
  assert.equal(settingsFrom({ url: printed, token: "other" }).token, "other");
});
