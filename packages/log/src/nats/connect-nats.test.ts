import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { connect, nkeys } from "@nats-io/transport-node";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { makeCertificate } from "../../../../test/kit/nats/certificates.ts";
import { NATS_USERS } from "../../../../test/kit/nats/nats-config.ts";
import { startNats, type NatsServers } from "../../../../test/kit/nats/nats-servers.ts";
import { isFault } from "../contract/log-steps.ts";
import type { LogFault } from "../log.ts";
import { connectNats } from "./connect-nats.ts";
import { askApi } from "./jetstream-api.ts";
import type { NatsPlace } from "./nats-connection.ts";
import { newStream, type StreamInfo } from "./stream-settings.ts";

const skip = skipWithout("nats-server");
const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-connect-"));
after(() => folder.remove());
let names = 0;
const newName = (): string => `start-${++names}`;

function fileWith(text: string): string {
  const file = join(folder.path, newName());
  writeFileSync(file, text);
  return file;
}

function settingsFor(nats: NatsServers, changes: Partial<NatsPlace> = {}): NatsPlace {
  return {
    servers: nats.urls.map((url) => new URL(url).host),
    stream: newName(),
    monitors: nats.monitors,
    isUnsafe: false,
    ...changes,
  };
}

/** Fails to start, and says why in one fault. */
async function refusal(
  settings: NatsPlace,
  code: LogFault["code"] = "unreadable",
): Promise<string> {
  let message = "";
  await assert.rejects(connectNats(settings, { startLimitMs: 1_000 }), (error) => {
    message = error instanceof Error ? error.message : "";
    return isFault(code)(error);
  });
  return message;
}

/** Another warning is that of their version. */
const isOfStoring = (warning: string): boolean => /sync_interval|cannot be seen/.test(warning);

/** Asks the servers as an operator would. */
async function ask(nats: NatsServers, method: string, body: object): Promise<StreamInfo> {
  const connection = await connect({ servers: [...nats.urls] });
  try {
    return await askApi(connection, { method, body, timeoutMs: 5_000 });
  } finally {
    await connection.close();
  }
}

