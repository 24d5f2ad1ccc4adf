/** The files in examples/cluster: each is read by the program it is for, or by what reads it here. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import type { ClusterLog } from "@atrium/log/chain";
import { openNatsLog } from "@atrium/log/nats";
import { SETTINGS, type Flag } from "@atrium/server/settings";
import { parse } from "yaml";
import { readConfig } from "../../../apps/server/src/settings/read-config.ts";
import { findProgram, skipWithout } from "../../../scripts/system-programs.ts";
import { freePorts } from "../../kit/nats/free-ports.ts";
import { NatsServer } from "../../kit/nats/nats-server.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FOLDER = join(ROOT, "examples/cluster");
const read = (name: string): string => readFileSync(join(FOLDER, name), "utf8");

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const compose = parse(read("compose.yaml"), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const VARIABLES: ReadonlySet<string | undefined> = new Set(
  Object.values<Flag>(SETTINGS).map(({ env }) => env),
);

/** The settings in a file of an environment or a service, as the server reads them. */
function checkSettings(env: Readonly<Record<string, string>>, where: string): void {
  for (const name of Object.keys(env)) assert.ok(VARIABLES.has(name), `${where}: ${name}`);
  const here = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(/^\/etc\/atrium\/|.*\/(?=atrium\.config\.json$)/, `${FOLDER}/`),
  ]);
  const config = readConfig({ args: [], env: Object.fromEntries(here), cwd: tmpdir() });
  assert.equal(config.nats?.servers.length, 3, where);
  assert.equal(config.nats.monitors.length, 3, where);
  assert.notEqual(config.shared, config.home, where);
  assert.ok(config.node !== undefined, where);
}

function readEnv(text: string): Readonly<Record<string, string>> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = "", value = ""] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
      assert.notEqual(name, "", line);
      return [name, value];
    }),
  );
}

test("[SERVER-16] the nodes' settings in the examples are settings of ours, and accepted", () => {
  checkSettings(readEnv(read("atrium.env")), "atrium.env");
  const nodes = services.filter(([, { build }]) => build !== undefined);
  assert.equal(nodes.length, 3);
  for (const [name, { environment = {} }] of nodes) {
    checkSettings(environment, name);
    assert.equal(environment["ATRIUM_NODE"], name);
  }
});

test("[SERVER-16] what the compose file names is there: files, volumes, services, variables", () => {
  const conf = read("nats-server.conf");
  for (const [name, service] of services) {
    assert.ok((service.image === undefined) !== (service.build === undefined), name);
    if (service.build !== undefined) {
      const context = join(FOLDER, service.build.context);
      assert.ok(existsSync(join(context, service.build.dockerfile)), name);
    }
    for (const volume of service.volumes ?? []) {
      const [from = ""] = volume.split(":");
      const isThere = from.startsWith("./")
        ? existsSync(join(FOLDER, from))
        : from in compose.volumes;
      assert.ok(isThere, `${name}: ${volume}`);
    }
    for (const other of service.depends_on ?? []) assert.ok(other in compose.services, other);
    for (const variable of Object.keys(service.environment ?? {})) {
      if (!variable.startsWith("NATS_")) continue;
      assert.ok(conf.includes(`$${variable}`), `${name}: ${variable}`);
    }
  }
  const variables = new Set(conf.match(/(?<=\$)NATS_[A-Z_]+/g));
  for (const name of ["s1", "s2", "s3"]) {
    const { environment = {} } = compose.services[name] ?? {};
    assert.deepEqual(new Set(Object.keys(environment)), variables, name);
    assert.equal(environment["NATS_NAME"], name);
    assert.ok(conf.includes(`nats-route://${name}:6222`));
  }
});

/** Where a service or a unit puts what, by where it is found there. */
interface Mount {
  readonly from: string;
  readonly at: string;
  readonly isReadOnly: boolean;
}

const mountOf = (volume: string): Mount => {
  const [from = "", at = "", ...options] = volume.split(":");
  return { from, at, isReadOnly: options.some((each) => each.split(",").includes("ro")) };
};

