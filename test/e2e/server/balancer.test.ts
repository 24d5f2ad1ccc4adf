/** The balancer of examples/cluster as HAProxy runs it, in front of a real server and of one that cannot write. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { findProgram, skipWithout } from "../../../scripts/system-programs.ts";
import { freePorts } from "../../kit/nats/free-ports.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

const EXAMPLE = join(import.meta.dirname, "../../../examples/cluster/haproxy.cfg");
const READER = "I only read";

/** By backend and server, what HAProxy found when it last looked. */
async function readChecks(socket: string): Promise<ReadonlyMap<string, string>> {
  const admin = connect(socket);
  admin.end("show stat\n");
  const [head = "", ...lines] = (await text(admin)).replace(/^# /, "").trim().split("\n");
  const names = head.split(",");
  const rows = lines.map((line) => {
    const fields = line.split(",");
    return Object.fromEntries(names.map((name, at) => [name, fields[at] ?? ""]));
  });
  return new Map(
    rows.map((row) => [
      `${row["pxname"]}/${row["svname"]}`,
      `${row["status"]} ${row["check_status"]} ${row["check_code"]}`.trim(),
    ]),
  );
}

/** Up, and refuses to be written to. */
async function openReader(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/readyz" ? 503 : 200).end(READER);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

interface Balancer extends AsyncDisposable {
  readonly url: string;
  readonly socket: string;
  /** What it printed. */
  readonly output: () => string;
}

async function openBalancer(folder: string, ports: readonly number[]): Promise<Balancer> {
  const [port = 0] = await freePorts(1);
  const socket = join(folder, "admin");
  const config = (await readFile(EXAMPLE, "utf8"))
    .replace(/^global$/m, `global\n  stats socket ${socket}`)
    // A process of a test may not open as many files.
    .replace("maxconn 50000", "maxconn 100")
    .replace("bind :80", `bind 127.0.0.1:${port}`)
    .replaceAll(/ n(\d):18789/g, (_, n: string) => ` 127.0.0.1:${ports[Number(n) - 1]}`);
  const file = join(folder, "haproxy.cfg");
  await writeFile(file, config);
  const child = spawn(findProgram("haproxy") ?? "", ["-db", "-f", file], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => (output += part));
  const exit = once(child, "exit");
  return {
    url: `http://127.0.0.1:${port}/healthz`,
    socket,
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exit;
    },
  };
}

test(
  "[SERVER-16] the balancer finds a real server fit to write, and sends people to one that only reads when that is gone",
  { skip: skipWithout("haproxy"), timeout: 60_000 },
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-balancer-"));
    await using reader = await openReader();
    await withHome(async (home) => {
      await using server = await startServer(home, { args: ["--log", "memory"] });
      const [gone = 0] = await freePorts(1);
      await using balancer = await openBalancer(folder.path, [server.port, reader.port, gone]);
      const until = async (wanted: Readonly<Record<string, string>>): Promise<void> => {
        let found: ReadonlyMap<string, string> = new Map();
        const isMet = (): boolean =>
          Object.entries(wanted).every(([name, check]) => found.get(name) === check);
        for (let tries = 0; tries < 200 && !isMet(); tries++) {
          await setTimeout(100);
          found = await readChecks(balancer.socket).catch(() => new Map<string, string>());
        }
        for (const [name, check] of Object.entries(wanted)) {
          assert.equal(found.get(name), check, `${name}\n${balancer.output()}`);
        }
      };
      await until({
        "nodes/n1": "UP L7OK 200",
        "nodes/n2": "DOWN L7STS 503",
        "nodes/n3": "DOWN L4CON",
        "readers/n1": "UP L7OK 200",
        "readers/n2": "UP L7OK 200",
        "readers/n3": "DOWN L4CON",
      });
      const answer = await fetch(balancer.url);
      assert.equal(answer.status, 200);
      assert.notEqual(await answer.text(), READER);
      await server.end("SIGKILL");
      await until({ "nodes/n1": "DOWN L4CON", "readers/n1": "DOWN L4CON" });
      assert.equal(await (await fetch(balancer.url)).text(), READER);
    });
  },
);
