/** A client that is cut again and again, and a server that is killed: every event once, in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorldClient, type WorldClient, type WorldGap } from "@atrium/client";
import { openTestAtrium } from "../kit/atrium.ts";
import { openCutProxy } from "../kit/cut-proxy.ts";
import { createRandom } from "../kit/random.ts";
import { startServer, withHome } from "../kit/server-process.ts";
import { enterWorld, type WorldPeer } from "../kit/world-peer.ts";

const SEED = 20_260_214;
const CUTS = 200;

interface Heard {
  readonly client: WorldClient;
  readonly ids: string[];
  readonly gaps: WorldGap[];
  /** Resolves when something with that seq or a later one has been heard. */
  readonly reach: (seq: number) => Promise<void>;
}

function listen(port: () => number, token: string): Heard {
  // Where it reconnects to may change, so the URL is looked up each time; and it waits a thousandth.
  const WebSocketAtPort = class extends WebSocket {
    constructor(url: string) {
      super(url.replace("PORT", String(port())));
    }
  };
  const client = createWorldClient({
    url: "ws://127.0.0.1:PORT/ws/world",
    client: { name: "cut" },
    token,
    deps: {
      WebSocket: WebSocketAtPort,
      setTimer(run, delayMs) {
        const timer = setTimeout(run, delayMs >= 15_000 ? delayMs : delayMs / 1_000);
        return () => clearTimeout(timer);
      },
    },
  });
  const ids: string[] = [];
  const gaps: WorldGap[] = [];
  let last = 0;
  const waiting = new Set<() => void>();
  const hear = (message: { id: string; payload: { seq?: number } }): void => {
    ids.push(message.id);
    last = message.payload.seq ?? last;
    for (const check of waiting) check();
  };
  client.on("event", hear);
  client.on("agent_goal", hear);
  client.on("chat", hear);
  client.onGap((gap) => gaps.push(gap));
  return {
    client,
    ids,
    gaps,
    async reach(seq) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const check = (): void => {
        if (last >= seq) resolve();
      };
      waiting.add(check);
      check();
      await promise;
      waiting.delete(check);
    },
  };
}

const toldIds = (peer: WorldPeer): readonly string[] =>
  peer.messages
    .filter(({ type, payload }) => ["event", "agent_goal", "chat"].includes(type) && payload.seq)
    .map(({ id }) => id);

/** One project from its request to its tasks being worked on. */
async function keepBusy(peer: WorldPeer, text: string): Promise<void> {
  await peer.ask("submit_request", { text });
  const submitted = await peer.first(
    ({ payload }) => payload.name === "request_submitted" && payload.text === text,
  );
  const { project_id } = submitted.payload;
  await peer.first(
    ({ payload }) => payload.name === "kickoff_finished" && payload.project_id === project_id,
  );
  await peer.ask("auto_assign", { project_id });
}

test("[CLIENT-31] [WORLD-18] cut at 200 moments of a busy office, every event comes once and in order", async () => {
  const random = createRandom(SEED);
  await using atrium = await openTestAtrium({ limits: { worldCommandBurst: 1_000 } });
  await using all = await enterWorld(atrium);
  // The first snapshot must come through: what was before it is not for this client.
  let allowed = (): number => 30_000;
  await using proxy = await openCutProxy(atrium.port, () => allowed());
  const { client, ids, gaps, reach } = listen(() => proxy.port, atrium.token);
  using _client = client;
  await client.connect();
  allowed = () => 200 + Math.floor(random() * 30_000);
  for (let n = 0; proxy.cuts < CUTS; n++) {
    await keepBusy(all, `Page ${n}`);
    await client.connect();
  }
  allowed = () => Infinity;
  await keepBusy(all, "The last page");
  await reach(all.told("event").at(-1)?.payload.seq as number);
  assert.deepEqual(ids, toldIds(all).slice(0, ids.length), `seed ${SEED}`);
  assert.deepEqual(gaps, []);
});

test("[CLIENT-31] [WORLD-18] over kill -9 of the server nothing is lost, repeated or out of order", async () => {
  await withHome(async (home) => {
    let server = await startServer(home, { args: ["--token", "secret-of-this-test"] });
    const { client, ids, gaps, reach } = listen(() => server.port, "secret-of-this-test");
    using _client = client;
    try {
      await client.connect();
      for (let n = 0; n < 3; n++) {
        {
          await using peer = await enterWorld(server);
          await keepBusy(peer, `Page ${n}`);
        }
        await server.end("SIGKILL");
        server = await startServer(home, { args: ["--token", "secret-of-this-test"] });
      }
      await using peer = await enterWorld(server);
      await keepBusy(peer, "The last page");
      const seq = peer.told("event").at(-1)?.payload.seq as number;
      await reach(seq);
      const response = await fetch(
        new URL("/api/world/events?after=0&limit=1000&goals=1&chat=1", server.url),
        { headers: { authorization: "Bearer secret-of-this-test" } },
      );
      const { messages } = (await response.json()) as { messages: { id: string }[] };
      const all = messages.map(({ id }) => id);
      const first = all.indexOf(ids[0] ?? "");
      assert.deepEqual(ids, all.slice(first, first + ids.length));
      assert.deepEqual(gaps, []);
    } finally {
      await server.end("SIGKILL");
    }
  });
});
