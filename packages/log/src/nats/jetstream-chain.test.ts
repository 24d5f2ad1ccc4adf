import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { startNats, type NatsServers } from "../../../../test/kit/nats/nats-servers.ts";
import type { Chain, Link } from "../chain/chain.ts";
import { isFault } from "../contract/log-steps.ts";
import { connectNats, type NatsPeers } from "./connect-nats.ts";
import { UnreachableServers } from "./jetstream-chain.ts";
import type { NatsPlace } from "./nats-connection.ts";

const skip = skipWithout("nats-server");
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (found: Uint8Array | undefined): string | undefined =>
  found === undefined ? undefined : new TextDecoder().decode(found);

let streams = 0;

function settingsFor(nats: NatsServers, urls = nats.urls): NatsPlace {
  return {
    servers: urls.map((url) => new URL(url).host),
    stream: `chain-${++streams}`,
    monitors: nats.monitors,
    isUnsafe: false,
  };
}

async function collect(chain: Chain, from: number, count: number): Promise<readonly Link[]> {
  const stop = new AbortController();
  const links: Link[] = [];
  for await (const link of chain.watch(from, stop.signal)) {
    links.push(link);
    if (links.length === count) stop.abort();
  }
  return links;
}

for (const servers of [1, 3] as const) {
  describe(`a chain at ${servers} server(s)`, { skip, timeout: 120_000 }, () => {
    let nats: NatsServers;
    before(async () => void (nats = await startNats({ servers, maxPayload: "1MB" })));
    after(() => nats[Symbol.asyncDispose]());
    const open = (settings = settingsFor(nats)): Promise<NatsPeers> => connectNats(settings);

    test("[LOG-45] a place takes one message, and only after the place before it", async () => {
      await using peers = await open();
      const { chain } = peers;
      assert.equal(await chain.last(), 0);
      assert.equal(await chain.publish(0, bytes("a")), "written");
      assert.equal(await chain.publish(0, bytes("b")), "taken");
      assert.equal(await chain.publish(1, bytes("c")), "written");
      assert.equal(await chain.publish(0, bytes("a")), "taken");
      assert.equal(await chain.last(), 2);
      const found = await Promise.all([1, 2, 3].map((n) => chain.read(n)));
      assert.deepEqual(found.map(textOf), ["a", "c", undefined]);
    });

    test("[LOG-45] of writers that race for a place one gets it, and the others learn so", async () => {
      const settings = settingsFor(nats);
      await using stack = new AsyncDisposableStack();
      const nodes: NatsPeers[] = [];
      for (let n = 0; n < 4; n++) nodes.push(stack.use(await open(settings)));
      for (let place = 0; place < 25; place++) {
        const results = await Promise.all(
          nodes.map(({ chain }, n) => chain.publish(place, bytes(`${place} ${n}`))),
        );
        const winners = results.flatMap((result, n) => (result === "written" ? [n] : []));
        assert.equal(winners.length, 1, results.join());
        assert.ok(results.every((result) => result !== "unknown"));
        const stored = await nodes[0]?.chain.read(place + 1);
        assert.equal(textOf(stored), `${place} ${winners[0]}`);
      }
    });

    test("[LOG-46] nothing is concluded from a stream that ends before the place", async () => {
      await using peers = await open();
      assert.equal(await peers.chain.publish(4, bytes("early")), "unknown");
      assert.equal(await peers.chain.last(), 0);
      assert.equal(peers.chain.trouble, undefined);
    });

    test("[LOG-47] what servers do not take is malformed before it is sent, and the log goes on", async () => {
      await using peers = await open();
      const { chain } = peers;
      await assert.rejects(
        chain.publish(0, new Uint8Array(chain.maxBytes + 1)),
        (error) => isFault("malformed")(error) && /raise max_payload/.test(String(error)),
      );
      assert.equal(await chain.publish(0, new Uint8Array(chain.maxBytes).fill(7)), "written");
      assert.equal((await chain.read(1))?.length, chain.maxBytes);
    });

    test("[LOG-48] watching begins after any place, goes on with what comes, and ends with its signal", async () => {
      await using peers = await open();
      const { chain } = peers;
      for (let n = 0; n < 5; n++) await chain.publish(n, bytes(`m${n + 1}`));
      const watched = collect(chain, 2, 5);
      for (let n = 5; n < 7; n++) await chain.publish(n, bytes(`m${n + 1}`));
      const links = await watched;
      assert.deepEqual(
        links.map((link) => [link.n, textOf(link.bytes)]),
        [3, 4, 5, 6, 7].map((n) => [n, `m${n}`]),
      );
      const never = collect(chain, 7, 1);
      await setTimeout(50);
      await chain.publish(7, bytes("m8"));
      assert.deepEqual(
        (await never).map(({ n }) => n),
        [8],
      );
    });

    test("[LOG-50] a node that is cut off says so, and goes on when it finds the servers again", async () => {
      const way = await nats.openWay();
      await using peers = await open(settingsFor(nats, way.urls));
      const { chain, bus } = peers;
      const heard: string[] = [];
      using _listener = bus.subscribe("here", (message) => heard.push(String(textOf(message))));
      assert.equal(await chain.publish(0, bytes("a")), "written");
      await way.cut();
      assert.equal(await chain.publish(1, bytes("b")), "unknown");
      assert.match(chain.trouble ?? "", /no connection to the log's servers/);
      await assert.rejects(chain.read(1), UnreachableServers);
      await assert.rejects(chain.last(), UnreachableServers);
      bus.publish("here", bytes("late"));
      assert.equal(await bus.request("here", bytes("late"), 100), undefined);
      await way.heal();
      while (chain.trouble !== undefined) await setTimeout(20);
      // The publish of before may have arrived by now: that is why it was unknown.
      assert.notEqual(await chain.publish(1, bytes("b")), "unknown");
      assert.equal(textOf(await chain.read(2)), "b");
      bus.publish("here", bytes("again"));
      while (heard.length === 0) await setTimeout(20);
      assert.deepEqual(heard, ["again"]);
    });
  });
}
