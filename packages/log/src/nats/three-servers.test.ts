import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { startNats, type NatsServers } from "../../../../test/kit/nats/nats-servers.ts";
import { describeLog } from "../log.contract.ts";
import { openNode } from "./testing/open-node.ts";

const skip = skipWithout("nats-server");
const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-nats-log-"));
after(() => folder.remove());

describe("with three servers", { skip, timeout: 200_000 }, () => {
  let nats: NatsServers;
  let streams = 0;
  before(async () => void (nats = await startNats({ servers: 3 })));
  after(() => nats[Symbol.asyncDispose]());

  describeLog("NATS, three servers", () =>
    openNode(nats, { folder: folder.path, stream: `three-${++streams}` }),
  );
});
