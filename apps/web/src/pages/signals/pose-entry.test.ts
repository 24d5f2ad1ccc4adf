import assert from "node:assert/strict";
import { test } from "node:test";
import type { FetchJson } from "../../app/server/fetch-json.ts";
import { entryOfSignal, findEntry, lastHeard } from "./pose-entry.ts";

const MESSAGE = { type: "event", ts: 7, payload: { seq: 12, at: 5, name: "kickoff_started" } };

function server(messages: readonly object[], asked: string[] = []): FetchJson {
  return async (_method, path) => {
    asked.push(path);
    const value: never = { messages } as never;
    return { ok: true, value };
  };
}

test("[PAGE-11] the entry behind a pose is found by its number, with its time and raw form", async () => {
  const asked: string[] = [];
  assert.deepEqual(await findEntry(server([MESSAGE], asked), 12), { seq: 12, at: 5, raw: MESSAGE });
  assert.deepEqual(asked, ["/api/world/events?after=11&limit=1&goals=1&chat=1"]);
});

test("[PAGE-11] another entry is not taken for it, nor is none", async () => {
  assert.equal(await findEntry(server([MESSAGE]), 11), undefined);
  assert.equal(await findEntry(server([]), 12), undefined);
});

test("[PAGE-11] work outside projects is known by its signal's entry", () => {
  const signal = {
    id: "s",
    type: "agent_state_change",
    timestamp: 9,
    source: "atrium",
    payload: {},
  };
  assert.deepEqual(entryOfSignal({ ...signal, metadata: { seq: 4 } }), {
    seq: 4,
    at: 9,
    raw: { ...signal, metadata: { seq: 4 } },
  });
  assert.equal(entryOfSignal(signal), undefined);
  assert.equal(entryOfSignal(undefined), undefined);
});

test("[WEB-12] it was last heard of when its newest news came, whoever told it", () => {
  assert.equal(lastHeard({}, undefined), undefined);
  assert.equal(lastHeard({}, { timestamp: 7 }), 7);
  assert.equal(lastHeard({ heard_at: 9 }, { timestamp: 7 }), 9);
  assert.equal(lastHeard({ heard_at: 5 }, { timestamp: 7 }), 7);
});
