import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { connect } from "@nats-io/transport-node";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { startNats } from "../../../../test/kit/nats/nats-servers.ts";
import { connectNats } from "./connect-nats.ts";
import { changeLeader } from "./stream-leader.ts";

const skip = skipWithout("nats-server");
const COUNT = 40;
const stream = "damaged";

test(
  "[LOG-48] a message that the leader's damaged files lack is read from the next leader",
  { skip, timeout: 120_000 },
  async () => {
    await using nats = await startNats({ servers: 3 });
    const servers = nats.urls.map((url) => new URL(url).host);
    const settings = { servers, stream, monitors: nats.monitors, isUnsafe: false };
    const bodies = Array.from({ length: COUNT }, (_, n) =>
      Buffer.from(`message ${n + 1} `.repeat(50)),
    );
    {
      await using peers = await connectNats(settings);
      for (const [n, body] of bodies.entries()) {
        assert.equal(await peers.chain.publish(n, body), "written");
      }
    }
    while ((await nats.copies(stream)).some((copy) => copy?.lastSeq !== COUNT)) {
      await setTimeout(50);
    }
    const damaged = 1;
    await nats.end(damaged);
    const block = join(nats.storeFolder(damaged), "jetstream/LOG/streams", stream, "msgs/1.blk");
    const stored = readFileSync(block);
    const at = stored.indexOf("message 20 ");
    assert.ok(at > 0);
    stored[at + 3] = (stored[at + 3] ?? 0) ^ 1;
    writeFileSync(block, stored);
    await nats.restart(damaged);

    const operator = await connect({ servers });
    for (let tries = 0; (await nats.leader(stream)) !== damaged; tries++) {
      assert.ok(tries < 30, "the damaged server never led");
      await changeLeader(operator, stream);
    }
    await operator.close();
    await using peers = await connectNats(settings);
    for (const [n, body] of bodies.entries()) {
      const found = await peers.chain.read(n + 1);
      assert.ok(found !== undefined && body.equals(found), `message ${n + 1}`);
    }
    assert.notEqual(await nats.leader(stream), damaged);
  },
);
