/**
 * Whatever anyone sends, by any door: the server answers, and a new start finds what the old one had.
 *
 * `npm run fuzz` sends 10,000 calls; `SEED=…` repeats a run's choices, `ATRIUM_FUZZ_CALLS=…` says how many to send.
 */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { GATEWAY_METHODS } from "@atrium/wire/gateway";
import * as fc from "fast-check";
import { openTestAtrium } from "../../kit/atrium.ts";
import { helloOf, openTestSession } from "../../kit/bridge.ts";
import { createFuzzer, type Door, type Fuzzer, type Place } from "../../kit/fuzz/fuzzer.ts";
import { openHandshakeDoor, openNodeDoor, openOperatorDoor } from "../../kit/fuzz/gateway-doors.ts";
import { openHttpDoor } from "../../kit/fuzz/http-door.ts";
import { assertRemembers, remember, type Remembered } from "../../kit/fuzz/remembered.ts";
import { openBridgeDoor, openSignalsDoor, openWorldDoor } from "../../kit/fuzz/socket-doors.ts";
import { chooseSeed } from "../../kit/random.ts";
import { connectParams } from "../../kit/raw-peer.ts";
import { startServer, withHome, type ServerProcess } from "../../kit/server-process.ts";

const seed = chooseSeed();
const CALLS = Number(process.env["ATRIUM_FUZZ_CALLS"] ?? 600);
const CALLS_PER_ROUND = Math.max(200, Math.ceil(CALLS / 12));
const CALLS_PER_CHECKUP = 50;
/** A program on the bridge is someone's own; whoever wrote it wants to know. */
const WORTH_A_LINE = "a plugin sent a frame that cannot be used";

/** How often each door is used. */
const DOORS: readonly (readonly [number, (place: Place, fuzzer: Fuzzer) => Door])[] = [
  [10, openOperatorDoor],
  [6, openHttpDoor],
  [5, openWorldDoor],
  [4, openSignalsDoor],
  [2, openNodeDoor],
  [2, openHandshakeDoor],
  [2, (place, fuzzer) => openBridgeDoor(bridgedAt(place), fuzzer)],
];

const BRIDGE_SECRET = "secret-of-a-program-that-fuzzes";

function bridgedAt({ wsUrl }: Place): { readonly url: string; readonly hello: object } {
  const names = { openclaw_session: "agent:hand:main", claude_session: "by-hand" };
  return {
    url: new URL("/bridge", wsUrl).href,
    hello: { type: "hello", ...names, pid: 1, token: BRIDGE_SECRET },
  };
}

/** Agents that answer at once, people who do not answer, and no limit on how fast or how often one asks. */
const SETTINGS = {
  runtimes: {
    rehearsal: { type: "rehearsal", pace: 0 },
    bridged: { type: "claude-code", transport: "bridge", tokenEnv: "BRIDGE_SECRET" },
  },
  agents: [
    { id: "agent_bd", name: "Bea", role: "front desk" },
    { id: "agent_eng_1", name: "Eno", role: "engineer" },
    { id: "agent_research_1", name: "Rio", role: "researcher" },
    // Whoever plays it fuzzes, and seldom answers.
    {
      id: "agent_hand",
      name: "Hand",
      role: "plugin",
      runtime: "bridged",
      limits: { turnTimeoutMs: 2_000 },
    },
  ],
  office: { walkingSpeedMps: 12, meetingMs: 0 },
  limits: {
    answerTimeoutMs: 500,
    wrongTokenTries: 1_000_000,
    worldCommandBurst: 1_000_000,
    worldPlayerPosBurst: 1_000_000,
  },
};

test("[LISTEN-4] whatever is sent by whatever door, the server answers, and forgets nothing when it is started again", async (t) => {
  t.diagnostic(`seed ${seed}, ${CALLS} calls`);
  const fuzzer = createFuzzer(seed);
  await withHome(async (home) => {
    await writeFile(join(home, "atrium.config.json"), JSON.stringify(SETTINGS));
    let before: Remembered | undefined;
    for (let sent = 0, round = 0; sent < CALLS; sent += CALLS_PER_ROUND, round++) {
      await using server = await startServer(home, { env: { BRIDGE_SECRET } });
      if (before !== undefined) assertRemembers(await remember(server, before.seq), before);
      await fuzzRound(server, home, fuzzer);
      before = await remember(server);
      const how = round % 2 === 0 ? "SIGKILL" : "SIGTERM";
      const code = await server.end(how);
      if (how === "SIGTERM") assert.equal(code, 0);
      t.diagnostic(`round ${round}: log at ${before.seq}, ended by ${how}`);
    }
    await using server = await startServer(home, { env: { BRIDGE_SECRET } });
    assert.ok(before);
    assertRemembers(await remember(server, before.seq), before);
    await checkUp(server, home, fuzzer);
  });
  for (const [door, { calls, taken }] of fuzzer.counts) {
    t.diagnostic(`${door}: ${calls} calls, ${taken} taken`);
  }
});

