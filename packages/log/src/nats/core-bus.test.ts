import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { startNats, type NatsServers } from "../../../../test/kit/nats/nats-servers.ts";
import type { Bus } from "../chain/bus.ts";
import { connectNats, type NatsPeers } from "./connect-nats.ts";

const skip = skipWithout("nats-server");
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (found: Uint8Array): string => new TextDecoder().decode(found);

function listen(bus: Bus, subject: string): readonly string[] {
  const heard: string[] = [];
  bus.subscribe(subject, (message) => heard.push(textOf(message)));
  return heard;
}

describe("the bus over core NATS", { skip, timeout: 60_000 }, () => {
  let nats: NatsServers;
  before(async () => void (nats = await startNats()));
  after(() => nats[Symbol.asyncDispose]());
  const open = (stream: string): Promise<NatsPeers> =>
    connectNats({
      servers: nats.urls.map((url) => new URL(url).host),
      stream,
      monitors: nats.monitors,
      isUnsafe: false,
    });

  test("[LOG-49] every node of a log hears what one publishes, itself too, and no other log does", async () => {
    await using one = await open("one");
    await using two = await open("one");
    await using other = await open("other");
    const heard = [one, two, other].map(({ bus }) => listen(bus, "live.>"));
    const exact = listen(two.bus, "live.a");
    // Answered once everything before it is, so all subscriptions are there.
    await Promise.all([one, two, other].map(({ chain }) => chain.last()));
    one.bus.publish("live.a", bytes("first"));
    two.bus.publish("live.b.c", bytes("second"));
    other.bus.publish("live.a", bytes("elsewhere"));
    while (heard.some(({ length }, at) => length < (at === 2 ? 1 : 2))) await setTimeout(10);
    assert.deepEqual(
      heard.map((texts) => texts.toSorted()),
      [["first", "second"], ["first", "second"], ["elsewhere"]],
    );
    assert.deepEqual(exact, ["first"]);
  });

  test("[LOG-49] a request has the first answer, or none in time, and a handler that left answers no more", async () => {
    await using one = await open("asks");
    await using two = await open("asks");
    const handler = two.bus.subscribe("double", (message, reply) =>
      reply?.(bytes(textOf(message).repeat(2))),
    );
    two.bus.subscribe("silent", () => undefined);
    await two.chain.last();
    const answer = await one.bus.request("double", bytes("ab"), 1_000);
    assert.equal(answer === undefined ? undefined : textOf(answer), "abab");
    assert.equal(await one.bus.request("silent", bytes("?"), 50), undefined);
    handler[Symbol.dispose]();
    await two.chain.last();
    assert.equal(await one.bus.request("double", bytes("ab"), 1_000), undefined);
  });

  test("[LOG-49] a plain message has no way to answer", async () => {
    await using peers = await open("plain");
    const replies: unknown[] = [];
    peers.bus.subscribe("a", (_message, reply) => replies.push(reply));
    peers.bus.publish("a", bytes("x"));
    while (replies.length === 0) await setTimeout(10);
    assert.deepEqual(replies, [undefined]);
  });
});
