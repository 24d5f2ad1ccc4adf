import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseSeed, createRandom } from "../kit/random.ts";
import { startServer, withHome } from "../kit/server-process.ts";

const ROUNDS = 10;

test("[GW-23] what was acknowledged is there after kill -9, once and in order", async (t) => {
  const seed = chooseSeed();
  t.diagnostic(`seed ${seed}`);
  const random = createRandom(seed);
  await withHome(async (home) => {
    const acknowledged: string[] = [];
    let unanswered: string | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await startServer(home);
      const peer = await server.connect();
      // The one the crash left open is sent again with the same key: it must count once, whichever it was.
      if (unanswered !== undefined) acknowledged.push(await inject(peer, unanswered));
      unanswered = undefined;
      const deadline = performance.now() + random() * 150;
      const killed = new Promise<void>((resolve) => {
        setTimeout(
          () => void server.end("SIGKILL").then(() => resolve()),
          deadline - performance.now(),
        );
      });
      for (let n = 0; ; n++) {
        unanswered = `${round}-${n}`;
        try {
          acknowledged.push(await inject(peer, unanswered));
        } catch {
          break;
        }
      }
      await killed;
    }
    await using server = await startServer(home);
    await using peer = await server.connect();
    if (unanswered !== undefined) acknowledged.push(await inject(peer, unanswered));
    const texts: string[] = [];
    for (let offset = 0; ; offset += 1000) {
      const page = await peer.ask("chat.history", { sessionKey: "main", limit: 1000, offset });
      texts.unshift(
        ...page.messages.map(
          (message: { content: { text: string }[] }) => message.content[0]?.text ?? "",
        ),
      );
      if (page.hasMore !== true) break;
    }
    assert.ok(acknowledged.length > ROUNDS);
    assert.deepEqual(texts, acknowledged);
    t.diagnostic(`${texts.length} messages over ${ROUNDS} kills`);
  });
});

async function inject(
  peer: { ask(method: string, params: unknown): Promise<unknown> },
  text: string,
): Promise<string> {
  await peer.ask("chat.inject", { sessionKey: "main", message: text, idempotencyKey: text });
  return text;
}
