import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse } from "@atrium/core";
import { createChannels, type Channel, type OutgoingMessage } from "./channel.ts";

const message: OutgoingMessage = {
  to: "x",
  text: "hello",
  from: "Ann",
  agent: undefined,
  key: undefined,
};

function phone(messageId: string): Channel {
  return {
    id: "phone",
    label: "Phone",
    deliver: ({ to }) => Promise.resolve(accept({ messageId, to })),
  };
}

test("a channel is known from its registration until it leaves", async () => {
  const channels = createChannels(() => 42);
  assert.deepEqual(channels.find("phone"), refuse("channel.unknown", "phone (there are: )"));
  const leave = channels.register(phone("m1"));
  const found = channels.find(" Phone ");
  assert.ok(found.ok);
  assert.equal(channels.lastDelivery("phone"), null);
  assert.deepEqual(await found.value.deliver(message), accept({ messageId: "m1", to: "x" }));
  assert.equal(channels.lastDelivery("phone"), 42);
  leave();
  assert.equal(channels.find("phone").ok, false);
  assert.deepEqual(channels.list(), []);
});

test("leaving does not take out the one that came in its place", () => {
  const channels = createChannels(() => 0);
  const leave = channels.register(phone("m1"));
  channels.register(phone("m2"));
  leave();
  assert.equal(channels.find("phone").ok, true);
});
