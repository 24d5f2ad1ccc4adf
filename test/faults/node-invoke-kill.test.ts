import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, connectApprovedNode, connectNode, requestsTo } from "../kit/node.ts";
import { startServer, withHome } from "../kit/server-process.ts";

test("[GW-52] what kill -9 cut off is settled as such: the same key says so and the node is not asked again", async () => {
  await withHome(async (home) => {
    const asked = { command: "say", idempotencyKey: "cut", timeoutMs: 600_000 };
    let device;
    {
      await using server = await startServer(home);
      const operator = await server.connect();
      const node = await connectApprovedNode(server, operator);
      ({ device } = node);
      void operator
        .request("node.invoke", { nodeId: node.nodeId, ...asked })
        .catch(() => undefined);
      await node.event("node.invoke.request");
      await server.end("SIGKILL");
    }
    await using server = await startServer(home);
    await using operator = await server.connect();
    await using node = await connectNode(server, { device });
    const { nodeId } = node;
    const { error } = await operator.request("node.invoke", { nodeId, ...asked });
    assert.equal(error?.details.nodeError.code, "INTERRUPTED");
    assert.deepEqual(requestsTo(node), []);

    const anew = operator.ask("node.invoke", { nodeId, ...asked, idempotencyKey: "anew" });
    await answer(node, (await node.event("node.invoke.request")).payload);
    assert.equal((await anew).ok, true);
    assert.deepEqual((await operator.request("node.invoke", { nodeId, ...asked })).error, error);
  });
});
