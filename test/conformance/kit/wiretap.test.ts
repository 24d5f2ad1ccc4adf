import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { connectPeer } from "../../kit/raw-peer.ts";
import { openWiretap } from "./wiretap.ts";

test("a listener on the wire changes nothing and hears every frame", async () => {
  await using atrium = await openTestAtrium();
  await using wire = await openWiretap(atrium.port);
  await using peer = await connectPeer(`ws://127.0.0.1:${wire.port}/`, {
    auth: { token: atrium.token },
  });
  // Longer than one length byte, than two, and than one chunk of a socket; not all of it ASCII.
  const texts = ["short", "é".repeat(200), "x".repeat(70_000), "日".repeat(500_000)];
  for (const text of texts) assert.equal((await peer.ask("system.echo", { text })).text, text);
  peer.socket.send('{"type":"req","id":"cut","meth', { fin: false });
  peer.socket.ping();
  peer.socket.send('od":"no.such.method"}', { fin: true });
  await peer.first(({ id }) => id === "cut");

  const sent = wire.frames.filter(({ method }) => method === "system.echo");
  assert.deepEqual(
    sent.map(({ params }) => params.text),
    texts,
  );
  const { length } = peer.frames;
  // The wire is ahead of the peer: something may be on its way.
  const heard = wire.frames.filter(({ type }) => type !== "req").slice(0, length);
  assert.deepEqual(heard, peer.frames.slice(0, length));
  assert.deepEqual(wire.refused(), [
    { method: "no.such.method", message: "unknown method: no.such.method" },
  ]);
  const page = await fetch(`http://127.0.0.1:${wire.port}/healthz`);
  assert.equal(page.status, 200);
});
