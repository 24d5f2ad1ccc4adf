import assert from "node:assert/strict";
import { test } from "node:test";
import { GATEWAY_METHODS } from "@atrium/wire/gateway";
import * as fc from "fast-check";
import { openTestAtrium } from "../kit/atrium.ts";
import { connectParams } from "../kit/raw-peer.ts";

const NAMES = GATEWAY_METHODS.map(({ name }) => name);
const KEYS = [
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
  fc.oneof(fc.constantFrom(...KEYS), fc.string()),
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

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));

test("[GW-35] whatever a connected peer sends, it is answered, and nothing breaks", async (t) => {
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

test("[GW-35] whatever a stranger sends, it is answered or shown the door", async (t) => {
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
