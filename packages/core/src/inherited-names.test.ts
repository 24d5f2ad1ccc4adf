/** Names that every plain object has already are names like any other, in every fold and every snapshot. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Entry } from "@atrium/log";
import { decideRun, evolveRuns, noRuns } from "./conversation/run.ts";
import { device, type DeviceEvent } from "./device/device.ts";
import type { Projection } from "./engine/projection.ts";
import { accept } from "./engine/refusal.ts";
import { isWider } from "./node/surface.ts";
import { poll, type PollEvent } from "./poll/poll.ts";
import { createActivities } from "./projections/activities.ts";
import { createDevices } from "./projections/devices.ts";
import { createPolls, tallyOf } from "./projections/polls.ts";
import { createSpending } from "./projections/spending.ts";
import { checkAnswers } from "./question/answers.ts";
import { stateOf } from "./signal/activity.ts";
import { given } from "./testing/index.ts";

const NAMES = ["constructor", "__proto__", "hasOwnProperty", "toString", "valueOf", "then"];

function fold<P extends Projection>(
  create: () => P,
  stream: string,
  events: readonly { readonly type: string }[],
): P {
  const first = create();
  for (const [index, { type, ...data }] of events.entries()) {
    const entry: Entry = { seq: index + 1, at: index, stream, type, data };
    first.apply(entry);
  }
  const second = create();
  second.load(JSON.parse(JSON.stringify(first.save())));
  return second;
}

const model = { provider: "p", model: "m" };

for (const name of NAMES) {
  test(`[CORE-13] ${name} is a name like any other`, () => {
    const started = { type: "run.started", runId: name, model, collects: [] } as const;
    const call = { runId: name, messageId: "m", callId: name, name, input: {} };
    const called = { type: "run.tool.called", ...call } as const;
    const key = `agent:${name}:main`;

    const activities = fold(createActivities, `conversation/${key}`, [started, called]);
    assert.equal(stateOf(activities.now, name), "acting");
    assert.equal(stateOf(createActivities().now, name), "idle");

    const completed = { runId: name, messageId: "m", text: "hi", usage: { input: 1, output: 1 } };
    const ended = { type: "run.completed", ...completed, stopReason: "end" };
    const spending = fold(createSpending, `conversation/${key}`, [started, called, called, ended]);
    assert.deepEqual(Object.entries(spending.list()[0]?.tools ?? {}), [[name, 2]]);

    const runs = evolveRuns(noRuns, started);
    const back = { runId: name, messageId: "m", callId: name, text: "", isError: false };
    assert.equal(decideRun(runs, { type: "return-tool", ...back }).ok, false);
    const open = evolveRuns(runs, called);
    const returned = { type: "run.tool.returned", ...back, name };
    assert.deepEqual(decideRun(open, { type: "return-tool", ...back }), accept([returned]));

    const subject = { question: "?", options: ["a", "b"], maxSelections: 1, isAnonymous: false };
    const where = { channel: "webchat", to: key, closesAt: null };
    const by = { id: name, name, via: "gateway" };
    const opened: PollEvent = { type: "poll.opened", id: name, subject: { ...subject, ...where } };
    const voted: PollEvent = { type: "poll.voted", choices: [1], by };
    const vote = { type: "vote", choices: [1], by } as const;
    assert.deepEqual(given(poll, opened).when(vote), accept([voted]));
    assert.deepEqual(given(poll, opened, voted).when(vote), accept([]));
    const row = fold(createPolls, `poll/${name}`, [opened, voted]).get(name);
    assert.equal(row && tallyOf(row).voters, 1);

    const paired: DeviceEvent = {
      type: "device.paired",
      deviceId: "d",
      publicKey: "k",
      approvedVia: "silent",
      clientId: "c",
      clientMode: "test",
      platform: "linux",
      displayName: null,
    };
    const granted: DeviceEvent = { type: "device.granted", deviceId: "d", role: name, scopes: [] };
    const revoke = { type: "revoke", role: name } as const;
    assert.deepEqual(given(device, paired).when(revoke), accept([]));
    assert.equal(given(device, paired, granted).when(revoke).ok, true);
    const devices = fold(createDevices, "device/d", [paired, granted]);
    assert.deepEqual([...(devices.get("d")?.grants.keys() ?? [])], [name]);

    const blank = { header: "", text: "?", options: [], isMultiple: false, allowsOther: true };
    const item = { questionId: name, ...blank };
    assert.equal(checkAnswers([item], {}).ok, false);
    const answers = Object.fromEntries([[name, ["yes"]]]);
    assert.deepEqual(checkAnswers([item], answers), accept(answers));

    const offer = { caps: [], commands: [], permissions: Object.fromEntries([[name, true]]) };
    assert.equal(isWider(offer, { ...offer, permissions: {} }), true);
    assert.equal(isWider(offer, offer), false);
  });
}
