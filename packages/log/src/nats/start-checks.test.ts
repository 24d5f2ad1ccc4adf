import assert from "node:assert/strict";
import { test } from "node:test";
import { LogFault } from "../log.ts";
import type { ServerReport } from "./server-reports.ts";
import { checkServers, warningsOf, type CheckedServers } from "./start-checks.ts";
import { newStream, streamProblems } from "./stream-settings.ts";

const copy = { messages: 5, firstSeq: 1, lastSeq: 5, missing: 0, isLeader: false };

function report(n: number, changes: Partial<ServerReport> = {}): ServerReport {
  const url = `http://s${n}:8222`;
  return {
    url,
    isReachable: true,
    name: `s${n}`,
    version: "2.15.1",
    isSyncAlways: true,
    maxPayload: 8 * 1024 * 1024,
    copy,
    ...changes,
  };
}

const good: CheckedServers = {
  stream: {
    config: newStream("atrium", 3),
    state: { messages: 5, first_seq: 1, last_seq: 5 },
  },
  version: "2.15.1",
  maxPayload: 8 * 1024 * 1024,
  count: 3,
  reports: [report(1), report(2), report(3)],
  isUnsafe: false,
};

function fault(changes: Partial<CheckedServers>): LogFault {
  try {
    checkServers({ ...good, ...changes });
  } catch (error) {
    assert.ok(error instanceof LogFault);
    return error;
  }
  assert.fail("nothing was refused");
}

test("[LOG-53] three servers that write before they acknowledge are accepted without a word", () => {
  assert.deepEqual(checkServers(good), []);
});

test("[LOG-53] each server that is too old or not synced is refused by name, all at once", () => {
  const { code, message } = fault({
    reports: [
      report(1, { version: "2.9.10", maxPayload: 1000 }),
      report(2, { isSyncAlways: false }),
      report(3),
    ],
  });
  assert.equal(code, "unreadable");
  assert.match(
    message,
    /server s1 \(http:\/\/s1:8222\): nats-server 2\.9\.10 is too old, use 2\.10\.23/,
  );
  assert.match(message, /server s2 .*: jetstream \{ sync_interval: always \} is missing/);
  assert.match(message, /server s1 .*: max_payload is 1000, must be at least 1MB/);
  assert.doesNotMatch(message, /s3/);
});

test("[LOG-53] without a monitoring address what the connected server says of itself counts", () => {
  assert.match(fault({ reports: [], version: "2.10.22" }).message, /2\.10\.22 is too old/);
  assert.match(fault({ reports: [], maxPayload: 1000 }).message, /server: max_payload is 1000/);
});

test("[LOG-54] servers that take less than is advised are warned of, each by name", () => {
  const reports = [report(1), report(2, { maxPayload: 1024 * 1024 }), report(3)];
  const [warning, ...others] = checkServers({ ...good, reports });
  assert.match(warning ?? "", /server s2 .*: max_payload is 1048576; what is larger is refused/);
  assert.deepEqual(others, []);
});

test("[LOG-52] each setting that could lose or change messages is a line of its own", () => {
  const config = newStream("atrium", 3);
  const given = { hasReplicas: true, isUnsafe: false };
  assert.deepEqual(streamProblems(config, given), []);
  // What older servers leave out is as it should be; what newer ones add is not looked at.
  const { allow_msg_ttl: _ttl, no_ack: _ack, ...older } = config;
  assert.deepEqual(streamProblems({ ...older, name: "atrium", new_setting: 1 }, given), []);
  for (const [setting, value] of [
    ["retention", "workqueue"],
    ["storage", "memory"],
    ["discard", "old"],
    ["max_msgs", 1],
    ["max_bytes", 1],
    ["max_msgs_per_subject", 1],
    ["max_msg_size", 1],
    ["max_age", 1],
    ["deny_delete", false],
    ["deny_purge", false],
    ["allow_rollup_hdrs", true],
    ["allow_direct", true],
    ["allow_msg_ttl", true],
    ["sealed", true],
    ["no_ack", true],
    ["persist_mode", "async"],
    ["num_replicas", 1],
    ["num_replicas", 2],
    ["mirror", { name: "other" }],
    ["sources", [{ name: "other" }]],
    ["subject_transform", { src: "a", dest: "b" }],
    ["republish", { src: ">", dest: "x.>" }],
  ] as const) {
    const problems = streamProblems({ ...config, [setting]: value }, given);
    assert.equal(problems.length, 1, setting);
    assert.ok(problems.join().startsWith(`${setting} is `), problems.join());
  }
  assert.deepEqual(streamProblems({ ...config, num_replicas: 5 }, given), []);
});