describe("a node that starts at one server", { skip, timeout: 60_000 }, () => {
  let nats: NatsServers;
  before(async () => void (nats = await startNats()));
  after(() => nats[Symbol.asyncDispose]());

  test("[LOG-51] makes the stream that is missing, and finds it the next time", async () => {
    const settings = settingsFor(nats);
    await using first = await connectNats(settings);
    await first.chain.publish(0, new Uint8Array(1));
    const { config } = await ask(nats, `STREAM.INFO.${settings.stream}`, {});
    // Servers leave out what they do not know.
    const off = { allow_msg_ttl: false, no_ack: false };
    const wanted = newStream(settings.stream, 1);
    assert.deepEqual({ ...off, ...config, ...wanted }, { ...off, ...config });
    await using second = await connectNats(settings);
    assert.equal(await second.chain.last(), 1);
  });

  test("[LOG-52] refuses a stream with other settings, names each, and changes nothing", async () => {
    const stream = newName();
    const odd = {
      ...newStream(stream, 1),
      discard: "old",
      max_msgs: 9,
      max_age: 1_000_000_000,
      deny_delete: false,
      deny_purge: false,
      allow_rollup_hdrs: true,
      allow_direct: true,
      retention: "interest",
    };
    const { config: made } = await ask(nats, `STREAM.CREATE.${stream}`, odd);
    const message = await refusal(settingsFor(nats, { stream }));
    for (const line of [
      'discard is "old", must be "new"',
      "max_msgs is 9, must be -1",
      "max_age is 1000000000, must be 0",
      "deny_delete is false, must be true",
      "deny_purge is false, must be true",
      "allow_rollup_hdrs is true, must be false",
      "allow_direct is true, must be false",
      'retention is "interest", must be "limits"',
    ]) {
      assert.ok(message.includes(`stream ${stream}: ${line}`), `${line} in ${message}`);
    }
    assert.deepEqual((await ask(nats, `STREAM.INFO.${stream}`, {})).config, made);
  });

  test("[LOG-52] another's stream is foreign", async () => {
    const stream = newName();
    await ask(nats, `STREAM.CREATE.${stream}`, { name: stream, subjects: [`orders-${stream}.>`] });
    const message = await refusal(settingsFor(nats, { stream }), "foreign");
    assert.match(message, /is not a log of Atrium.*orders-.*--log-stream/);
  });

  test("[LOG-53] one server alone must be seen to write before it acknowledges", async () => {
    const unseen = settingsFor(nats, { monitors: [] });
    assert.match(await refusal(unseen), /sync_interval: always.*--log-monitor/);
    await using accepted = await connectNats({ ...unseen, isUnsafe: true });
    assert.ok(accepted.warnings.some((warning) => warning.includes("--log-unsafe")));
    await using slow = await startNats({ isSynced: false });
    assert.match(
      await refusal(settingsFor(slow)),
      /server s1 .*sync_interval: always \} is missing/,
    );
  });

  test("[LOG-55] what keeps a node from starting is one sentence with what to do", async () => {
    const account = (user: string, password: string): string =>
      fileWith(JSON.stringify({ user, password }));
    const { guest, reader } = NATS_USERS;
    await using plain = await startNats({ hasJetStream: false });
    await using small = await startNats({ maxPayload: "64KB" });
    for (const [settings, says] of [
      [
        { ...settingsFor(nats), servers: ["127.0.0.1:1"] },
        /No server .* 127\.0\.0\.1:1 .*start them/,
      ],
      [
        settingsFor(nats, { credentialsFile: account("writer", "wrong") }),
        /refuse the account in \//,
      ],
      [
        settingsFor(nats, { credentialsFile: account(guest.user, guest.password) }),
        /has no JetStream/,
      ],
      [
        settingsFor(nats, { credentialsFile: account(reader.user, reader.password) }),
        /permission to publish/,
      ],
      [
        settingsFor(nats, { credentialsFile: fileWith("{}") }),
        /no account for the log's servers: write/,
      ],
      [settingsFor(nats, { credentialsFile: "/nowhere" }), /\/nowhere .* cannot be read/],
      [settingsFor(plain), /run without JetStream; add a jetstream block/],
      [settingsFor(small), /max_payload is 65536, must be at least 1MB/],
    ] as const) {
      assert.match(await refusal(settings), says);
    }
  });

  test("[LOG-54] what a server says of itself and of its copy", async () => {
    const settings = settingsFor(nats);
    await using peers = await connectNats({
      ...settings,
      monitors: [...nats.monitors, "http://127.0.0.1:1"],
    });
    await peers.chain.publish(0, new Uint8Array(1));
    const [report, silent] = await peers.servers();
    assert.equal(report?.isSyncAlways, true);
    assert.match(report?.version ?? "", /^2\./);
    assert.deepEqual(report?.copy, {
      messages: 1,
      firstSeq: 1,
      lastSeq: 1,
      missing: 0,
      isLeader: true,
    });
    assert.deepEqual(silent, { url: "http://127.0.0.1:1", isReachable: false });
    assert.ok(
      peers.warnings.some((warning) => warning.includes("no answer at http://127.0.0.1:1")),
    );
  });
});

