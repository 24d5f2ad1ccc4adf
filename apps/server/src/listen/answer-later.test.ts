import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { Fault } from "@atrium/core";
import { answerLater, type Answer } from "./answer-later.ts";

test("[SERVER-12] while what answers HTTP cannot be loaded a request gets 503; the next one tries again", async () => {
  const faults: Fault[] = [];
  let loads = 0;
  const answer: Answer = async (_request, response) => void response.end("hello");
  const load = async (): Promise<Answer> => {
    loads += 1;
    if (loads === 1) throw new Fault("no file can be opened");
    return answer;
  };
  const server = createServer(answerLater(load, (fault) => void faults.push(fault)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const ask = (): Promise<Response> => fetch(`http://127.0.0.1:${address.port}/`);

  const refused = await ask();
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
  assert.equal(faults.length, 1);
  const together = await Promise.all([ask(), ask(), ask()]);
  assert.deepEqual(await Promise.all(together.map((each) => each.text())), Array(3).fill("hello"));
  assert.equal(await (await ask()).text(), "hello");
  assert.deepEqual([loads, faults.length], [2, 1]);
  server.closeAllConnections();
  server.close();
});
