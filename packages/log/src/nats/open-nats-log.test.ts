import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { startNats, type NatsServers } from "../../../../test/kit/nats/nats-servers.ts";
import { describeLog } from "../log.contract.ts";
import type { Log } from "../log.ts";
import { openNatsLog } from "./index.ts";

const skip = skipWithout("nats-server");
const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-nats-log-"));
after(() => folder.remove());

for (const servers of [1, 3] as const) {
  describe(`with ${servers} server(s)`, { skip, timeout: 200_000 }, () => {
    let nats: NatsServers;
    let logs = 0;
    before(async () => void (nats = await startNats({ servers })));
    after(() => nats[Symbol.asyncDispose]());

    const open = (): Promise<Log> => {
      const stream = `log-${++logs}`;
      return openNatsLog({
        servers: nats.urls.map((url) => new URL(url).host),
        stream,
        monitors: nats.monitors,
        isUnsafe: false,
        node: { id: "n1", life: `life-${logs}` },
        copyFile: join(folder.path, `${servers}`, stream, "chain.db"),
      });
    };
    describeLog(`NATS, ${servers}`, open);
  });
}