test(
  "[LOG-56] connections are encrypted and have an account where the settings say so",
  { skip: skip || skipWithout("openssl"), timeout: 60_000 },
  async () => {
    const own = makeCertificate(folder.path, "own");
    const other = makeCertificate(folder.path, "other");
    const user = nkeys.createUser();
    const seed = new TextDecoder().decode(user.getSeed());
    const tls = { ...own, caFile: own.certFile, isVerified: true };
    await using nats = await startNats({ tls, userKey: user.getPublicKey() });
    const credentialsFile = fileWith(
      `-----BEGIN NATS USER JWT-----\neyJ0\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
    );
    const byName = nats.urls.map((url) => `localhost:${new URL(url).port}`);
    const good = settingsFor(nats, {
      servers: byName,
      credentialsFile,
      tls: { ...own, caFile: own.certFile },
    });
    await using peers = await connectNats(good);
    assert.equal(await peers.chain.publish(0, new Uint8Array(1)), "written");
    const stranger = nkeys.createUser();
    const { credentialsFile: _none, ...anonymous } = good;
    for (const [settings, says] of [
      [{ ...good, servers: ["127.0.0.1:4222"] }, /127\.0\.0\.1:4222 is a number; write the name/],
      [{ ...good, tls: {} }, /No encrypted connection.*--log-ca/],
      [{ ...good, tls: { ...own, caFile: other.certFile } }, /No encrypted connection.*--log-ca/],
      [{ ...good, tls: { ...other, caFile: own.certFile } }, /encrypted|No server/],
      [anonymous, /want an account; name a file that has it with --log-credentials/],
      [
        { ...good, credentialsFile: fileWith("-----BEGIN NATS USER JWT-----\n") },
        /damaged \.creds file/,
      ],
      [
        {
          ...good,
          credentialsFile: fileWith(
            `-----BEGIN NATS USER JWT-----\neyJ0\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${new TextDecoder().decode(stranger.getSeed())}\n------END USER NKEY SEED------\n`,
          ),
        },
        /refuse the account in \//,
      ],
    ] as const) {
      assert.match(await refusal(settings), says);
    }
  },
);

test(
  "[LOG-53] of two servers each must be seen to write before it acknowledges",
  { skip, timeout: 60_000 },
  async () => {
    await using nats = await startNats({ servers: 2 });
    const settings = settingsFor(nats);
    const half = { ...settings, monitors: nats.monitors.slice(0, 1) };
    assert.match(await refusal(half), /each of 2 servers must be seen .*--log-monitor/);
    await using peers = await connectNats(settings);
    assert.deepEqual(peers.warnings.filter(isOfStoring), []);
  },
);

test(
  "[LOG-60] a server that comes back otherwise than it went is a warning until that is put right",
  { skip, timeout: 60_000 },
  async () => {
    await using nats = await startNats({ servers: 3 });
    const settings = settingsFor(nats);
    {
      await using _first = await connectNats(settings);
    }
    await nats.end(2);
    await using peers = await connectNats(settings);
    const look = async (): Promise<readonly string[]> => {
      await peers.servers();
      return peers.warnings.filter(isOfStoring);
    };
    const [silent, ...others] = peers.warnings.filter(isOfStoring);
    assert.match(silent ?? "", /^no answer at .*: how these servers store cannot be seen/);
    assert.deepEqual(others, []);
    nats.configure(2, { isSynced: false });
    await nats.restart(2);
    const [unsynced, ...more] = await look();
    assert.match(unsynced ?? "", /^server s3 .*: jetstream \{ sync_interval: always \} is missing/);
    assert.deepEqual(more, []);
    nats.configure(2, { isSynced: true });
    await nats.end(2);
    await nats.restart(2);
    assert.deepEqual(await look(), []);
  },
);

test(
  "[LOG-51] at three servers the stream has three copies, and one with fewer is refused",
  { skip, timeout: 60_000 },
  async () => {
    await using nats = await startNats({ servers: 3 });
    const settings = settingsFor(nats);
    await using peers = await connectNats(settings);
    assert.equal(await peers.chain.publish(0, new Uint8Array(1)), "written");
    assert.equal((await ask(nats, `STREAM.INFO.${settings.stream}`, {})).config["num_replicas"], 3);
    const single = newName();
    await ask(nats, `STREAM.CREATE.${single}`, newStream(single, 1));
    const message = await refusal({ ...settings, stream: single });
    assert.ok(message.includes("num_replicas is 1, must be 3"), message);
    await using accepted = await connectNats({ ...settings, stream: single, isUnsafe: true });
    assert.equal(await accepted.chain.last(), 0);
  },
);