test("[SERVER-16] every node may replace its settings file: it is in a folder of its own that it may write", () => {
  const folders = new Set<string>();
  const nodes = services.filter(([, { environment = {} }]) => "ATRIUM_NODE" in environment);
  assert.equal(nodes.length, 3);
  for (const [name, { environment = {}, volumes = [] }] of nodes) {
    const config = environment["ATRIUM_CONFIG"] ?? "";
    const mounts = volumes.map(mountOf);
    assert.ok(!mounts.some(({ at }) => at === config), `${name}: a single file cannot be replaced`);
    const around = mounts
      .filter(({ at }) => config.startsWith(`${at}/`))
      .toSorted((one, other) => other.at.length - one.at.length);
    assert.ok(around[0] !== undefined && !around[0].isReadOnly, `${name}: ${config}`);
    assert.ok(around[0].from in compose.volumes, name);
    folders.add(around[0].from);
    // What a new volume begins with is what the image has there, for the user who runs the node.
    const install = new RegExp(`install -o (\\S+) -g \\S+ -m 600 (\\S+) ${dirname(config)}/$`, "m");
    const [, owner, file = ""] = install.exec(read("Dockerfile")) ?? [];
    assert.equal(owner, /^USER (\S+)$/m.exec(read("Dockerfile"))?.[1]);
    assert.ok(existsSync(join(ROOT, file)), file);
  }
  assert.equal(folders.size, nodes.length, "no two nodes have the same");
  const unit = read("atrium.service");
  const state = /^StateDirectory=(\S+)$/m.exec(unit)?.[1];
  assert.equal(dirname(readEnv(read("atrium.env"))["ATRIUM_CONFIG"] ?? ""), `/var/lib/${state}`);
  assert.doesNotMatch(unit, /^(?:ReadOnlyPaths|BindReadOnlyPaths|ProtectSystem=strict)/m);
});

/** The directives of each section of the balancer's configuration, by its heading. */
function readBalancer(): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let directives: string[] = [];
  for (const line of read("haproxy.cfg").split("\n")) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    if (line.startsWith(" ")) directives.push(line.trim());
    else sections.set(line, (directives = []));
  }
  return sections;
}

test("[SERVER-16] the balancer sends people to nodes that can write, to any that is up while none can, and cuts nobody off", () => {
  const balancer = readBalancer();
  const frontend = balancer.get("frontend atrium") ?? [];
  assert.ok(frontend.includes("default_backend nodes"));
  assert.ok(frontend.includes("use_backend readers if { nbsrv(nodes) eq 0 }"));
  const checks = { "backend nodes": "/readyz", "backend readers": "/healthz" };
  for (const [backend, path] of Object.entries(checks)) {
    const directives = balancer.get(backend) ?? [];
    assert.ok(directives.includes("option httpchk"), backend);
    const check = `http-check send meth GET uri ${path} ver HTTP/1.1 hdr Host localhost`;
    assert.ok(directives.includes(check), backend);
    assert.ok(
      directives.some((each) => /^default-server check\b/.test(each)),
      backend,
    );
    const servers = directives.filter((each) => each.startsWith("server "));
    assert.deepEqual(
      servers,
      ["n1", "n2", "n3"].map((name) => `server ${name} ${name}:18789`),
    );
  }
  // Whoever reads at a node goes on reading there while nothing can be written.
  assert.doesNotMatch(read("haproxy.cfg"), /shutdown-sessions/);
});

test("[SERVER-16] haproxy accepts its configuration", { skip: skipWithout("haproxy") }, () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-balancer-"));
  const file = join(folder.path, "haproxy.cfg");
  const check = (text: string): ReturnType<typeof spawnSync> => {
    // The names lead nowhere here, and the program looks them up.
    writeFileSync(file, text.replaceAll(/ n\d:18789/g, " 127.0.0.1:18789"));
    return spawnSync(findProgram("haproxy") ?? "", ["-c", "-f", file], { encoding: "utf8" });
  };
  const { status, stderr } = check(read("haproxy.cfg"));
  assert.equal(status, 0, String(stderr));
  const spoilt = check(read("haproxy.cfg").replace("backend readers", "backend others"));
  assert.equal(spoilt.status, 1, String(spoilt.stderr));
});

const ACCOUNT = {
  NATS_NAME: "s1",
  NATS_ATRIUM_PASSWORD: "secret-1",
  NATS_ADMIN_PASSWORD: "secret-2",
};

test(
  "[SERVER-16] nats-server accepts its configuration, with and without TLS",
  { skip: skipWithout("nats-server") },
  () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-examples-"));
    const env = { ...process.env, ...ACCOUNT, NATS_STORE: join(folder.path, "store") };
    const check = (file: string): string => {
      const { stderr } = spawnSync(findProgram("nats-server") ?? "", ["-t", "-c", file], {
        env,
        encoding: "utf8",
      });
      return stderr;
    };
    const isValid = /configuration file .* is valid/;
    assert.match(check(join(FOLDER, "nats-server.conf")), isValid);
    // Without certificates, all that is wrong with the other is that they are missing.
    assert.match(check(join(FOLDER, "nats-server-tls.conf")), /\/etc\/nats\/server\.pem/);
    const spoilt = join(folder.path, "spoilt.conf");
    writeFileSync(spoilt, read("nats-server.conf").replace("sync_interval", "sync_intervall"));
    assert.doesNotMatch(check(spoilt), isValid);
  },
);