test("[LOG-54] a stream that lacks messages is corrupt", () => {
  const state = { messages: 3, first_seq: 1, last_seq: 5, num_deleted: 2 };
  const { code, message } = fault({ stream: { ...good.stream, state } });
  assert.equal(code, "corrupt");
  assert.match(message, /3 messages up to number 5: 2 are missing. Run atrium log repair/);
});

test("[LOG-54] what works and should be changed is a warning for each", () => {
  const warnings = checkServers({
    ...good,
    isUnsafe: true,
    reports: [
      report(1, { version: "2.10.27", isSyncAlways: false }),
      report(2, { copy: { ...copy, messages: 3, missing: 2 } }),
      { url: "http://s3:8222", isReachable: false },
    ],
  });
  const expected = [
    /server s1 .*2\.10\.27 works; 2\.12\.3 or newer is advised/,
    /--log-unsafe/,
    /no answer at http:\/\/s3:8222/,
  ];
  assert.equal(warnings.length, expected.length, warnings.join("\n"));
  for (const [at, says] of expected.entries()) assert.match(warnings[at] ?? "", says);
  assert.match(
    checkServers({ ...good, reports: [report(1)] }).join(),
    /2 of 3 servers are not in --log-monitor/,
  );
});

test("[LOG-53] of fewer than three servers each must be seen, for any may have the one copy", () => {
  const stream = { ...good.stream, config: newStream("atrium", 1) };
  const two = { stream, count: 2 };
  const silent = { url: "http://s2:8222", isReachable: false };
  for (const reports of [[], [report(1)], [report(1), report(1)], [report(1), silent]]) {
    assert.match(fault({ ...two, reports }).message, /each of 2 servers must be seen .*monitor/);
  }
  assert.deepEqual(checkServers({ ...good, ...two, reports: [report(1), report(2)] }), []);
  assert.deepEqual(checkServers({ ...good, stream, count: 1, reports: [report(1)] }), []);
  const unseen = fault({ stream, count: 1, reports: [silent] });
  assert.match(unseen.message, /one server alone must be seen/);
  const accepted = checkServers({ ...good, ...two, reports: [report(1)], isUnsafe: true });
  assert.match(accepted.join(), /--log-unsafe.*1 of 2 servers are not in --log-monitor/);
});

test("[LOG-60] what would have kept a node from starting is a warning later, once for each server", () => {
  const reports = [
    report(1, { isSyncAlways: false }),
    report(2, { version: "2.9.10", maxPayload: 1000 }),
    report(3),
  ];
  const expected = [
    /^server s2 .*: nats-server 2\.9\.10 is too old/,
    /^server s2 .*: max_payload is 1000, must be at least 1MB/,
    /^server s1 .*: jetstream \{ sync_interval: always \} is missing/,
  ];
  const warnings = warningsOf({ ...good, reports });
  assert.equal(warnings.length, expected.length, warnings.join("\n"));
  for (const [at, says] of expected.entries()) assert.match(warnings[at] ?? "", says);
  assert.equal(warningsOf({ ...good, reports, isUnsafe: true }).length, 3);
});
