import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { gone, isAlive } from "../processes.ts";
import { startNats } from "./nats-servers.ts";

const skip = skipWithout("nats-server");
const LIMIT_MS = 60_000;

test(
  "three servers serve, are killed, stopped, woken, ended and started again",
  { skip, timeout: LIMIT_MS },
  async () => {
    await using nats = await startNats({ servers: 3 });
    const pids = [0, 1, 2].map((server) => nats.pid(server));
    assert.ok(pids.every(isAlive));
    nats.stop(0);
    await assert.rejects(nats.healthy(300), /not healthy after 300 ms/);
    nats.wake(0);
    await nats.kill(1);
    await nats.end(2);
    await gone(pids.slice(1));
    assert.equal(await nats.leader("none"), undefined);
    nats.start(1);
    await nats.restart(2);
    await nats.healthy();
    assert.notEqual(nats.pid(1), pids[1]);
    assert.deepEqual(await nats.copies("none"), [undefined, undefined, undefined]);
  },
);

test("a way to the servers can be cut and healed", { skip, timeout: LIMIT_MS }, async () => {
  await using nats = await startNats();
  const way = await nats.openWay();
  const port = Number(new URL(way.urls[0] ?? "").port);
  const greeting = async (): Promise<string> => {
    const socket = connect(port, "127.0.0.1");
    const first = await Promise.race([once(socket, "data"), once(socket, "close")]);
    socket.destroy();
    return String(first[0]);
  };
  assert.match(await greeting(), /^INFO .*"server_name":"s1"/);
  await way.cut();
  assert.doesNotMatch(await greeting(), /INFO/);
  await way.heal();
  assert.match(await greeting(), /^INFO /);
});

test(
  "servers end with the process that started them, however it ends",
  { skip, timeout: LIMIT_MS },
  async () => {
    const kit = new URL("nats-servers.ts", import.meta.url).href;
    const code = `const { startNats } = await import(${JSON.stringify(kit)});
    const nats = await startNats();
    console.log(nats.pid(0));
    setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", code]);
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    assert.ok(isAlive(Number(line)));
    child.kill("SIGKILL");
    await gone([Number(line)]);
  },
);