async function fuzzRound(server: ServerProcess, home: string, fuzzer: Fuzzer): Promise<void> {
  const doors = DOORS.flatMap(([often, open]) => {
    const door = open(server, fuzzer);
    return Array.from({ length: often }, () => door);
  });
  try {
    for (let call = 1; call <= CALLS_PER_ROUND; call++) {
      await fuzzer.chance.pick(doors).call();
      if (call % CALLS_PER_CHECKUP === 0) await checkUp(server, home, fuzzer);
    }
  } catch (cause) {
    await checkUp(server, home, fuzzer);
    throw new Error(`seed ${seed}; the latest calls:\n${fuzzer.recent.slice(-8).join("\n")}`, {
      cause,
    });
  } finally {
    for (const door of new Set(doors)) await door[Symbol.asyncDispose]();
  }
}

/** Alive, well, and with nothing to report: no fault in its journal, no entry that it could not fold. */
async function checkUp(server: ServerProcess, home: string, fuzzer: Fuzzer): Promise<void> {
  const journal = await readFile(join(home, "atrium.log"), "utf8").catch(() => "");
  const faults = journal
    .split("\n")
    .filter((line) => line.includes('"level":50') && !line.includes(WORTH_A_LINE));
  const about = `seed ${seed}; the latest calls:\n${fuzzer.recent.join("\n")}`;
  assert.deepEqual(faults.slice(0, 3), [], about);
  const health = await fetch(new URL("/healthz", server.url)).catch(() => undefined);
  assert.equal(health?.status, 200, about);
  const headers = { authorization: `Bearer ${server.token}` };
  const metrics = await (await fetch(new URL("/metrics", server.url), { headers })).text();
  for (const [line, count] of metrics.matchAll(/^\w*quarantine\w*(?:\{.*\})? (\d+)/gm)) {
    assert.equal(count, "0", `${line}\n${about}`);
  }
}

test("[BRIDGE-6] whatever a plugin sends, the bridge goes on, and nobody else notices", async (t) => {
  t.diagnostic(`seed ${seed}`);
  const fuzzer = createFuzzer(seed);
  await using atrium = await openTestAtrium({ args: ["--log", "sqlite"] });
  await using bystander = await atrium.connect();
  const { session } = openTestSession(atrium.bridge);
  const url = String(session.env["SYNTHESIS_BRIDGE_URL"]);
  await using door = openBridgeDoor({ url, hello: helloOf(session) }, fuzzer);
  for (let call = 0; call < CALLS / 6; call++) {
    await door.call();
    const faults = atrium.faults.filter(({ message }) => !message.includes(WORTH_A_LINE));
    assert.deepEqual(faults, [], fuzzer.recent.slice(-3).join("\n"));
  }
  assert.equal((await bystander.ask("health")).ok, true);
});

const NAMES = GATEWAY_METHODS.map(({ name }) => name);
const FIELDS = [
  "sessionKey",
  "message",
  "text",
  "limit",
  "offset",
  "label",
  "idempotencyKey",
  "agentId",
];

/** Params that are nearly right: the names that exist, with anything in them. */
const nearlyParams = fc.dictionary(
  fc.oneof(fc.constantFrom(...FIELDS), fc.string()),
  fc.oneof(fc.constantFrom("main", "agent:eng_1:main", 1, 50, null), fc.jsonValue()),
  { maxKeys: 6 },
);

const request = fc.record({
  type: fc.constant("req"),
  id: fc.string({ minLength: 1 }),
  method: fc.oneof(fc.constantFrom(...NAMES), fc.string({ minLength: 1 })),
  params: fc.oneof(nearlyParams, fc.jsonValue()),
});

const noise = fc.oneof(
  request.map((frame) => JSON.stringify(frame)),
  fc.json(),
  fc.string({ unit: "binary" }),
);

test("[GW-30] whatever a connected peer sends, it is answered, and nothing breaks", async (t) => {
  t.diagnostic(`seed ${seed}`);
  await using atrium = await openTestAtrium({ args: ["--log", "sqlite"] });
  await using bystander = await atrium.connect();
  for (const texts of fc.sample(fc.array(noise, { minLength: 20, maxLength: 60 }), {
    seed,
    numRuns: 60,
  })) {
    await using peer = await atrium.connect();
    const before = peer.frames.length;
    for (const text of texts) peer.sendText(text.toWellFormed());
    const answers = (): number =>
      peer.frames.slice(before).filter((frame) => frame.type === "res").length;
    while (answers() < texts.length) await peer.next((frame) => frame.type === "res");
    assert.equal(answers(), texts.length);
  }
  assert.equal((await bystander.ask("health")).ok, true);
  assert.deepEqual(atrium.faults, []);
});

test("[GW-30] whatever a stranger sends, it is answered or shown the door", async (t) => {
  t.diagnostic(`seed ${seed}`);
  await using atrium = await openTestAtrium({ limits: { wrongTokenTries: 1_000_000 } });
  const nearlyConnect = fc
    .tuple(
      fc.dictionary(
        fc.constantFrom("client", "auth", "scopes", "role", "device", "minProtocol"),
        fc.jsonValue(),
      ),
    )
    .map(([changes]) => ({ ...connectParams({ auth: { token: "x" } }), ...changes }))
    .map((params) => JSON.stringify({ type: "req", id: "c", method: "connect", params }));
  for (const text of fc.sample(fc.oneof(noise, nearlyConnect), { seed, numRuns: 300 })) {
    await using peer = await atrium.open();
    const answered = peer.first((frame) => frame.type === "res");
    peer.sendText(text.toWellFormed());
    assert.equal((await answered).ok, false);
    assert.ok([1002, 1008].includes((await peer.closed).code));
  }
  assert.deepEqual(atrium.faults, []);
});