test(
  "[SERVER-16] the account of the example can make, write, read and repair a log, and cannot remove it",
  { skip: skipWithout("nats-server"), timeout: 60_000 },
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-examples-"));
    const [client = 0, monitor = 0] = await freePorts(2);
    const conf = join(folder.path, "nats-server.conf");
    const variables = new Map(
      Object.entries({ ...ACCOUNT, NATS_STORE: join(folder.path, "store") }),
    );
    const text = read("nats-server.conf")
      .replace("0.0.0.0:4222", `127.0.0.1:${client}`)
      .replace("0.0.0.0:8222", `127.0.0.1:${monitor}`)
      .replace(/^cluster \{[^}]*\}$/m, "")
      .replaceAll(/\$(NATS_[A-Z_]+)/g, (_, name: string) => JSON.stringify(variables.get(name)));
    writeFileSync(conf, text);
    const program = findProgram("nats-server") ?? "";
    await using server = new NatsServer(program, conf, `http://127.0.0.1:${monitor}`);
    server.start();
    await server.healthy(20_000);
    const credentialsFile = join(folder.path, "credentials.json");
    const { NATS_ATRIUM_PASSWORD: password } = ACCOUNT;
    writeFileSync(credentialsFile, JSON.stringify({ user: "atrium", password }));
    const { stream, ...place } = {
      servers: [`127.0.0.1:${client}`],
      stream: "atrium",
      credentialsFile,
      monitors: [`http://127.0.0.1:${monitor}`],
      isUnsafe: false,
    };
    const open = (id: string): Promise<ClusterLog> => {
      const copyFile = join(folder.path, `${id}.db`);
      return openNatsLog({ ...place, stream, node: { id, life: id }, copyFile });
    };
    {
      await using one = await open("n1");
      assert.ok((await one.append("s", "any", [{ type: "said", at: 1, data: 1 }])).ok);
      await using other = await open("n2");
      using _listening = other.bus.subscribe("hello", (_bytes, reply) => reply?.(Buffer.from("!")));
      assert.ok((await one.append("s", "any", [{ type: "said", at: 2, data: 2 }])).ok);
      for await (const entries of other.tail(1)) {
        assert.deepEqual(
          entries.map(({ seq }) => seq),
          [2],
        );
        break;
      }
      const heard = await one.bus.request("hello", Buffer.from("?"), 2_000);
      assert.equal(Buffer.from(heard ?? "").toString(), "!");
      const { fetched, watchRestarts } = other.status().counts;
      assert.deepEqual({ fetched, watchRestarts }, { fetched: 0, watchRestarts: 0 });
    }
    for (const method of ["DELETE", "PURGE", "UPDATE", "MSG.DELETE"]) {
      const answer = await publishRaw(client, `$JS.API.STREAM.${method}.${stream}`, password);
      assert.match(answer, /Permissions Violation/, method);
    }
  },
);

/** What the server answers to whoever publishes there with the account of the log. */
async function publishRaw(port: number, subject: string, password: string): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  try {
    const user = JSON.stringify({ user: "atrium", pass: password, verbose: false });
    socket.write(`CONNECT ${user}\r\nPUB ${subject} 2\r\n{}\r\nPING\r\n`);
    let answer = "";
    for await (const part of socket) {
      answer += String(part);
      if (answer.includes("PONG")) break;
    }
    return answer;
  } finally {
    socket.destroy();
  }
}

const units = readdirSync(FOLDER).filter((name) => name.endsWith(".service"));
const START = /^ExecStart=(\S+) (.*)$/m;

test("[SERVER-16] the units start what is there and read files that the examples have", () => {
  assert.ok(units.length > 0);
  for (const name of units) {
    const [, , args = ""] = START.exec(read(name)) ?? [];
    for (const file of args.match(/\S+\.(?:ts|conf)/g) ?? []) {
      const isThere = file.startsWith("/")
        ? existsSync(join(FOLDER, basename(file)))
        : existsSync(join(ROOT, file));
      assert.ok(isThere, `${name}: ${file}`);
    }
  }
});

test("[SERVER-16] systemd accepts the units", { skip: skipWithout("systemd-analyze") }, () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-units-"));
  const check = (name: string, text: string): readonly [number | null, string] => {
    const file = join(folder.path, name);
    writeFileSync(file, text);
    const analyze = findProgram("systemd-analyze") ?? "";
    const { status, stderr } = spawnSync(analyze, ["verify", "--man=no", file], {
      encoding: "utf8",
    });
    return [status, stderr];
  };
  for (const name of units) {
    const text = read(name);
    const [, program = ""] = START.exec(text) ?? [];
    const here = text.replace(program, process.execPath);
    assert.deepEqual(check(name, here), [0, ""], name);
    const [, complaint] = check(name, here.replace("[Service]", "[Service]\nRestart=sometimes"));
    assert.match(complaint, /restart specifier, ignoring: sometimes/, name);
  }
});
